import { random } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { StepProgress } from "@arcwise/core/training";
import type { Job, Shared } from "@arcwise/jobs";
import { yieldToEventLoop } from "@arcwise/learn";
import type { EncodedGraph } from "../graphs/encoded-graph.ts";
import type { GraphPrunerConfiguration } from "../graphs/graph-pruner.ts";
import { GraphPrunerTrainer } from "../graphs/graph-pruner-trainer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { PrunerConfiguration } from "./pruner.ts";
import { PrunerTrainer, type TrainedFold } from "./pruner-trainer.ts";

const EPOCHS = 3;

/** The types that differ between the pruners of trees and graphs. */
export interface Pruners {
  readonly trees: {
    readonly gold: EncodedTree;
    readonly configuration: PrunerConfiguration;
    readonly fold: TrainedFold;
  };
  readonly graphs: {
    readonly gold: EncodedGraph;
    readonly configuration: GraphPrunerConfiguration;
    readonly fold: Float32Array;
  };
}

/** Trains a pruner, a sentence at a time. */
export interface FoldTrainer<Fold> {
  /** Prepares for an epoch, from 0, before it begins. */
  beginEpoch?(epoch: number): void;
  /** Learns from a sentence, by its index. */
  learn(index: number): void;
  finish(): Fold;
}

/** Makes the trainers of pruners. Numbers of random streams differ by family. */
const TRAINERS: {
  readonly [Family in keyof Pruners]: {
    readonly stream: number;
    create(
      sentences: readonly EncodedSentence[],
      golds: readonly Pruners[Family]["gold"][],
      configuration: Pruners[Family]["configuration"],
    ): FoldTrainer<Pruners[Family]["fold"]>;
  };
} = {
  trees: { stream: 2 ** 20, create: (...data) => new PrunerTrainer(...data) },
  graphs: { stream: 2 ** 21, create: (...data) => new GraphPrunerTrainer(...data) },
};

/** The training data and the settings of the pruner of a fold. */
interface FoldWork<Family extends keyof Pruners> {
  readonly family: Family;
  readonly sentences: Shared<readonly EncodedSentence[]>;
  readonly golds: Shared<readonly Pruners[Family]["gold"][]>;
  readonly configuration: Pruners[Family]["configuration"];
  readonly seed: number;
  /** The fold that is left out, from 0; the last pruner leaves out none. */
  readonly fold: number;
  readonly folds: number;
}

/** Returns the job that trains the pruner of a fold, for one family. */
export function foldJob<Family extends keyof Pruners>(): Job<FoldWork<Family>, Pruners[Family]["fold"]> {
  return {
    name: "prune-fold",
    module: import.meta.url,
    async run({ family, sentences, golds, configuration, seed, fold, folds }, { onProgress, signal }) {
      const pause = yieldToEventLoop(signal);
      // A single sentence is not left out.
      const isOwn = (index: number) => fold === folds || folds === 1 || index % folds !== fold;
      const indices = [...sentences.keys()].filter(isOwn);
      const { stream: first, create } = TRAINERS[family as Family];
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

/** Trains the pruner of a fold of any family. */
export const pruneFoldJob = foldJob();
