import type { Arcs, PartKind, PartPositions } from "@arcwise/core";
import type { SearchTree } from "./search-tree.ts";

const NO_START: Int32Array = new Int32Array(0);
const NO_SCORES: Float64Array = new Float64Array(0);

/**
 * The scores of one kind of parts, in the layout of a `PartTable`. Both arrays are empty if there are none.
 */
export interface ScoreTable {
  readonly start: Int32Array;
  readonly scores: Float64Array;
}

export const NO_TABLE: ScoreTable = { start: NO_START, scores: NO_SCORES };

/** The tables of a problem by kind, and the data from which positions in them are computed. */
export interface Tables {
  readonly arcs: Arcs;
  /** Rank of each arc among the arcs of its head and side. */
  readonly rank: Int32Array;
  of(kind: PartKind): ScoreTable;
  positions(): PartPositions;
}

/**
 * Sums the parts that a candidate head of a word adds and removes, over the kinds whose arcs share a head or
 * follow one another: all of second order, grand-siblings and tri-siblings. The word is detached from its
 * head meanwhile.
 *
 * In the comments h is the candidate head, a the arc h -> m, s and t the inner neighbours that m would have
 * there, o and p the outer ones, g the head of h, c a modifier of m.
 */
export class NearGains {
  /** Whether the problem has parts of these kinds. */
  active = false;
  #arcStart: Int32Array = NO_START;
  #rank: Int32Array = NO_START;
  #grandStart: Int32Array = NO_START;
  #grand: Float64Array = NO_SCORES;
  #nextStart: Int32Array = NO_START;
  #next: Float64Array = NO_SCORES;
  #last: Float64Array = NO_SCORES;
  #siblingStart: Int32Array = NO_START;
  #sibling: Float64Array = NO_SCORES;
  #bothStart: Int32Array = NO_START;
  #both: Float64Array = NO_SCORES;
  #triStart: Int32Array = NO_START;
  #tri: Float64Array = NO_SCORES;
  #bigramStart: Int32Array = NO_START;
  #bigram: Float64Array = NO_SCORES;

