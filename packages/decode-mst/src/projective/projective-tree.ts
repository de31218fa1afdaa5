import { grownInt32, halfSpan, localScore, type ProjectiveChart, triStart } from "./projective-chart.ts";
import { between, closedScore } from "./projective-max.ts";

/**
 * Reads the best tree off a chart that `fillBest` has filled. The chart has no back-pointers: the maxima
 * along the n arcs of the tree are computed again, which costs less than a pointer for every cell.
 */
export class TreeReader {
  #chart!: ProjectiveChart;
  #heads!: Int32Array;
  /** Pairs of an arc and an end: half-spans of the arc's modifier that are still to be read. */
  #stack: Int32Array = new Int32Array(0);
  #top = 0;

  /** Writes n + 1 heads. The best score of the chart must not be -Infinity. */
  read(chart: ProjectiveChart, heads: Int32Array): void {
    this.#chart = chart;
    this.#heads = heads;
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

  /** Reads the modifiers of the half-span of a group of `ArcsByHead` that ends at `end`, outermost first. */
  #readSide(group: number, slot: number, end: number): void {
    const chart = this.#chart;
    const heads = this.#heads;
    const { arcs, byHead } = chart.scores;
    const h = group >> 1;
    const isRight = (group & 1) === 1;
    const nearest = byHead.start[group];
    let a = this.#outermost(group, slot, end);
    this.#push(a, end);
    let k = this.#inner(a, slot, 0, 0);
    for (;;) {
      heads[arcs.modifier[a]] = h;
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
    let found = -1;
    let best = -Infinity;
    for (let i = byHead.start[group]; i < byHead.start[group + 1]; i++) {
      const a = byHead.arcs[i];
      const m = arcs.modifier[a];
      if (isRight ? m > end : m < end) break;
      const value = closedScore(chart, a, slot, end);
      if (value > best) {
        best = value;
        found = a;
      }
    }
    return found;
  }

  /**
   * Returns the inner neighbour of arc a: 0 for none, 1 + rank otherwise. `outerK` is 0 when a is the
   * outermost modifier; otherwise a is itself the neighbour of `outer`, whose k is `outerK`.
   */
  #inner(a: number, slot: number, outer: number, outerK: number): number {
    const chart = this.#chart;
    if (!chart.tri) return this.#innerNeighbour(a, slot);
    const { byHead, triSibling } = chart.scores;
    const { scores } = triSibling;
    const options = byHead.rank[a] + 1;
    const past = chart.historyOf[a] + slot * options;
    const tri = outerK === 0 ? 0 : triStart(triSibling, outer, outerK);
    let found = 0;
    let best = -Infinity;
    for (let t = 0; t < options; t++) {
      const value = chart.history[past + t] + (outerK === 0 ? 0 : scores[tri + t]);
      if (value > best) {
        best = value;
        found = t;
      }
    }
    return found;
  }

  #innerNeighbour(a: number, slot: number): number {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const h = arcs.head[a];
    const isRight = arcs.modifier[a] > h;
    if (h === 0 && chart.singleRoot) return 0;
    const nearest = byHead.start[2 * h + (isRight ? 1 : 0)];
    let found = 0;
    let best = halfSpan(chart, a, isRight ? h + 1 : h - 1) + localScore(chart, a, slot, 0);
    for (let k = 1; k <= byHead.rank[a]; k++) {
      const s = byHead.arcs[nearest + k - 1];
      const past = chart.attached[chart.attachedOf[s] + slot];
      if (past === -Infinity) continue;
      const middle = isRight ? between(chart, s, a) : between(chart, a, s);
      const value = past + middle + localScore(chart, a, slot, k);
      if (value > best) {
        best = value;
        found = k;
      }
    }
    return found;
  }

  /** Returns where right(x, e) and left(y, e + 1) meet in the best split, x before y. */
  #readSplit(x: number, y: number): void {
    const chart = this.#chart;
    const { modifier } = chart.scores.arcs;
    let split = modifier[x];
    let best = -Infinity;
    for (let e = split; e < modifier[y]; e++) {
      const value = halfSpan(chart, x, e) + halfSpan(chart, y, e + 1);
      if (value > best) {
        best = value;
        split = e;
      }
    }
    this.#push(x, split);
    this.#push(y, split + 1);
  }
}
