import { processorTime } from "@arcwise/bench/measures";
import { mira } from "@arcwise/learn";
import { chunkLabels, chunkScores, type LabelledSentence } from "@arcwise/sequence";
import { chunkingData, namesData, type SequenceData, taggingData } from "./data.ts";
import {
  chain,
  chunking,
  dual,
  grams,
  hidden,
  loglinear,
  margin,
  names,
  namesWithLists,
  network,
  plain,
  type SequenceSubject,
  tagging,
  trigrams,
  withoutHistory,
} from "./models.ts";
import type { SequenceModel } from "./sequence-model.ts";
/** A task: its data, its models, and its metric. */
export interface SequenceTask {
  readonly name: string;
  readonly title: string;
  readonly metric: "F1" | "accuracy";
  /** Whether a model is retrained with the held-out part after the number of epochs was chosen. */
  readonly retrain: boolean;
  data(folder: string): SequenceData;
  readonly subjects: readonly SequenceSubject[];
}

/** Inputs from a window around a word: forms, lower-case forms, and spelling. */
const TAGGING_INPUT = [
  ...(["word-2", "word-1", "word", "word+1", "word+2", "suffix2", "suffix3", "shape", "prefix2"] as const),
];
const CHUNKING_INPUT = ["xpos-2", "xpos-1", "xpos", "xpos+1", "xpos+2", "word-1", "word", "word+1"] as const;

/** The tasks by name. */
export const SEQUENCE_TASKS: readonly SequenceTask[] = [
  {
    name: "chunking",
    title: "Chunks of English news (CoNLL-2000)",
    metric: "F1",
    retrain: true,
    data: chunkingData,
    subjects: [
      chain("averaged perceptron", chunking, 10),
      chain("perceptron, not averaged", { ...chunking, learner: plain }, 10),
      chain("conditional random field", { ...chunking, learner: loglinear }, 8),
      dual("exponentiated gradient", chunking, 20),
      chain("MIRA", { ...chunking, learner: mira }, 10),
      chain("structured SVM", { ...chunking, learner: margin }, 8),
      chain("maximum-entropy Markov model", { ...chunking, learner: loglinear, normalisation: "local" }, 8),
      chain("local classifier", { ...withoutHistory(chunking), learner: loglinear }, 8),
      network("feed-forward network", { kind: "feed-forward", templates: CHUNKING_INPUT }, 8),
      network("word-pair network", { kind: "feed-forward", templates: CHUNKING_INPUT, pairs: "words" }, 8),
      network("LSTM network", { kind: "lstm", templates: CHUNKING_INPUT }, 8),
      network("recurrent network", { kind: "recurrent", templates: CHUNKING_INPUT }, 8),
    ],
  },
  {
    name: "names",
    title: "Names in Spanish news (CoNLL-2002)",
    metric: "F1",
    retrain: false,
    data: namesData,
    subjects: [
      chain("averaged perceptron", names, 12),
      chain("averaged perceptron, BIOES", names, 12, { bioes: true }),
      chain("list of places, averaged perceptron, BIOES", namesWithLists("places"), 12, { bioes: true }),
      chain("lists of training names, averaged perceptron, BIOES", namesWithLists("training"), 12, {
        bioes: true,
      }),
      chain("all lists, averaged perceptron, BIOES", namesWithLists("both"), 12, { bioes: true }),
      chain("conditional random field, BIOES", { ...names, learner: loglinear }, 12, { bioes: true }),
      chain("structured SVM, BIOES", { ...names, learner: margin }, 12, { bioes: true }),
      ...[2, 3, 4, 5].map((order) => grams(order, withoutHistory(names), 8)),
    ],
  },
  {
    name: "tagging",
    title: "Universal tags (UD English EWT)",
    metric: "accuracy",
    retrain: false,
    data: taggingData,
    subjects: [
      hidden("hidden Markov model, trigrams", 3),
      chain("averaged perceptron", tagging, 10),
      chain("averaged perceptron, trigrams", trigrams, 10),
      dual("exponentiated gradient", tagging, 20),
      chain("MIRA", { ...tagging, learner: mira }, 10),
      chain("structured SVM", { ...tagging, learner: margin }, 8),
      chain("conditional random field", { ...tagging, learner: loglinear }, 8),
      chain("maximum-entropy Markov model", { ...tagging, learner: loglinear, normalisation: "local" }, 8),
      chain("local classifier", { ...withoutHistory(tagging), learner: loglinear }, 8),
      network("feed-forward network", { kind: "feed-forward", templates: TAGGING_INPUT }, 8),
      network("word-pair network", { kind: "feed-forward", templates: TAGGING_INPUT, pairs: "words" }, 8),
      network("LSTM network", { kind: "lstm", templates: TAGGING_INPUT }, 8),
      network("recurrent network", { kind: "recurrent", templates: TAGGING_INPUT }, 8),
    ],
  },
];

