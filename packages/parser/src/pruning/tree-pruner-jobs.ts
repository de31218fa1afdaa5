import { SparseVector } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import type { EncodedSentence, WeightTable } from "@arcwise/core/features";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { foldJob, type LearningPruner, type PrunerGradient } from "./prune-jobs.ts";
import { Pruner, type PrunerConfiguration } from "./pruner.ts";
import { measureReach, type Reach } from "./reach.ts";

/** A trained pruner of trees. */
export interface TrainedFold {
  readonly weights: Float32Array;
  readonly reach: Reach;
}

/** Entries of the gradient below this are not applied. */
const NEGLIGIBLE = 0.002;

/** Trains the pruner of trees of a fold: each word chooses its head by a log-linear model. */
export const treeFoldJob = foldJob({
  name: "prune-fold",
  module: import.meta.url,
  stream: 2 ** 20,
  rate: 0.03,
  averagedFrom: 1,
  bits: ({ prunerBits }: PrunerConfiguration) => prunerBits,
  gradient: () => new SparseVector(1 << 14),
  create(
    table: WeightTable,
    sentences: readonly EncodedSentence[],
    golds: readonly EncodedTree[],
    configuration: PrunerConfiguration,
  ): LearningPruner<EncodedTree, TrainedFold> {
    const reach = measureReach(
      sentences,
      golds.map(({ heads }) => heads),
    );
    const pruner = new Pruner(table, reach, configuration);
    return {
      addGradient: (sentence, gold, into) => addGradient(pruner, sentence, gold.heads, into),
      finish: (weights) => ({ weights, reach }),
    };
  },
});

/** Adds the gradient of the log-probability of the gold heads to `gradient`. */
function addGradient(
  pruner: Pruner,
  sentence: EncodedSentence,
  gold: Int32Array,
  gradient: PrunerGradient,
): void {
  const { arcs, scores } = pruner.score(sentence, gold);
  const { start, head } = arcs;
  const features = pruner.features(sentence);
  for (let m = 1; m <= sentence.n; m++) {
    const from = start[m];
    const to = start[m + 1];
    let best = -Infinity;
    for (let a = from; a < to; a++) best = Math.max(best, scores[a]);
    let sum = 0;
    for (let a = from; a < to; a++) sum += exp(scores[a] - best);
    for (let a = from; a < to; a++) {
      const h = head[a];
      const derivative = (gold[m] === h ? 1 : 0) - exp(scores[a] - best) / sum;
      if (Math.abs(derivative) > NEGLIGIBLE) features.addFeatures(h, m, -1, derivative, gradient);
    }
  }
}
