import {
  type Arcs,
  arcIndex,
  type Decoder,
  type ParsingProblem,
  type RiskDecoding,
  scoreTree,
  type TreeMarginals,
} from "@arcwise/core";

/** Tolerance for the rounding error of the log-partition, which must not fall below the best score. */
const ROUNDING = 1e-10;

/**
 * Finds the tree with the highest expected number of correct heads, which is the best tree when marginal
 * probabilities are the scores (Goodman 1996; Smith and Smith 2007). `bound` is the log-partition, which no
 * tree's score exceeds. The cost is the cost of `search`.
 *
 * @param search finds the best tree by arc scores among the trees of the marginals
 */
export function minimumRisk(
  problem: ParsingProblem,
  { logPartition, arcs: marginals }: Pick<TreeMarginals, "logPartition" | "arcs">,
  search: Pick<Decoder, "decode">,
): RiskDecoding {
  const { arcs, arcScores } = problem;
  // Arcs of probability 0 that are pruned must stay pruned.
  const gains = marginals.map((p, a) => (arcScores[a] === -Infinity ? -Infinity : p));
  const { heads, score: expectedCorrect } = search.decode({ arcs, arcScores: gains, parts: [] });
  const score = scoreTree(problem, heads);
  const bound = Math.max(score, logPartition + ROUNDING * (1 + Math.abs(logPartition)));
  const confidence = arcConfidence(arcs, marginals, heads);
  return { heads, score, bound, confidence, expectedCorrect, logPartition };
}

/**
 * Returns the marginal probability of each word's head: n + 1 entries, the first one 0. An arc that is not a
 * candidate has probability 0. O(n log n).
 *
 * @throws RangeError when `heads` does not have n + 1 entries
 */
export function arcConfidence(arcs: Arcs, marginals: Float64Array, heads: Int32Array): Float64Array {
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const confidence = new Float64Array(n + 1);
  for (let m = 1; m <= n; m++) {
    const arc = arcIndex(arcs, heads[m], m);
    if (arc >= 0) confidence[m] = marginals[arc];
  }
  return confidence;
}
