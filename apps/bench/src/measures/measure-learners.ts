import {
  crf,
  exponentiatedGradient,
  frankWolfe,
  hingeObjective,
  kBestMira,
  type Learner,
  lbfgs,
  logLossObjective,
  mira,
  type Objective,
  type OnlineLearner,
  perceptron,
  requireWeights,
  svm,
  trainOnline,
  type WeightVector,
} from "@arcwise/learn";
import { type ChainTraining, createLabeller, type LabelledSentence } from "@arcwise/sequence";
import type { Keep } from "../results/journal.ts";
import { processorTime } from "./timing.ts";

/** The objective of a learner. */
export type Family = "log-loss" | "hinge loss" | "mistakes";

/** The state of a training after an epoch. */
export interface LearnerPoint {
  readonly epoch: number;
  /** Processor time of training so far. */
  readonly seconds: number;
  /** Value of the family's objective; absent for mistakes. */
  readonly value?: number | undefined;
  /** A proved lower bound of the objective. */
  readonly bound?: number | undefined;
  /** Share of development words with the right label. */
  readonly accuracy: number;
}

export interface LearnerCourse {
  readonly name: string;
  readonly family: Family;
  readonly points: readonly LearnerPoint[];
}

/** Results of a comparison of learners. */
export interface LearnerResults {
  readonly treebank: string;
  readonly sentences: number;
  readonly words: number;
  readonly dimension: number;
  readonly l2: number;
  readonly courses: readonly LearnerCourse[];
}

export interface LearnerSettings {
  readonly l2: number;
  readonly seed: number;
  /** Limit of the processor time of a learner. */
  readonly seconds: number;
  /** Limit of its epochs. */
  readonly epochs: number;
  /** Learners of modules, besides the built-in ones. */
  readonly others: readonly Learner[];
}

/** A learner of the comparison: trains, and reports its weights from time to time. */
interface Entry {
  readonly name: string;
  readonly family: Family;
  train(course: Course): unknown;
}

/** Trains all learners on the same task, in sequence. */
export async function measureLearners(
  training: ChainTraining,
  dev: readonly LabelledSentence[],
  settings: LearnerSettings,
  onLearner: (name: string) => void,
  keep: Keep,
): Promise<LearnerCourse[]> {
  const courses: LearnerCourse[] = [];
  for (const entry of entries(training, settings)) {
    const { name, family } = entry;
    const measure = async (): Promise<LearnerCourse> => {
      onLearner(name);
      const course = new Course(training, dev, settings, objectiveOf(family, training, settings.l2));
      await entry.train(course);
      return { name, family, points: course.points };
    };
    courses.push(await keep(name, measure));
  }
  return courses;
}

function objectiveOf(family: Family, { task }: ChainTraining, l2: number): Objective | undefined {
  if (family === "log-loss") return logLossObjective(task, { l2 });
  return family === "hinge loss" ? hingeObjective(task, { l2 }) : undefined;
}

/** The objective whose section has a learner of a module, by the unit of its scores. */
const FAMILY_OF_UNIT = {
  "log-probability": "log-loss",
  margin: "hinge loss",
  none: "mistakes",
} as const satisfies Record<Learner["unit"], Family>;

