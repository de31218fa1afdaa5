import { crf, mira, type OnlineLearner, perceptron, svm } from "@arcwise/learn";
import {
  bioesToBio,
  bioToBioes,
  CHUNKING_TEMPLATES,
  type ChainModel,
  type ChainTrainOptions,
  chunkScores,
  createLabeller,
  type LabelledSentence,
  NAMES_TEMPLATES,
  RATNAPARKHI_TEMPLATES,
  TAG_DICTIONARY,
  TAGGING_TEMPLATES,
  trainChain,
} from "@arcwise/sequence";
import { brownData, chunkingData, namesData, type SequenceData, taggingData } from "./data.ts";

/** A model to train: a name for people, and how. */
export interface SequenceSubject {
  readonly model: string;
  readonly options: ChainTrainOptions;
  readonly epochs: number;
  /** Whether BIO labels are learned as BIOES: the end of a chunk has a label of its own. */
  readonly bioes?: boolean;
}

/** A task: its data, its models, and what counts. */
export interface SequenceTask {
  readonly name: string;
  readonly title: string;
  readonly metric: "F1" | "accuracy";
  /** Whether, after the number of epochs was chosen, a model learns from the held-out part too. */
  readonly retrain: boolean;
  data(folder: string, seed: number): SequenceData;
  readonly subjects: readonly SequenceSubject[];
}

type Learner = (dimension: number) => OnlineLearner;
const plain: Learner = (dimension) => perceptron(dimension, { averaged: false });
const loglinear: Learner = (dimension) => crf(dimension, { rate: 0.1, l2: 1e-5 });
const margin: Learner = (dimension) => svm(dimension, { optimizer: "adagrad", rate: 0.1, l2: 1e-5 });

const chunking: ChainTrainOptions = { templates: CHUNKING_TEMPLATES, bio: true };
const names: ChainTrainOptions = { templates: NAMES_TEMPLATES, bio: true };
const tagging: ChainTrainOptions = { templates: TAGGING_TEMPLATES };
const trigrams: ChainTrainOptions = { templates: [...TAGGING_TEMPLATES, "label-1 label-2"] };
const collins: ChainTrainOptions = {
  templates: RATNAPARKHI_TEMPLATES,
  dictionary: TAG_DICTIONARY,
  pairs: "observed",
};
const withoutHistory = (options: ChainTrainOptions): ChainTrainOptions => ({
  ...options,
  bio: false,
  templates: options.templates.filter((template) => !template.includes("label-1")),
});

/** The tasks by name. */
export const SEQUENCE_TASKS: readonly SequenceTask[] = [
  {
    name: "chunking",
    title: "Chunks of English news (CoNLL-2000)",
    metric: "F1",
    retrain: true,
    data: chunkingData,
    subjects: [
      { model: "averaged perceptron", options: chunking, epochs: 10 },
      { model: "perceptron, not averaged", options: { ...chunking, learner: plain }, epochs: 10 },
      { model: "conditional random field", options: { ...chunking, learner: loglinear }, epochs: 8 },
      { model: "structured SVM", options: { ...chunking, learner: margin }, epochs: 8 },
      {
        model: "maximum-entropy Markov model",
        options: { ...chunking, learner: loglinear, normalisation: "local" },
        epochs: 8,
      },
      { model: "local classifier", options: { ...withoutHistory(chunking), learner: loglinear }, epochs: 8 },
    ],
  },
  {
    name: "names",
    title: "Names in Spanish news (CoNLL-2002)",
    metric: "F1",
    retrain: false,
    data: namesData,
    subjects: [
      { model: "averaged perceptron", options: names, epochs: 12 },
      { model: "averaged perceptron, BIOES", options: names, epochs: 12, bioes: true },
      {
        model: "conditional random field, BIOES",
        options: { ...names, learner: loglinear },
        epochs: 12,
        bioes: true,
      },
      { model: "structured SVM, BIOES", options: { ...names, learner: margin }, epochs: 12, bioes: true },
    ],
  },
  {
    name: "tagging",
    title: "Universal tags (UD English EWT)",
    metric: "accuracy",
    retrain: false,
    data: taggingData,
    subjects: [
      { model: "averaged perceptron", options: tagging, epochs: 10 },
      { model: "averaged perceptron, trigrams", options: trigrams, epochs: 10 },
      { model: "MIRA", options: { ...tagging, learner: mira }, epochs: 10 },
      { model: "conditional random field", options: { ...tagging, learner: loglinear }, epochs: 8 },
    ],
  },
  {
    name: "collins",
    title: "Tags of the Brown corpus, after Collins 2002",
    metric: "accuracy",
    retrain: false,
    data: brownData,
    subjects: [0, 5].flatMap((cutoff) => {
      const options = { ...collins, minimum: Math.max(1, cutoff) };
      return [
        { model: `averaged perceptron, cut-off ${cutoff}`, options, epochs: 5 },
        { model: `perceptron, cut-off ${cutoff}`, options: { ...options, learner: plain }, epochs: 5 },
        {
          model: `maximum entropy, cut-off ${cutoff}`,
          options: { ...options, learner: loglinear, normalisation: "local" as const },
          epochs: 5,
        },
      ];
    }),
  },
];

