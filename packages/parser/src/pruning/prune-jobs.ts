import { random, type SparseVector } from "@arcwise/core";
import { powerOfTwo } from "@arcwise/core/arithmetic";
import type { EncodedSentence, WeightTable } from "@arcwise/core/features";
import type { StepProgress } from "@arcwise/core/training";
import type { Job, Shared } from "@arcwise/jobs";
import { AdaGrad, AveragedWeights, yieldToEventLoop } from "@arcwise/learn";
import { PRUNER_LINE } from "./pruner.ts";

const EPOCHS = 3;
const DAMPING = 1e-6;

/** The gradient of a sentence. */
export interface PrunerGradient extends Pick<SparseVector, "indices" | "values" | "size" | "add" | "clear"> {}

/** A pruner that is being trained. */
export interface LearningPruner<Gold, Fold> {
  /** Adds the gradient of the log-likelihood of the gold arcs of a sentence. */
  addGradient(sentence: EncodedSentence, gold: Gold, into: PrunerGradient): void;
  /** Returns the result of the training. */
  finish(weights: Float32Array): Fold;
}

/**
 * The pruners of a family: log-linear models, whose likelihood is maximised by AdaGrad (Duchi, Hazan and Singer 2011).
 */
interface PrunerFamily<Gold, Configuration, Fold> extends Pick<Job<never, Fold>, "name" | "module"> {
  /** Number of the first random stream. */
  readonly stream: number;
  /** Step size of AdaGrad. */
  readonly rate: number;
  /** The first epoch, from 0, whose weights are averaged. */
  readonly averagedFrom: number;
  /** Logarithm of the number of lines of weights. */
  bits(configuration: Configuration): number;
  gradient(): PrunerGradient;
  create(
    table: WeightTable,
    sentences: readonly EncodedSentence[],
    golds: readonly Gold[],
    configuration: Configuration,
  ): LearningPruner<Gold, Fold>;
}

/** The data and the settings of the pruner of a fold. */
interface FoldWork<Gold, Configuration extends object> {
  readonly sentences: Shared<readonly EncodedSentence[]>;
  readonly golds: Shared<readonly Gold[]>;
  readonly configuration: Shared<Configuration>;
  readonly seed: number;
  /** The fold that is left out, from 0; the last pruner leaves out none. */
  readonly fold: number;
  readonly folds: number;
}

/** A job that trains the pruner of a fold. */
export type FoldJob<Gold, Configuration extends object, Fold> = Job<FoldWork<Gold, Configuration>, Fold>;

/** Returns the job that trains the pruner of a fold of a family. */
export function foldJob<Gold, Configuration extends object, Fold>({
  name,
  module,
  stream: first,
  ...family
}: PrunerFamily<Gold, Configuration, Fold>): FoldJob<Gold, Configuration, Fold> {
  return {
    name,
    module,
    async run({ sentences, golds, configuration, seed, fold, folds }, { onProgress, signal }) {
      const pause = yieldToEventLoop(signal);
      // A single sentence is not left out.
      const isOwn = (index: number) => fold === folds || folds === 1 || index % folds !== fold;
      const indices = [...sentences.keys()].filter(isOwn);
      const own = indices.map((index) => sentences[index]);
      const ownGolds = indices.map((index) => golds[index]);
      const weights = new AveragedWeights(PRUNER_LINE * powerOfTwo(family.bits(configuration)));
      const { values, weighted } = weights;
      const steps = new AdaGrad(weights, { rate: family.rate, damping: DAMPING });
      const pruner = family.create({ values, first: 0, scale: 1 }, own, ownGolds, configuration);
      const gradient = family.gradient();
      const stream = random(seed).fork(first + fold);
      const order = Int32Array.from(indices.keys());
      const total = EPOCHS * order.length;
      for (let done = 0; done < total; done++) {
        if (done % order.length === 0) stream.shuffle(order);
        if (done === family.averagedFrom * order.length) {
          weighted.fill(0);
          weights.steps = 0;
        }
        const index = order[done % order.length];
        gradient.clear();
        pruner.addGradient(own[index], ownGolds[index], gradient);
        steps.step(gradient);
        if (!(await pause()) && done + 1 < total) continue;
        const at: StepProgress = {
          ...{ step: "prune", epoch: fold + 1, epochs: folds + 1, epochDone: done + 1 === total },
          share: (done + 1) / total,
        };
        onProgress(at);
      }
      for (let i = 0; i < values.length; i++) values[i] -= weighted[i] / weights.steps;
      return pruner.finish(values);
    },
  };
}
