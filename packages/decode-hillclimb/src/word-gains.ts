import type { IncrementalTreeScore } from "@arcwise/core";
import { FarGains } from "./far-gains.ts";
import { grownFloat64, grownInt32 } from "./memory.ts";
import { NearGains } from "./near-gains.ts";
import type { SearchScores } from "./search-scores.ts";
import { SearchTree } from "./search-tree.ts";

/**
 * The tree of a search, and the score of each candidate head of a word in it.
 *
 * Sums the contributions of arcs, parts and the global score. Scratch memory is reused between problems.
 */
export class WordGains {
  readonly tree = new SearchTree();
  /** Written by `fill`: one entry a candidate head, in the order of the arcs. */
  values: Float64Array = new Float64Array(0);
  /** Whether a change of one head may change the gains of words that are not next to it in the tree. */
  isFar = false;
  readonly #near = new NearGains();
  readonly #far = new FarGains();
  #scores!: SearchScores;
  #steps: IncrementalTreeScore | undefined;
  #heads: Int32Array = new Int32Array(0);
  #slots: Int32Array = new Int32Array(0);
  #deltas: Float64Array = new Float64Array(0);

  /** Prepares for a problem. O(n + arcs). */
  prepare(scores: SearchScores): void {
    const { n, start } = scores.arcs;
    this.#scores = scores;
    this.#steps = scores.steps;
    this.#near.prepare(scores);
    this.#far.prepare(scores);
    this.isFar = this.#far.active || scores.steps !== undefined;
    this.tree.reserve(scores.arcs);
    let maxCandidates = 0;
    for (let m = 1; m <= n; m++) maxCandidates = Math.max(maxCandidates, start[m + 1] - start[m]);
    this.values = grownFloat64(this.values, maxCandidates);
    this.#heads = grownInt32(this.#heads, maxCandidates);
    this.#slots = grownInt32(this.#slots, maxCandidates);
    this.#deltas = grownFloat64(this.#deltas, maxCandidates);
  }

  /** Replaces the tree by the tree of these arcs, one a word. O(n). */
  load(arcs: Int32Array): void {
    const { tree } = this;
    tree.load(arcs);
    this.#steps?.reset(tree.heads.slice(0, tree.n + 1));
  }

  /** Replaces the arc of m. O(modifiers of the head), and the step of the global score. */
  replace(m: number, arc: number): void {
    const { tree } = this;
    tree.detach(m);
    tree.attach(m, arc);
    this.#steps?.move(m, tree.heads[m]);
  }

  /**
   * Writes to `values`, for each candidate head of m, the score of the tree with that head, up to a constant
   * common to all of them; -Infinity for a head below m, and for the root if `skipRoot`.
   */
  fill(m: number, skipRoot: boolean): void {
    const { tree } = this;
    const { arcs, arcScores } = this.#scores;
    const gains = this.values;
    const from = arcs.start[m];
    const count = arcs.start[m + 1] - from;
    const isLeaf = tree.isLeaf(m);
    for (let k = 0; k < count; k++) {
      const h = arcs.head[from + k];
      const isOut = h === 0 ? skipRoot : !isLeaf && tree.isBelow(h, m);
      gains[k] = isOut ? -Infinity : arcScores[from + k];
    }
    if (this.#steps !== undefined) this.#addGlobal(m, from, count);
    tree.detach(m);
    if (this.#near.active) {
      if (!isLeaf || m < tree.n) this.#near.addBelow(tree, m, count, gains);
      for (let k = 0; k < count; k++) {
        if (gains[k] === -Infinity) continue;
        const h = arcs.head[from + k];
        gains[k] += this.#near.above(tree, from + k, h, m, tree.innerNeighbour(h, m));
      }
    }
    const arc = tree.arcOf[m];
    if (this.#far.active) this.#far.add(tree, m, gains);
    tree.attach(m, arc);
  }

  #addGlobal(m: number, from: number, count: number): void {
    const { head } = this.#scores.arcs;
    const gains = this.values;
    const heads = this.#heads;
    const slots = this.#slots;
    let valid = 0;
    for (let k = 0; k < count; k++) {
      if (gains[k] === -Infinity) continue;
      heads[valid] = head[from + k];
      slots[valid++] = k;
    }
    this.#steps!.deltas(m, heads, valid, this.#deltas);
    for (let i = 0; i < valid; i++) gains[slots[i]] += this.#deltas[i];
  }

  /** Returns the score of the tree. O(n), and the parts that the tree has. */
  total(): number {
    const { tree } = this;
    const { arcScores } = this.#scores;
    let sum = this.#steps === undefined ? 0 : this.#steps.reset(tree.heads.slice(0, tree.n + 1));
    for (let m = 1; m <= tree.n; m++) {
      sum += arcScores[tree.arcOf[m]];
      if (this.#near.active) sum += this.#near.owned(tree, m);
      if (this.#far.active) sum += this.#far.owned(tree, m);
    }
    return sum;
  }
}
