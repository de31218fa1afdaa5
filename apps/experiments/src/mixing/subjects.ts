import { join } from "node:path";
import { readSplit, treebankName } from "@arcwise/bench/data";
import { type OnlineLearner, perceptron, type StructuredTask, trainOnline } from "@arcwise/learn";
import { createParsingWork, prepareTraining } from "@arcwise/parser";
import {
  chunkScores,
  createLabeller,
  type LabelledSentence,
  NAMES_TEMPLATES,
  prepareChain,
} from "@arcwise/sequence";
import { readColumns } from "../sequences/data.ts";

/** A learning task with its evaluation. */
export interface Subject {
  readonly name: string;
  readonly learner: string;
  /** Names of the results of `evaluate`, in percent; epochs are selected by the first one. */
  readonly metrics: readonly string[];
  readonly task: StructuredTask<unknown>;
  /** Creates an untrained learner. */
  create(): OnlineLearner;
  /** Scores weights on a split; default: the development split. */
  evaluate(weights: Float32Array, split?: "dev" | "test"): readonly number[];
}

const prepareNames = (sentences: readonly LabelledSentence[]) =>
  prepareChain(sentences, { templates: NAMES_TEMPLATES, bio: true });

/**
 * Returns the subject of named entities in Spanish (CoNLL-2002), with the averaged perceptron; F1 on
 * esp.testa (dev) and esp.testb (test).
 *
 * @param limit number of training sentences
 * @param isSeparable whether sentences are left out that no weights seem to separate: see `separableSentences`
 */
export async function namesSubject(
  data: string,
  limit: number | undefined,
  isSeparable: boolean,
): Promise<Subject> {
  const folder = join(data, "sequence", "conll2002");
  const first = readColumns(folder, "esp.train").slice(0, limit);
  const sentences = isSeparable ? await separableSentences(first) : first;
  const dev = readColumns(folder, "esp.testa").slice(0, limit);
  let test: readonly LabelledSentence[] | undefined;
  const { task, model } = prepareNames(sentences);
  return {
    name: "names (CoNLL-2002, Spanish)",
    learner: "perceptron",
    metrics: ["F1"],
    task: task as StructuredTask<unknown>,
    create: () => perceptron(task.dimension),
    evaluate(weights, split) {
      const labeller = createLabeller(model(weights));
      if (split === "test") test ??= readColumns(folder, "esp.testb");
      const measured = split === "test" ? test! : dev;
      const found = measured.map(({ sentence }) => labeller.label(sentence));
      const gold = measured.map(({ labels }) => labels);
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
async function separableSentences(sentences: readonly LabelledSentence[]): Promise<LabelledSentence[]> {
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
  const onEpoch = () => void epoch++;
  await trainOnline(watched, perceptron(task.dimension), { epochs: SETTLING.epochs, seed: 1, onEpoch });
  return sentences.filter((_, i) => !wrong.has(i));
}

/** Returns the subject of first-order parsing of a treebank; LAS and UAS. @param limit number of training sentences */
export async function parsingSubject(
  treebank: string,
  { learner, seed }: { readonly learner: "mira" | "perceptron"; readonly seed: number },
  limit: number | undefined,
): Promise<Subject> {
  const dev = readSplit(treebank, "dev");
  const examples = readSplit(treebank, "train").slice(0, limit);
  const options = { preset: "linear", order: 1, seed, dev, learner } as const;
  const { work, evaluate } = await prepareTraining(examples, options);
  let test: typeof dev | undefined;
  return {
    name: `parsing (${treebankName(treebank)}, order 1)`,
    learner,
    metrics: ["LAS", "UAS"],
    task: createParsingWork(work).task as StructuredTask<unknown>,
    create: () => createParsingWork(work).learner,
    evaluate(weights, split) {
      if (split === "test") test ??= readSplit(treebank, "test");
      const { las, uas } = evaluate(weights, split === "test" ? test : undefined)!;
      return [las, uas];
    },
  };
}