/** The state of a training after an epoch. */
export interface SequencePoint {
  readonly epoch: number;
  /** Processor time of training so far. */
  readonly seconds: number;
  /** Score on the development sentences. */
  readonly score: number;
}

/** Measurements of a model. Scores are fractions. */
export interface SequenceResult {
  readonly task: string;
  readonly metric: "F1" | "accuracy";
  readonly model: string;
  readonly weights: number;
  readonly trainingWords: number;
  /** The epoch after which the development score was best, and that score. */
  readonly epochs: number;
  readonly dev: number;
  readonly test: number;
  readonly testAccuracy: number;
  /** Medians over epochs. */
  readonly trainingWordsPerSecond: number;
  readonly labellingWordsPerSecond: number;
  readonly course: readonly SequencePoint[];
}

const wordsOf = (sentences: readonly LabelledSentence[]): number =>
  sentences.reduce((sum, { labels }) => sum + labels.length, 0);

/**
 * Trains a model, chooses the number of epochs by the development score, and evaluates it once on the test
 * split.
 */
export async function runSubject(
  task: SequenceTask,
  data: SequenceData,
  subject: SequenceSubject,
  settings: { readonly seed: number; readonly epochs?: number | undefined; onEpoch(line: string): void },
): Promise<SequenceResult> {
  const { model: name, bioes = false } = subject;
  const trainingWords = wordsOf(data.train);
  const encode = (sentences: readonly LabelledSentence[]) =>
    bioes
      ? sentences.map(({ sentence, labels }) => ({ sentence, labels: chunkLabels(labels, "bioes") }))
      : sentences;
  const course: SequencePoint[] = [];
  const epochSeconds: number[] = [];
  let best: { dev: number; epoch: number; model: SequenceModel } | undefined;
  const most = Math.min(subject.epochs, settings.epochs ?? subject.epochs);
  const train = encode(data.train);
  let start = processorTime();
  await subject.train(train, {
    epochs: most,
    seed: settings.seed,
    onStart: () => {
      start = processorTime();
    },
    onEpoch: (epoch, make) => {
      epochSeconds.push((processorTime() - start) / 1000);
      const model = make();
      const { score } = measure(model, data.dev, task.metric, bioes, 1);
      course.push({ epoch, seconds: epochSeconds.reduce((sum, seconds) => sum + seconds, 0), score });
      if (best === undefined || score > best.dev) best = { dev: score, epoch, model };
      settings.onEpoch(`${task.name}: ${name}, epoch ${epoch}/${most}: dev ${(100 * score).toFixed(2)}`);
      start = processorTime();
    },
  });
  const { dev, epoch, model } = best!;
  const final = task.retrain
    ? await subject.train(encode([...data.train, ...data.dev]), { epochs: epoch, seed: settings.seed })
    : model;
  const measured = measure(final, data.test, task.metric, bioes, PASSES);
  // The first epoch is slower: functions are not compiled yet.
  const steady = epochSeconds.length > 1 ? epochSeconds.slice(1) : epochSeconds;
  return {
    task: task.name,
    metric: task.metric,
    model: name,
    weights: final.weights,
    trainingWords,
    epochs: epoch,
    dev,
    test: measured.score,
    testAccuracy: measured.accuracy,
    trainingWordsPerSecond: trainingWords / median(steady),
    labellingWordsPerSecond: measured.wordsPerSecond,
    course,
  };
}

/** Number of passes over the sentences to measure speed, of which the median counts. */
const PASSES = 3;

function measure(
  model: SequenceModel,
  sentences: readonly LabelledSentence[],
  metric: "F1" | "accuracy",
  bioes: boolean,
  passes: number,
): { readonly score: number; readonly accuracy: number; readonly wordsPerSecond: number } {
  const words = wordsOf(sentences);
  const rates: number[] = [];
  let found: (readonly string[])[] = [];
  for (let pass = 0; pass < passes; pass++) {
    const start = processorTime();
    found = sentences.map(({ sentence }) => model.label(sentence));
    rates.push(words / ((processorTime() - start) / 1000));
  }
  const gold = sentences.map(({ labels }) => labels);
  const { f1, accuracy } = chunkScores(
    gold,
    bioes ? found.map((labels) => chunkLabels(labels, "bio")) : found,
  );
  return { score: metric === "F1" ? f1 : accuracy, accuracy, wordsPerSecond: median(rates) };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[sorted.length >> 1]!;
}