/** What was measured of a model. Scores are fractions. */
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
}

const wordsOf = (sentences: readonly LabelledSentence[]): number =>
  sentences.reduce((sum, { labels }) => sum + labels.length, 0);

/**
 * Trains a model, chooses the number of epochs by the development score, and measures it on the test split, once.
 */
export async function runSubject(
  task: SequenceTask,
  data: SequenceData,
  { model: name, options, epochs, bioes = false }: SequenceSubject,
  settings: { readonly seed: number; readonly epochs?: number | undefined; onEpoch(line: string): void },
): Promise<SequenceResult> {
  const trainingWords = wordsOf(data.train);
  const encode = (sentences: readonly LabelledSentence[]) =>
    bioes ? sentences.map(({ sentence, labels }) => ({ sentence, labels: bioToBioes(labels) })) : sentences;
  const rates: number[] = [];
  let best: { dev: number; epoch: number; model: ChainModel } | undefined;
  const most = settings.epochs ?? epochs;
  let start = 0;
  await trainChain(encode(data.train), {
    ...options,
    epochs: most,
    seed: settings.seed,
    onProgress: ({ done }) => {
      if (start === 0 && done > 0) start = processorTime();
    },
    onEpoch: (epoch, model) => {
      if (start > 0 && epoch > 1) rates.push(trainingWords / ((processorTime() - start) / 1000));
      const now = model();
      const { score } = measure(now, data.dev, task.metric, bioes);
      if (best === undefined || score > best.dev) best = { dev: score, epoch, model: now };
      settings.onEpoch(`${task.name}: ${name}, epoch ${epoch}/${most}: dev ${(100 * score).toFixed(2)}`);
      start = processorTime();
    },
  });
  const { dev, epoch, model } = best!;
  const final = task.retrain
    ? await trainChain(encode([...data.train, ...data.dev]), {
        ...options,
        epochs: epoch,
        seed: settings.seed,
      })
    : model;
  const measured = measure(final, data.test, task.metric, bioes);
  return {
    task: task.name,
    metric: task.metric,
    model: name,
    weights: final.weights.length,
    trainingWords,
    epochs: epoch,
    dev,
    test: measured.score,
    testAccuracy: measured.accuracy,
    trainingWordsPerSecond: median(rates),
    labellingWordsPerSecond: measured.wordsPerSecond,
  };
}

/** Times that the sentences are labelled to measure speed: the median counts. */
const PASSES = 3;

function measure(
  model: ChainModel,
  sentences: readonly LabelledSentence[],
  metric: "F1" | "accuracy",
  bioes: boolean,
): { readonly score: number; readonly accuracy: number; readonly wordsPerSecond: number } {
  const labeller = createLabeller(model);
  const words = wordsOf(sentences);
  const rates: number[] = [];
  let found: string[][] = [];
  for (let pass = 0; pass < PASSES; pass++) {
    const start = processorTime();
    found = sentences.map(({ sentence }) => labeller.label(sentence));
    rates.push(words / ((processorTime() - start) / 1000));
  }
  const { f1, accuracy } = chunkScores(
    sentences.map(({ labels }) => labels),
    bioes ? found.map(bioesToBio) : found,
  );
  return { score: metric === "F1" ? f1 : accuracy, accuracy, wordsPerSecond: median(rates) };
}

/** Milliseconds of processor time so far: on a machine that others use as well, they say more than the clock. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[sorted.length >> 1]!;
}
