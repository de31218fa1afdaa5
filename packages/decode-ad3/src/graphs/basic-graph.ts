import type { GraphProblem } from "@arcwise/core";

/**
 * Finds the best graph of the basic parts: each arc takes its best label; an arc is profitable if its score
 * and the score of its best label sum to more than 0; a predicate is on if its own score and
 * the scores of its profitable arcs do (Martins and Almeida 2014). Unique labels, parts and constraints are not read.
 * Predicates are independent of each other.
 *
 * Cost: O(n + labelled arcs). Allocates nothing.
 *
 * @param predicates n + 1 entries, written
 * @param labelled one entry per arc, written: the labelled arc, or -1
 * @param gains n + 1 entries of scratch memory
 */
export function bestBasicGraph(
  { arcs, arcScores, predicateScores, labels }: GraphProblem,
  predicates: Uint8Array,
  labelled: Int32Array,
  gains: Float64Array,
): void {
  const { n, head } = arcs;
  const { start, scores } = labels;
  for (let w = 0; w <= n; w++) gains[w] = predicateScores[w];
  for (let a = 0; a < head.length; a++) {
    let best = -Infinity;
    let chosen = -1;
    for (let k = start[a]; k < start[a + 1]; k++) {
      if (scores[k] > best) {
        best = scores[k];
        chosen = k;
      }
    }
    const gain = arcScores[a] + best;
    labelled[a] = gain > 0 ? chosen : -1;
    if (gain > 0) gains[head[a]] += gain;
  }
  for (let w = 0; w <= n; w++) predicates[w] = w === 0 || gains[w] > 0 ? 1 : 0;
  for (let a = 0; a < head.length; a++) if (predicates[head[a]] === 0) labelled[a] = -1;
}
