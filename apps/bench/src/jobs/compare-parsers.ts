import {
  type AttachmentScores,
  attachmentScores,
  type BootstrapResult,
  pairedBootstrap,
  sentenceCounts,
  type TreePair,
} from "@arcwise/evaluate";
import type { TrainingExample } from "@arcwise/parser";
import { readSplit, treebankName } from "../data/treebanks.ts";
import { spreadEvenly } from "../measures/scored-sentences.ts";
import type { Journal } from "../results/journal.ts";
import {
  MAX_SHOWN,
  plainTree,
  type SentenceRights,
  type SentenceTrees,
  sentenceRights,
  sentenceTrees,
} from "../results/results.ts";
import type { ParserJob, ParserRun, Tell } from "./parser-job.ts";
import { ParserFailed, type RunParser } from "./spawn-parser.ts";

/** A parser that was trained and measured. */
export interface ParserResult extends Omit<ParserRun, "trees"> {
  readonly parser: string;
  readonly treebank: string;
  readonly options: ParserJob["options"];
  readonly split: ParserJob["split"];
  readonly scores: AttachmentScores;
  readonly rights: SentenceRights;
}

/** Differences of two parsers of a treebank, the second minus the first. */
export interface Comparison {
  readonly treebank: string;
  readonly first: string;
  readonly second: string;
  readonly uas: BootstrapResult;
  readonly las: BootstrapResult;
}

/** A combination of options that no parser has, or a parser that failed. */
export interface Refusal {
  readonly parser: string;
  readonly treebank: string;
  readonly reason: string;
}

/** Sentences of a treebank with the trees of its parsers, in the order of these. */
export interface ShownSentences {
  readonly treebank: string;
  /** At most `MAX_SHOWN` sentences, spread evenly. */
  readonly sentences: readonly SentenceTrees[];
}

export interface ParserComparison {
  readonly parsers: readonly ParserResult[];
  readonly shown: readonly ShownSentences[];
  readonly comparisons: readonly Comparison[];
  /** Combinations of options that do not exist. */
  readonly refused: readonly Refusal[];
  /** Parsers whose training or parsing ended with an error. */
  readonly failed: readonly Refusal[];
}

/** What a comparison of parsers needs besides the jobs. */
export interface ParserContest {
  readonly run: RunParser;
  readonly journal: Journal;
  readonly seed: number;
  readonly tell: Tell;
}

/**
 * Runs the jobs one after the other, scores their trees (all words, full labels), and compares the parsers of
 * each treebank with each other by a paired bootstrap test. Jobs that the journal knows are not run again.
 */
export async function compareParsers(
  jobs: readonly ParserJob[],
  { run, journal, seed, tell }: ParserContest,
): Promise<Omit<ParserComparison, "refused">> {
  const parsers: ParserResult[] = [];
  const failed: Refusal[] = [];
  const pairs = new Map<ParserResult, readonly TreePair[]>();
  for (const [i, job] of jobs.entries()) {
    const treebank = treebankName(job.treebank);
    const name = `${i + 1}/${jobs.length} ${treebank}, ${job.name}`;
    try {
      const measure = () => run(job, (text) => tell(`${name}: ${text}`));
      if (journal.has(JSON.stringify(job))) tell(`${name}: measured before`);
      const { trees, ...measured } = await journal.once(JSON.stringify(job), measure);
      const golds = goldsOf(job);
      const scored = treePairs(golds, trees);
      const about = { parser: job.name, treebank, options: job.options, split: job.split };
      const rights = sentenceRights(golds, trees);
      const result: ParserResult = { ...about, ...measured, scores: attachmentScores(scored), rights };
      parsers.push(result);
      pairs.set(result, scored);
    } catch (error) {
      if (!(error instanceof ParserFailed)) throw error;
      failed.push({ parser: job.name, treebank, reason: error.message });
    }
  }
  return { parsers, comparisons: compareAll(parsers, pairs, seed), shown: shownOf(parsers, pairs), failed };
}

/** Returns sentences of each treebank with the trees of all its parsers. */
function shownOf(
  parsers: readonly ParserResult[],
  pairs: ReadonlyMap<ParserResult, readonly TreePair[]>,
): ShownSentences[] {
  return [...new Set(parsers.map(({ treebank }) => treebank))].map((treebank) => {
    const own = parsers.filter((one) => one.treebank === treebank).map((one) => pairs.get(one)!);
    const indices = spreadEvenly([...own[0]!.keys()], MAX_SHOWN);
    const sentences = indices.map((i) => {
      const { words, gold } = own[0]![i]!;
      const found = own.map((trees) => plainTree(trees[i]!.predicted));
      return sentenceTrees(
        i,
        words.map(({ form }) => form),
        plainTree(gold),
        found,
      );
    });
    return { treebank, sentences };
  });
}

function goldsOf({ treebank, split, sentences = Infinity }: ParserJob): TrainingExample[] {
  return spreadEvenly(readSplit(treebank, split), sentences);
}

function treePairs(golds: readonly TrainingExample[], trees: ParserRun["trees"]): TreePair[] {
  return golds.map(({ sentence, tree }, index) => {
    const { heads, labels } = trees[index]!;
    return { words: sentence, gold: tree, predicted: { heads: Int32Array.from(heads), labels } };
  });
}

function compareAll(
  parsers: readonly ParserResult[],
  pairs: ReadonlyMap<ParserResult, readonly TreePair[]>,
  seed: number,
): Comparison[] {
  return parsers.flatMap((first, index) =>
    parsers
      .slice(index + 1)
      .filter(({ treebank }) => treebank === first.treebank)
      .map((second) => {
        const test = (metric: "uas" | "las"): BootstrapResult =>
          pairedBootstrap(
            {
              a: sentenceCounts(pairs.get(first)!, metric),
              b: sentenceCounts(pairs.get(second)!, metric),
            },
            { seed },
          );
        const names = { first: first.parser, second: second.parser };
        return { treebank: first.treebank, ...names, uas: test("uas"), las: test("las") };
      }),
  );
}
