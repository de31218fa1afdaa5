import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DataError } from "@arcwise/cli/command";
import type { DependencyTree, Sentence } from "@arcwise/core";
import { checkFiles, spreadEvenly } from "../data/treebanks.ts";
import type { Environment } from "./environment.ts";

/** Version of the format of result files; a change that readers notice counts up. */
export const RESULT_VERSION = 1;

/** The file that `--json` writes, described by schema/results.schema.json. */
export interface ResultFile {
  readonly format: "arcwise-bench";
  readonly version: typeof RESULT_VERSION;
  /** The sub-command. */
  readonly kind: string;
  readonly title: string;
  /** The command line that reproduces the results. */
  readonly command: string;
  readonly environment: Environment;
  readonly seed: number;
  /** Measured decoders, parsers and learners in one form for all sub-commands: `diff` compares these. */
  readonly contestants: readonly Contestant[];
  /** All figures, in the form of the sub-command. */
  readonly results: unknown;
}

/** A figure and its range over repetitions, unrounded. */
export interface Measure {
  readonly value: number;
  /** The lowest and highest of the repetitions; absent for figures that are counted, not timed. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Number of repetitions. */
  readonly samples?: number | undefined;
  /** `share` is a fraction from 0 to 1. */
  readonly unit: "share" | "words/s" | "s" | "ms" | "bytes" | "score" | "count";
  readonly better: "higher" | "lower";
}

/** Right words of each sentence, in the order of the data: what paired tests resample. */
export interface SentenceRights {
  /** SHA-256 of the sentences and their gold trees, in order: counts are comparable where it is equal. */
  readonly data: string;
  readonly words: readonly number[];
  readonly heads: readonly number[];
  /** Words with the right head and label. */
  readonly arcs: readonly number[];
}

/** A measured decoder, parser or learner. */
export interface Contestant {
  /** The data, such as a treebank and its split. Contestants of a group are comparable. */
  readonly group: string;
  readonly name: string;
  /** By name: `UAS`, `words/s`. */
  readonly measures: Readonly<Record<string, Measure>>;
  readonly sentences?: SentenceRights | undefined;
}

/** A tree as plain data. Position 0 is the root, with head -1 and an empty label. */
export interface PlainTree {
  readonly heads: readonly number[];
  readonly labels: readonly string[];
}

/** A sentence with its gold tree and the trees of all contestants, to look at. */
export interface SentenceTrees {
  /** Number of the sentence in the split, from 0. */
  readonly index: number;
  /** Forms of the words; word i of a tree is `forms[i - 1]`. */
  readonly forms: readonly string[];
  /** The gold tree, then all other trees that a contestant found, each once. */
  readonly trees: readonly PlainTree[];
  /** For each contestant, in the order of the table, which of `trees` it found: 0 without errors. */
  readonly found: readonly number[];
}

/** Maximal number of sentences that results hold with their trees. */
const MAX_SHOWN = 500;

/** Reads a file that `--json` wrote. */
export function readResultFile(path: string): ResultFile {
  checkFiles([path]);
  const content = parsed(path) as Partial<ResultFile> | null;
  if (content?.format !== "arcwise-bench" || !Array.isArray(content.contestants)) {
    throw new DataError(`${path}: expected results of the benchmark (--json), found another file`);
  }
  if (content.version !== RESULT_VERSION) {
    throw new DataError(`${path}: expected version ${RESULT_VERSION} of results, found ${content.version}`);
  }
  return content as ResultFile;
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new DataError(`${path}: expected JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns a tree as plain data. */
export function plainTree({ heads, labels }: Pick<DependencyTree, "heads" | "labels">): PlainTree {
  return { heads: [...heads], labels: [...labels] };
}

/** A sentence and its gold tree. */
export interface GoldSentence {
  readonly sentence: Sentence;
  readonly tree: DependencyTree;
}

/**
 * Returns at most `MAX_SHOWN` sentences, spread evenly, with the trees of all contestants.
 *
 * @param indices the numbers of the gold sentences in the split
 * @param trees `trees[k][i]`: of contestant k and gold sentence i
 */
export function shownSentences(
  indices: readonly number[],
  golds: readonly GoldSentence[],
  trees: readonly (readonly PlainTree[])[],
): SentenceTrees[] {
  return spreadEvenly([...golds.keys()], MAX_SHOWN).map((i): SentenceTrees => {
    const { sentence, tree } = golds[i]!;
    const keys: string[] = [];
    const distinct: PlainTree[] = [];
    const found = [plainTree(tree), ...trees.map((own) => own[i]!)].map((one) => {
      const key = `${one.heads.slice(1)}\n${one.labels.slice(1).join("\n")}`;
      const known = keys.indexOf(key);
      if (known >= 0) return known;
      keys.push(key);
      return distinct.push(one) - 1;
    });
    const forms = sentence.map(({ form }) => form);
    return { index: indices[i]!, forms, trees: distinct, found: found.slice(1) };
  });
}

/** Counts the right words of each sentence. */
export function sentenceRights(golds: readonly GoldSentence[], trees: readonly PlainTree[]): SentenceRights {
  const hash = createHash("sha256");
  const rights = { words: [] as number[], heads: [] as number[], arcs: [] as number[] };
  for (const [i, { sentence, tree: gold }] of golds.entries()) {
    hash.update(`${sentence.map(({ form }) => form).join(" ")}\n${gold.heads}\n${gold.labels}\n`);
    const { heads, labels } = trees[i]!;
    let [rightHeads, rightArcs] = [0, 0];
    for (let m = 1; m < heads.length; m++) {
      if (heads[m] !== gold.heads[m]) continue;
      rightHeads++;
      if (labels[m] === gold.labels[m]) rightArcs++;
    }
    rights.words.push(heads.length - 1);
    rights.heads.push(rightHeads);
    rights.arcs.push(rightArcs);
  }
  return { data: hash.digest("hex"), ...rights };
}
