import { readSplit, treebankName } from "@arcwise/bench/data";
import { type OnlineLearner, perceptron, type StructuredTask } from "@arcwise/learn";
import { createParsingWork, type ParsingWork, prepareTraining } from "@arcwise/parser";
import {
  type ChainTraining,
  chunkScores,
  createLabeller,
  type LabelledSentence,
  NAMES_TEMPLATES,
  prepareChain,
} from "@arcwise/sequence";
import { readColumns } from "../sequences/data.ts";

/** The data from which threads create a task, as plain data. */
export type SubjectData =
  | { readonly kind: "names"; readonly sentences: readonly LabelledSentence[] }
  | { readonly kind: "parsing"; readonly work: ParsingWork };

/** A learning task with its evaluation. */
export interface Subject {
  readonly name: string;
  readonly learner: string;
  /** Names of the results of `evaluate`, in percent; epochs are selected by the first one. */
  readonly metrics: readonly string[];
  readonly data: SubjectData;
  readonly task: StructuredTask<unknown>;
  /** Creates an untrained learner. */
  create(): OnlineLearner;
  /** Scores weights on a split; default: the development split. */
  evaluate(weights: Float32Array, split?: "dev" | "test"): readonly number[];
}

export interface Work {
  readonly task: StructuredTask<unknown>;
  readonly learner: OnlineLearner;
}

/** Creates the task and learner of a subject's data, the same in every thread. */
export function createWork(data: SubjectData): Work {
  if (data.kind === "parsing") return createParsingWork(data.work) as Work;
  const { task } = prepareNames(data.sentences);
  return { task: task as StructuredTask<unknown>, learner: perceptron(task.dimension) };
}

function prepareNames(sentences: readonly LabelledSentence[]): ChainTraining {
  return prepareChain(sentences, { templates: NAMES_TEMPLATES, bio: true });
}

/** Which sentences names are learned from. */
export interface NamesOptions {
  /** Number of training sentences. */
  readonly limit?: number | undefined;
  /** Whether sentences are left out that have other labels than most sentences of the same words. */
  readonly consistent?: boolean | undefined;
}

/**
 * Returns the subject of named entities in Spanish (CoNLL-2002), with the averaged perceptron; F1 on
 * esp.testa (dev) and esp.testb (test).
 */
export function namesSubject(folder: string, { limit, consistent = false }: NamesOptions = {}): Subject {
  const first = readColumns(folder, "esp.train").slice(0, limit);
  const sentences = consistent ? consistentSentences(first) : first;
  const splits = {
    dev: readColumns(folder, "esp.testa").slice(0, limit),
    test: [] as LabelledSentence[],
  };
  const { task, model } = prepareNames(sentences);
  return {
    name: "names (CoNLL-2002, Spanish)",
    learner: "perceptron",
    metrics: ["F1"],
    data: { kind: "names", sentences },
    task: task as StructuredTask<unknown>,
    create: () => perceptron(task.dimension),
    evaluate(weights, split = "dev") {
      const labeller = createLabeller(model(weights));
      if (split === "test" && splits.test.length === 0) splits.test = readColumns(folder, "esp.testb");
      const found = splits[split].map(({ sentence }) => labeller.label(sentence));
      const gold = splits[split].map(({ labels }) => labels);
      return [100 * chunkScores(gold, found).f1];
    },
  };
}

/** Returns the sentences without those that have other labels than most sentences of the same words. O(words). */
export function consistentSentences(sentences: readonly LabelledSentence[]): LabelledSentence[] {
  const words = sentences.map(({ sentence }) => JSON.stringify(sentence));
  const labels = sentences.map((sentence) => JSON.stringify(sentence.labels));
  const counts = new Map<string, Map<string, number>>();
  for (const [i, key] of words.entries()) {
    const own = counts.get(key) ?? new Map<string, number>();
    counts.set(key, own.set(labels[i]!, (own.get(labels[i]!) ?? 0) + 1));
  }
  const usual = new Map<string, string>();
  for (const [key, own] of counts) {
    usual.set(key, [...own].reduce((most, other) => (other[1] > most[1] ? other : most))[0]);
  }
  return sentences.filter((_, i) => usual.get(words[i]!) === labels[i]);
}

/** Returns the subject of first-order parsing of a treebank; LAS and UAS. */
export async function parsingSubject(
  treebank: string,
  { learner, seed, limit = Infinity }: ParsingOptions,
): Promise<Subject> {
  const dev = readSplit(treebank, "dev");
  const examples = readSplit(treebank, "train").slice(0, limit);
  const { work, evaluate } = await prepareTraining(examples, {
    preset: "linear",
    order: 1,
    seed,
    dev,
    learner,
  });
  let test: typeof dev | undefined;
  const { task } = createWork({ kind: "parsing", work });
  return {
    name: `parsing (${treebankName(treebank)}, order 1)`,
    learner,
    metrics: ["LAS", "UAS"],
    data: { kind: "parsing", work },
    task,
    create: () => createParsingWork(work).learner,
    evaluate(weights, split) {
      if (split === "test") test ??= readSplit(treebank, "test");
      const { las, uas } = evaluate(weights, split === "test" ? test : undefined)!;
      return [las, uas];
    },
  };
}

/** How a parser is trained. */
export interface ParsingOptions {
  readonly learner: "mira" | "perceptron";
  readonly seed: number;
  /** Number of training sentences. */
  readonly limit?: number | undefined;
}