  prepare(tables: Tables): void {
    this.#arcStart = tables.arcs.start;
    this.#rank = tables.rank;
    ({ start: this.#grandStart, scores: this.#grand } = tables.of("grandparent"));
    ({ start: this.#nextStart, scores: this.#next } = tables.of("nextSibling"));
    this.#last = tables.of("lastSibling").scores;
    ({ start: this.#siblingStart, scores: this.#sibling } = tables.of("sibling"));
    ({ start: this.#bothStart, scores: this.#both } = tables.of("grandSibling"));
    ({ start: this.#triStart, scores: this.#tri } = tables.of("triSibling"));
    ({ start: this.#bigramStart, scores: this.#bigram } = tables.of("headBigram"));
    const starts = [this.#grandStart, this.#nextStart, this.#siblingStart, this.#bothStart, this.#triStart];
    this.active =
      this.#last.length > 0 || this.#bigramStart.length > 0 || starts.some(({ length }) => length > 0);
  }

  /**
   * Adds to `gains[k]`, for each of the `count` candidate heads h of m, the parts of m's own modifiers c and
   * of the next word that contain h -> m. O(count · modifiers of m).
   */
  addBelow(tree: SearchTree, m: number, count: number, gains: Float64Array): void {
    const { arcOf, inner, outer, nearest } = tree;
    const rank = this.#rank;
    const grand = this.#grand;
    const both = this.#both;
    const hasGrand = grand.length > 0;
    const hasBoth = both.length > 0;
    if (hasGrand || hasBoth) {
      for (let side = 2 * m; side <= 2 * m + 1; side++) {
        for (let c = nearest[side]; c >= 0; c = outer[c]) {
          const below = arcOf[c];
          if (hasGrand) {
            const at = this.#grandStart[below];
            for (let k = 0; k < count; k++) gains[k] += grand[at + k];
          }
          if (hasBoth) {
            const stride = rank[below] + 1;
            let at = this.#bothStart[below] + (inner[c] < 0 ? 0 : 1 + rank[arcOf[inner[c]]]);
            for (let k = 0; k < count; k++, at += stride) gains[k] += both[at];
          }
        }
      }
    }
    if (this.#bigram.length > 0 && m < tree.n) {
      const at = this.#bigramStart[arcOf[m + 1]];
      for (let k = 0; k < count; k++) gains[k] += this.#bigram[at + k];
    }
  }

  /**
   * Returns the parts of arc a, and the change of the parts of the siblings that it comes between. s is -1 for
   * none.
   */
  above(tree: SearchTree, a: number, h: number, m: number, s: number): number {
    const { arcOf, inner, outer, nearest } = tree;
    const rank = this.#rank;
    const o = s >= 0 ? outer[s] : nearest[2 * h + (m > h ? 1 : 0)];
    const own = 1 + rank[a];
    const inside = s >= 0 ? 1 + rank[arcOf[s]] : 0;
    let gain = 0;
    if (this.#next.length > 0) {
      gain += this.#next[this.#nextStart[a] + inside];
      if (o >= 0) {
        const at = this.#nextStart[arcOf[o]];
        gain += this.#next[at + own] - this.#next[at + inside];
      }
    }
    if (this.#last.length > 0 && o < 0) {
      gain += this.#last[a];
      if (s >= 0) gain -= this.#last[arcOf[s]];
    }
    if (h > 0) {
      const slot = arcOf[h] - this.#arcStart[h];
      if (this.#grand.length > 0) gain += this.#grand[this.#grandStart[a] + slot];
      if (this.#both.length > 0) {
        gain += this.#both[this.#bothStart[a] + slot * own + inside];
        if (o >= 0) {
          const at = this.#bothStart[arcOf[o]] + slot * (1 + rank[arcOf[o]]);
          gain += this.#both[at + own] - this.#both[at + inside];
        }
      }
    }
    if (this.#tri.length > 0) gain += this.#triples(tree, a, s, o, own, inside);
    if (this.#sibling.length > 0) {
      for (let x = s; x >= 0; x = inner[x]) gain += this.#sibling[this.#siblingStart[a] + rank[arcOf[x]]];
      for (let x = o; x >= 0; x = outer[x]) gain += this.#sibling[this.#siblingStart[arcOf[x]] + own - 1];
    }
    if (this.#bigram.length > 0 && m > 1) {
      gain += this.#bigram[this.#bigramStart[a] + arcOf[m - 1] - this.#arcStart[m - 1]];
    }
    return gain;
  }

  /** Tri-siblings: adds (t, s, m), replaces (t, s, o) by (s, m, o), then (s, o, p) by (m, o, p). */
  #triples(tree: SearchTree, a: number, s: number, o: number, own: number, inside: number): number {
    const { arcOf, inner, outer } = tree;
    const rank = this.#rank;
    const tri = this.#tri;
    const triStart = this.#triStart;
    const t = s >= 0 ? inner[s] : -1;
    const farInside = t >= 0 ? 1 + rank[arcOf[t]] : 0;
    let gain = s >= 0 ? tri[triStart[a] + ((inside - 1) * inside) / 2 + farInside] : 0;
    if (o < 0) return gain;
    const at = triStart[arcOf[o]];
    gain += tri[at + ((own - 1) * own) / 2 + inside];
    if (s >= 0) gain -= tri[at + ((inside - 1) * inside) / 2 + farInside];
    const p = outer[o];
    if (p < 0) return gain;
    const k = rank[arcOf[o]];
    const past = triStart[arcOf[p]] + (k * (k + 1)) / 2;
    return gain + tri[past + own] - tri[past + inside];
  }

  /** Returns the sum of the parts that the arc of m owns in the tree. */
  owned(tree: SearchTree, m: number): number {
    const { arcOf, inner, outer } = tree;
    const rank = this.#rank;
    const a = arcOf[m];
    const h = tree.heads[m];
    const s = inner[m];
    const inside = s >= 0 ? 1 + rank[arcOf[s]] : 0;
    let sum = 0;
    if (this.#next.length > 0) sum += this.#next[this.#nextStart[a] + inside];
    if (this.#last.length > 0 && outer[m] < 0) sum += this.#last[a];
    if (h > 0) {
      const slot = arcOf[h] - this.#arcStart[h];
      if (this.#grand.length > 0) sum += this.#grand[this.#grandStart[a] + slot];
      if (this.#both.length > 0) sum += this.#both[this.#bothStart[a] + slot * (1 + rank[a]) + inside];
    }
    if (this.#tri.length > 0) sum += this.#triples(tree, a, s, -1, 1 + rank[a], inside);
    if (this.#sibling.length > 0) {
      for (let x = s; x >= 0; x = inner[x]) sum += this.#sibling[this.#siblingStart[a] + rank[arcOf[x]]];
    }
    if (this.#bigram.length > 0 && m > 1) {
      sum += this.#bigram[this.#bigramStart[a] + arcOf[m - 1] - this.#arcStart[m - 1]];
    }
    return sum;
  }
}
