import type { Arcs } from "@arcwise/core";
import { withoutOverflow } from "../arborescence/score-range.ts";

/** Log-partition and arc marginals of the trees of a sentence. */
export interface ArcMarginals {
  /** Logarithm of the sum over all trees of exp(score). */
  readonly logPartition: number;
  /** Probability of each arc: the share of the trees that contain it, weighted by exp(score). */
  readonly marginals: Float64Array;
}

/**
 * Returns the entropy, in nats, of the distribution over trees proportional to exp(score), from its arc
 * marginals and log-partition: log Z - Σ marginal · score. O(arcs).
 */
export function treeEntropy(arcScores: Float64Array, marginals: Float64Array, logPartition: number): number {
  let sum = logPartition;
  for (let a = 0; a < arcScores.length; a++) {
    if (marginals[a] > 0) sum -= marginals[a] * arcScores[a];
  }
  return Math.max(0, sum);
}

/**
 * Returns the expected cost of a random tree whose cost is the sum of its arcs' costs: Σ marginal · cost.
 * With cost 1 for every wrong arc it is the expected Hamming loss. O(arcs).
 *
 * @throws RangeError when there are fewer marginals than costs, or when a cost is NaN
 */
export function expectedCost(marginals: Float64Array, costs: Float64Array): number {
  if (marginals.length < costs.length) {
    throw new RangeError(`expected ${costs.length} marginals, one per cost, got ${marginals.length}`);
  }
  let sum = 0;
  for (let a = 0; a < costs.length; a++) {
    if (marginals[a] > 0) sum += marginals[a] * costs[a];
  }
  if (Number.isNaN(sum)) throw new RangeError("costs must not be NaN");
  return sum;
}

/**
 * Checks that there is one score per arc and that each is finite or -Infinity (pruned). Returns the scores, or a copy
 * that `withoutOverflow` makes.
 */
export function checkArcScores(arcs: Arcs, arcScores: Float64Array): Float64Array {
  const count = arcs.head.length;
  if (arcScores.length !== count) {
    throw new RangeError(`arcScores must have ${count} entries, one per arc, got ${arcScores.length}`);
  }
  for (let a = 0; a < count; a++) {
    const score = arcScores[a];
    if (!(score < Infinity)) {
      throw new RangeError(
        `score of arc ${arcs.head[a]} -> ${arcs.modifier[a]} must be finite or -Infinity, got ${score}`,
      );
    }
  }
  return withoutOverflow(arcScores);
}
