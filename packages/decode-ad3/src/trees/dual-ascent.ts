import type { Arcs } from "@arcwise/core";
import type { Progress } from "./progress.ts";
import type { Relaxation } from "./relaxation.ts";

/** Factor of Polyak's step length; it shrinks when the bound does not fall. */
const FIRST_STEP = 2;
const SHRINK = 0.98;

/**
 * Lowers the bound of a relaxation by moving scores between its factors. Every iteration finds the best tree
 * by the current arc scores, which is a candidate solution; where the maxima of other factors have other
 * arcs, scores move towards agreement.
 *
 * Steps are subgradients with the step length of Polyak (1969): twice the gap between bound and best score,
 * divided by the number of disagreements. Factors that agree with the tree keep their maxima.
 *
 * An iteration computes a maximum arborescence, and a maximum of each factor that disagreed.
 */
export class DualAscent {
  /** For each arc, the number of trees of the last run that contain it. */
  counts = new Int32Array(0);
  #on = new Uint8Array(0);
  /** Score of the parts of the tree that was compared last, without pairs. */
  #own = 0;
  #values = new Float64Array(0);
  #differences = new Int32Array(0);

  /**
   * Iterates until no tree can exceed the best one seen by more than `tolerance`, or until the iterations run
   * out. Returns an upper bound of all trees, -Infinity when there are none.
   */
  run(relaxation: Relaxation, arcs: Arcs, iterations: number, tolerance: number, progress: Progress): number {
    const { tree, factors, count, pairs } = relaxation;
    const scores = tree.potentials;
    this.#reserve(arcs.head.length, count);
    const on = this.#on;
    const differences = this.#differences;
    let patience = FIRST_STEP;
    let bound = Infinity;
    for (let iteration = 0; iteration < iterations; iteration++) {
      progress.iterations++;
      const best = tree.solve(0);
      if (best === -Infinity) return best;
      this.#markTree(arcs, tree.heads);
      let dual = best + this.#compare(relaxation);
      progress.offer(tree.heads, relaxation.arcScore(on) + pairs.scoreOf(on) + this.#own);
      if (dual === -Infinity) return dual;
      let disagreements = 0;
      for (let i = 0; i < count; i++) disagreements += differences[i];
      if (pairs.count > 0) {
        dual += pairs.maximum();
        disagreements += pairs.difference(on);
      }
      if (dual < bound) bound = dual;
      else patience *= SHRINK;
      progress.offerBound(bound, progress.iterations);
      if (bound - progress.score <= tolerance || disagreements === 0 || iteration + 1 === iterations)
        return bound;
      // Without a feasible tree there is no gap to aim at.
      const gap = progress.score === -Infinity ? disagreements : dual - progress.score;
      const step = (patience * gap) / disagreements;
      for (let i = 0; i < count; i++) if (differences[i] > 0) factors[i].move(0, 1, step, scores);
      if (pairs.count > 0) pairs.move(on, step, scores);
    }
    return bound;
  }

  /** Marks the arcs on which factors and tree disagreed in the last iteration. */
  markDisagreements({ factors, count, pairs }: Relaxation, marks: Uint8Array): void {
    for (let i = 0; i < count; i++) if (this.#differences[i] > 0) factors[i].markDifference(0, 1, marks);
    pairs.markDifference(this.#on, marks);
  }

  /**
   * Solves the factors whose potentials have changed, and compares them with the marked tree. Slot 0 of each
   * factor holds its configuration, slot 1 the configuration of the tree. Returns the sum of the maxima.
   */
  #compare({ factors, count }: Relaxation): number {
    const on = this.#on;
    const values = this.#values;
    const differences = this.#differences;
    let sum = 0;
    let own = 0;
    for (let i = 0; i < count; i++) {
      const factor = factors[i];
      if (differences[i] !== 0) values[i] = factor.solve(0);
      sum += values[i];
      own += factor.configure(on, 1);
      differences[i] = factor.difference(0, 1);
    }
    this.#own = own;
    return sum;
  }

  #markTree({ start, head }: Arcs, heads: Int32Array): void {
    const { counts } = this;
    const on = this.#on;
    for (let m = 1; m < heads.length; m++) {
      const h = heads[m];
      for (let arc = start[m]; arc < start[m + 1]; arc++) {
        const isOn = head[arc] === h ? 1 : 0;
        on[arc] = isOn;
        counts[arc] += isOn;
      }
    }
  }

  #reserve(arcs: number, factors: number): void {
    if (this.#on.length < arcs) {
      this.#on = new Uint8Array(2 * arcs);
      this.counts = new Int32Array(2 * arcs);
    }
    if (this.#values.length < factors) {
      this.#values = new Float64Array(2 * factors);
      this.#differences = new Int32Array(2 * factors);
    }
    this.counts.fill(0, 0, arcs);
    this.#differences.fill(-1, 0, factors);
  }
}
