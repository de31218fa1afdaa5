import { arcIndex } from "./parts/arcs.ts";
import { int32Memory } from "./parts/memory.ts";
import { ActiveParts } from "./parts/tree-parts.ts";
import type { ParsingProblem } from "./problem.ts";

/**
 * Returns the score of a tree: the sum over its arcs, over the parts that are on in it, and the global score.
 * All decoders maximise it. `-Infinity` when the tree uses an arc that is pruned or not a candidate. Whether
 * the heads form a tree is not checked (see `checkTree`).
 *
 * Cost: O(n log n) and the parts owned by the n arcs of the tree.
 *
 * @throws RangeError when `heads` does not have n + 1 entries
 */
export function scoreTree(problem: ParsingProblem, heads: Int32Array): number {
  return new ProblemScorer().score(problem, heads);
}

/** Scores trees as `scoreTree` does, in memory that it reuses: a decoder keeps one. */
export class ProblemScorer {
  #arcOf: Int32Array = new Int32Array(0);
  readonly #active = new ActiveParts();

  /**
   * Returns the score of a tree, equal to `scoreTree` to the last bit, at the same cost and with the same
   * errors. Allocates only for sentences longer than all before.
   */
  score(problem: ParsingProblem, heads: Int32Array): number {
    const { arcs, arcScores, parts, global } = problem;
    const { n } = arcs;
    if (heads.length !== n + 1) throw new RangeError(`heads must have ${n + 1} entries, got ${heads.length}`);
    this.#arcOf = int32Memory(this.#arcOf, n + 1);
    const arcOf = this.#arcOf;
    let score = 0;
    for (let m = 1; m <= n; m++) {
      const arc = arcIndex(arcs, heads[m], m);
      if (arc < 0) return -Infinity;
      arcOf[m] = arc;
      score += arcScores[arc];
    }
    if (parts.length > 0) {
      this.#active.prepare(heads, arcOf);
      for (const table of parts) score = this.#active.visit(table, arcs, undefined, score);
    }
    if (global !== undefined) score += global.score(heads);
    return score;
  }
}
