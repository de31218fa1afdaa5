import { random } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { StepProgress } from "@arcwise/core/training";
import type { Job, Shared } from "@arcwise/jobs";
import { yieldToEventLoop } from "@arcwise/learn";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { PrunerConfiguration } from "./pruner.ts";
import { PrunerTrainer, type TrainedFold } from "./pruner-trainer.ts";

const EPOCHS = 3;

/** Trains a pruner, a sentence at a time. */
export interface FoldTrainer<Fold> {
  /** Prepares for an epoch, from 0, before it begins. */
  beginEpoch?(epoch: number): void;
  /** Learns from a sentence, by its index. */
  learn(index: number): void;
  finish(): Fold;
}

/** The pruners of a family. */
interface PrunerFamily<Gold, Configuration, Fold> extends Pick<Job<never, Fold>, "name" | "module"> {
  /** Number of the first random stream. */
  readonly stream: number;
  create(
    sentences: readonly EncodedSentence[],
    golds: readonly Gold[],
    configuration: Configuration,
  ): FoldTrainer<Fold>;
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
  create,
}: PrunerFamily<Gold, Configuration, Fold>): FoldJob<Gold, Configuration, Fold> {
  return {
    name,
    module,
    async run({ sentences, golds, configuration, seed, fold, folds }, { onProgress, signal }) {
      const pause = yieldToEventLoop(signal);
      // A single sentence is not left out.
      const isOwn = (index: number) => fold === folds || folds === 1 || index % folds !== fold;
      const indices = [...sentences.keys()].filter(isOwn);
      const trainer = create(
        indices.map((index) => sentences[index]!),
        indices.map((index) => golds[index]!),
        configuration,
      );
      const stream = random(seed).fork(first + fold);
      const order = Int32Array.from(indices.keys());
      const total = EPOCHS * order.length;
      for (let done = 0; done < total; done++) {
        if (done % order.length === 0) {
          stream.shuffle(order);
          trainer.beginEpoch?.(done / order.length);
        }
        trainer.learn(order[done % order.length]!);
        if (!(await pause()) && done + 1 < total) continue;
        const at: StepProgress = {
          ...{ step: "prune", epoch: fold + 1, epochs: folds + 1, epochDone: done + 1 === total },
          share: (done + 1) / total,
        };
        onProgress(at);
      }
      return trainer.finish();
    },
  };
}

/** Trains the pruner of trees of a fold. */
export const treeFoldJob = foldJob({
  name: "prune-fold",
  module: import.meta.url,
  stream: 2 ** 20,
  create: (
    sentences: readonly EncodedSentence[],
    golds: readonly EncodedTree[],
    configuration: PrunerConfiguration,
  ): FoldTrainer<TrainedFold> => new PrunerTrainer(sentences, golds, configuration),
});
