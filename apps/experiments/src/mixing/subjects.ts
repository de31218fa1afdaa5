import { readSplit, treebankName } from "@arcwise/bench/data";
import { type OnlineLearner, perceptron, type StructuredTask, trainOnline } from "@arcwise/learn";
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
  /** Whether sentences are left out that no weights seem to separate: see `separableSentences`. */
  readonly separable?: boolean | undefined;
}

/**
 * Returns the subject of named entities in Spanish (CoNLL-2002), with the averaged perceptron; F1 on
 * esp.testa (dev) and esp.testb (test).
 */
export async function namesSubject(
  folder: string,
  { limit, separable = false }: NamesOptions = {},
): Promise<Subject> {
  const first = readColumns(folder, "esp.train").slice(0, limit);
  const sentences = separable ? await separableSentences(first) : first;
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

/** Epochs of the training that finds separable sentences, and those at its end in which none of them is wrong. */
const SETTLING = { epochs: 100, last: 20 };

/**
 * Returns the sentences on which serial training makes no mistake in its last epochs. Some sentences have the same
 * words as others and other labels, so that a perceptron never ends to make mistakes.
 */
export async function separableSentences(
  sentences: readonly LabelledSentence[],
): Promise<LabelledSentence[]> {
  const { task } = prepareNames(sentences);
  const wrong = new Set<number>();
  let epoch = 1;
  const watched: typeof task = {
    ...task,
    difference(example, output, into) {
      const cost = task.difference(example, output, into);
      if (cost > 0 && epoch > SETTLING.epochs - SETTLING.last) wrong.add(example);
      return cost;
    },
  };
  const onEpoch = (): void => {
    epoch++;
  };
  await trainOnline(watched, perceptron(task.dimension), { epochs: SETTLING.epochs, seed: 1, onEpoch });
  return sentences.filter((_, i) => !wrong.has(i));
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