function entries({ task }: ChainTraining, { l2, seed, epochs, others }: LearnerSettings): Entry[] {
  const { dimension } = task;
  const online = (name: string, family: Family, create: () => OnlineLearner): Entry => ({
    name,
    family,
    train: (course) => {
      const learner = create();
      const onEpoch = ({ epoch }: { readonly epoch: number }) => course.goesOn(epoch, learner.result());
      return trainOnline(task, learner, { epochs, seed, onEpoch });
    },
  });
  const dual = { l2, epochs, tolerance: 1e-6 };
  return [
    {
      name: "L-BFGS",
      family: "log-loss",
      train: (course) =>
        lbfgs(logLossObjective(task, { l2 }), {
          iterations: epochs,
          onIteration: ({ iteration, weights }) => course.goesOn(iteration, weights),
        }),
    },
    {
      name: "exponentiated gradient",
      family: "log-loss",
      train: (course) =>
        exponentiatedGradient(task, {
          ...dual,
          seed,
          checkEvery: 1,
          onCheck: ({ epoch, weights, dual: bound }) => course.goesOn(epoch, weights, bound),
        }),
    },
    online("SGD", "log-loss", () => crf(dimension, { optimizer: "sgd", rate: 0.2, l2 })),
    online("AdaGrad", "log-loss", () => crf(dimension, { rate: 0.1, l2, damping: 0.1 })),
    online("Adam", "log-loss", () => crf(dimension, { optimizer: "adam", rate: 0.01, decay: 0.01, l2 })),
    online("Pegasos", "hinge loss", () => svm(dimension, { l2 })),
    {
      name: "block Frank-Wolfe",
      family: "hinge loss",
      train: (course) =>
        frankWolfe(task, {
          ...dual,
          seed,
          checkEvery: 1,
          onCheck: ({ epoch, weights, dual: bound }) => course.goesOn(epoch, weights, bound),
        }),
    },
    online("perceptron, averaged", "mistakes", () => perceptron(dimension)),
    online("perceptron, last", "mistakes", () => perceptron(dimension, { averaged: false })),
    online("perceptron, max-violation", "mistakes", () => perceptron(dimension, { update: "max-violation" })),
    online("MIRA", "mistakes", () => mira(dimension)),
    online("5-best MIRA", "mistakes", () => kBestMira(dimension, { k: 5 })),
    ...others.map(
      (learner): Entry => ({
        name: learner.name,
        family: FAMILY_OF_UNIT[learner.unit],
        train: async (course) => {
          const weights = await learner.train(task, {
            epochs,
            seed,
            onEpoch: ({ epoch }, current) =>
              course.goesOn(epoch, requireWeights(current(), dimension, learner)),
          });
          // A learner that reports no epochs has one point: its end.
          if (course.points.length === 0) course.goesOn(1, requireWeights(weights, dimension, learner));
        },
      }),
    ),
  ];
}

/**
 * Records the progress of a learner: evaluates its weights after epochs 1, 2, 3, 4, 5, 7, ... and the last
 * one. The time of evaluation does not count.
 */
class Course {
  readonly points: LearnerPoint[] = [];
  readonly #training: ChainTraining;
  readonly #dev: readonly LabelledSentence[];
  readonly #seconds: number;
  readonly #objective: Objective | undefined;
  readonly #gradient: Float64Array;
  readonly #begin = processorTime();
  readonly #epochs: number;
  #looked = 0;
  #nextLook = 1;

  constructor(
    training: ChainTraining,
    dev: readonly LabelledSentence[],
    { seconds, epochs }: LearnerSettings,
    objective: Objective | undefined,
  ) {
    this.#epochs = epochs;
    this.#training = training;
    this.#dev = dev;
    this.#seconds = seconds;
    this.#objective = objective;
    this.#gradient = new Float64Array(training.task.dimension);
  }

  /** Records the weights after an epoch. @returns whether there is time for another one */
  goesOn(epoch: number, weights: WeightVector, bound?: number): boolean {
    const now = processorTime();
    const seconds = (now - this.#begin - this.#looked) / 1000;
    const isLast = seconds >= this.#seconds || epoch >= this.#epochs;
    if (epoch < this.#nextLook && !isLast) return true;
    this.#nextLook = Math.max(epoch + 1, Math.floor(1.4 * epoch));
    const value = this.#objective?.evaluate(Float64Array.from(weights), this.#gradient);
    this.points.push({
      epoch,
      seconds,
      accuracy: this.#accuracy(weights),
      value,
      bound,
    });
    this.#looked += processorTime() - now;
    return !isLast;
  }

  #accuracy(weights: WeightVector): number {
    const labeller = createLabeller(this.#training.model(weights));
    let right = 0;
    let all = 0;
    for (const { sentence, labels } of this.#dev) {
      const found = labeller.label(sentence);
      for (const [i, label] of labels.entries()) if (found[i] === label) right++;
      all += labels.length;
    }
    return right / all;
  }
}
