import {
  grownFloat64,
  grownInt32,
  halfSpan,
  localScore,
  type ProjectiveChart,
  triStart,
} from "./projective-chart.ts";
import { closedScore } from "./projective-max.ts";

/** Chooses one of the first `count` terms, each the logarithm of a share or a score; may overwrite them. */
export type Choose = (terms: Float64Array, count: number) => number;

/** Returns between(s, a) of two arcs of one head and side in a filled chart, s the nearer one. */
export type Between = (chart: ProjectiveChart, s: number, a: number) => number;

/**
 * Reads a tree off a filled chart, from the whole sentence down: each cell chooses one of the terms of its
 * recurrence. The chart has no back-pointers: the terms along the n arcs of the tree are computed again, which
 * costs less than a pointer for every cell.
 */
export class ProjectiveWalk {
  readonly #between: Between;
  #chart!: ProjectiveChart;
  #heads!: Int32Array;
  #choose!: Choose;
  /** The current terms, and the choices they belong to. */
  #terms: Float64Array = new Float64Array(0);
  #choices: Int32Array = new Int32Array(0);
  /** Pairs of an arc and an end: half-spans of the arc's modifier that are still to be read. */
  #stack: Int32Array = new Int32Array(0);
  #top = 0;

  constructor(between: Between) {
    this.#between = between;
  }

  /** Writes n + 1 heads. The value of the whole sentence must not be -Infinity. */
  read(chart: ProjectiveChart, heads: Int32Array, choose: Choose): void {
    this.#chart = chart;
    this.#heads = heads;
    this.#choose = choose;
    this.#terms = grownFloat64(this.#terms, chart.n + 1);
    this.#choices = grownInt32(this.#choices, chart.n + 1);
    this.#stack = grownInt32(this.#stack, 4 * (chart.n + 1));
    this.#top = 0;
    heads[0] = -1;
    if (chart.n === 0) return;
    this.#readSide(1, 0, chart.n);
    while (this.#top > 0) {
      const end = this.#stack[--this.#top];
      const q = this.#stack[--this.#top];
      const h = chart.scores.arcs.modifier[q];
      this.#readSide(2 * h + (end > h ? 1 : 0), chart.slotOf[q], end);
    }
  }

  #push(a: number, end: number): void {
    if (end === this.#chart.scores.arcs.modifier[a]) return;
    this.#stack[this.#top++] = a;
    this.#stack[this.#top++] = end;
  }

  /** Returns one of the first `count` choices, by their terms. */
  #choice(count: number): number {
    return this.#choices[this.#choose(this.#terms, count)];
  }

  /** Reads the modifiers of the half-span of a group of `ArcsByHead` that ends at `end`, outermost first. */
  #readSide(group: number, slot: number, end: number): void {
    const { arcs, byHead } = this.#chart.scores;
    const h = group >> 1;
    const isRight = (group & 1) === 1;
    const nearest = byHead.start[group];
    let a = this.#outermost(group, slot, end);
    this.#push(a, end);
    let k = this.#inner(a, slot, 0, 0);
    for (;;) {
      this.#heads[arcs.modifier[a]] = h;
      if (k === 0) break;
      const s = byHead.arcs[nearest + k - 1];
      if (isRight) this.#readSplit(s, a);
      else this.#readSplit(a, s);
      k = this.#inner(s, slot, a, k);
      a = s;
    }
    this.#push(a, isRight ? h + 1 : h - 1);
  }

  #outermost(group: number, slot: number, end: number): number {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const isRight = (group & 1) === 1;
    let count = 0;
    for (let i = byHead.start[group]; i < byHead.start[group + 1]; i++) {
      const a = byHead.arcs[i];
      const m = arcs.modifier[a];
      if (isRight ? m > end : m < end) break;
      this.#terms[count] = closedScore(chart, a, slot, end);
      this.#choices[count++] = a;
    }
    return this.#choice(count);
  }

  /**
   * Returns the inner neighbour of arc a: 0 for none, 1 + rank otherwise. `outerK` is 0 when a is the
   * outermost modifier; otherwise a is itself the neighbour of `outer`, whose k is `outerK`.
   */
  #inner(a: number, slot: number, outer: number, outerK: number): number {
    const chart = this.#chart;
    const { byHead, triSibling } = chart.scores;
    const options = byHead.rank[a] + 1;
    const past = chart.tri ? chart.historyOf[a] + slot * options : 0;
    const tri = chart.tri && outerK > 0 ? triStart(triSibling, outer, outerK) : 0;
    let count = 0;
    for (let k = 0; k < options; k++) {
      let term: number;
      if (!chart.tri) term = this.#neighbourTerm(a, slot, k);
      else term = chart.history[past + k] + (outerK === 0 ? 0 : triSibling.scores[tri + k]);
      if (term === -Infinity) continue;
      this.#terms[count] = term;
      this.#choices[count++] = k;
    }
    return this.#choice(count);
  }

  /** Returns the value of everything inside arc a when its inner neighbour has index k. */
  #neighbourTerm(a: number, slot: number, k: number): number {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const h = arcs.head[a];
    const isRight = arcs.modifier[a] > h;
    if (k === 0) return halfSpan(chart, a, isRight ? h + 1 : h - 1) + localScore(chart, a, slot, 0);
    if (h === 0 && chart.singleRoot) return -Infinity;
    const s = byHead.arcs[byHead.start[2 * h + (isRight ? 1 : 0)] + k - 1];
    const past = chart.attached[chart.attachedOf[s] + slot];
    if (past === -Infinity) return -Infinity;
    return past + this.#between(chart, s, a) + localScore(chart, a, slot, k);
  }

  /** Reads where right(x, e) and left(y, e + 1) meet, x before y. */
  #readSplit(x: number, y: number): void {
    const chart = this.#chart;
    const { modifier } = chart.scores.arcs;
    let count = 0;
    for (let e = modifier[x]; e < modifier[y]; e++) {
      this.#terms[count] = halfSpan(chart, x, e) + halfSpan(chart, y, e + 1);
      this.#choices[count++] = e;
    }
    const split = this.#choice(count);
    this.#push(x, split);
    this.#push(y, split + 1);
  }
}

/** Returns the index of the largest of the first `count` terms, the first among equals. */
export function largestTerm(terms: Float64Array, count: number): number {
  let best = 0;
  for (let t = 1; t < count; t++) if (terms[t] > terms[best]) best = t;
  return best;
}
