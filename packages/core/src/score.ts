import { arcIndex } from "./parts/arcs.ts";
import { addActiveParts, treeNeighbours } from "./parts/tree-parts.ts";
import type { ParsingProblem } from "./problem.ts";

/**
 * Returns the score of a tree: the sum over its arcs, over the parts that are on in it, and the global score.
 * All decoders maximise it. `-Infinity` when the tree uses an arc that is pruned or is no candidate. Whether
 * the heads form a tree is not checked (see `checkTree`).
 *
 * Cost: O(n log n) and the parts owned by the n arcs of the tree.
 *
 * @throws RangeError when `heads` does not have n + 1 entries
 */
export function scoreTree(problem: ParsingProblem, heads: Int32Array): number {
  const { arcs, arcScores, parts, global } = problem;
  const { n } = arcs;
  if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
  const arcOf = new Int32Array(n + 1).fill(-1);
  let score = 0;
  for (let m = 1; m <= n; m++) {
    const arc = arcIndex(arcs, heads[m]!, m);
    if (arc < 0) return -Infinity;
    arcOf[m] = arc;
    score += arcScores[arc]!;
  }
  if (parts.length > 0) {
    const tree = treeNeighbours(heads);
    for (const table of parts) {
      const active: number[] = [];
      addActiveParts(table, arcs, arcOf, tree, active);
      for (const part of active) score += table.scores[part]!;
    }
  }
  if (global !== undefined) score += global.score(heads);
  return score;
}
