/**
 * The chart of the projective dynamic programmes: one layout for all models and for all computations (best
 * tree, k-best trees, partition function and marginals).
 *
 * A projective tree gives each word h two half-spans: a right one, h..e, of h with all its modifiers to the
 * right and their descendants, and a left one, b..h (Eisner 1996). Parts depend on a word's own head and on
 * its modifiers in order, so the programme runs an automaton over the modifiers of h on one side, nearest
 * first (Koo and Collins 2010), and cells are indexed by candidate arcs instead of by word positions. Below,
 * q is the candidate arc g -> h to the head of h, a = h -> m, s = h -> s' the sibling next to a, nearer to h,
 * and t the one next to s; s or t may be "none". For the right side:
 *
 *     right(q, h)  = 0                                      no modifiers
 *     right(q, e)  = max over a    attached(q, a) + last(a) + right(a, e)     a is the outermost modifier
 *     attached(q, a) = max over s  history(q, a, s)
 *     history(q, a, none) = local(q, a, none) + left(a, h + 1)
 *     history(q, a, s)    = local(q, a, s) + between(s, a) + max over t  [ history(q, s, t) + tri(a, s, t) ]
 *     between(s, a) = max over e from s' to m - 1   right(s, e) + left(a, e + 1)
 *     local(q, a, s) = arc(a) + grandparent(q, a) + nextSibling(a, s) + grandSibling(q, a, s)
 *
 * and the mirror image for the left side. Without tri-siblings the inner maximum is attached(q, s), and no
 * history is stored; without parts that depend on g, all q of a word share one cell, and between(s, a)
 * depends only on the words. So one dynamic programme covers the second-order sibling model of McDonald and
 * Pereira (2006), the models of Carreras (2007) and model 1 of Koo and Collins (2010), or a model with
 * grand-siblings and tri-siblings, which contains model 2 of Koo and Collins; each has the cost of its parts.
 * Every tree has exactly one derivation.
 *
 * Spans are filled from the right end of the sentence to the left: for each left end i, the right half-spans
 * of i, which depend only on spans that start further right, then the left half-spans i..j of j = i + 1, i +
 * 2...
 *
 * Cost over all n² arcs: O(n³) with siblings, O(n⁴) also with grandparents, or with tri-siblings, O(n⁵) with
 * both. With c candidate heads per word and any parts: O(c² n²) times small factors of c.
 */
import type { ProjectiveScores, ScoreTable } from "./projective-scores.ts";

/**
 * Returns an array of at least `length` entries: `old` if it is large enough, otherwise a new one with spare
 * capacity.
 */
export function grownFloat64(old: Float64Array, length: number): Float64Array {
  return old.length >= length ? old : new Float64Array(Math.max(length, 2 * old.length));
}

/** As `grownFloat64`. */
export function grownInt32(old: Int32Array, length: number): Int32Array {
  return old.length >= length ? old : new Int32Array(Math.max(length, 2 * old.length));
}

/** Cells are indexed by Int32Array. */
const MAX_CELLS = 2 ** 31 - 1;

/**
 * Scratch memory of one decoder. `prepare` lays it out for a sentence; a kernel fills in the values. Sizes: n
 * + 1 entries per word (root included), one per arc, and cells as given below. Arrays may be longer.
 */
export class ProjectiveChart {
  scores!: ProjectiveScores;
  n = 0;
  /** Whether the root has exactly one modifier. */
  singleRoot = true;
  /** Whether parts depend on the head of the head: then there are cells for each candidate arc to it. */
  grand = false;
  /** Whether there are tri-siblings: then there are cells for each sibling. */
  tri = false;
  /** Whether between(s, a) is stored by pair of words, because many arcs share it. */
  shared = false;

  /** Per word: the number of cells of a span of it, one for each candidate head if `grand`, otherwise one. */
  width: Int32Array = new Int32Array(0);
  /** Per word h: the last word that a right half-span of h can end at, by the candidate arcs. */
  rightReach: Int32Array = new Int32Array(0);
  /** Per word h: the first word that a left half-span of h can start at, by the candidate arcs. */
  leftReach: Int32Array = new Int32Array(0);

  /** Per arc q to h: right(q, e) is cell `rightOf[q] + (e - h) width[h]`. */
  rightOf: Int32Array = new Int32Array(0);
  /** Per arc q to h: left(q, b) is cell `leftOf[q] + (h - b) width[h]`. */
  leftOf: Int32Array = new Int32Array(0);
  /** Per arc a of head h: attached(q, a) is cell `attachedOf[a] + slotOf[q]`. */
  attachedOf: Int32Array = new Int32Array(0);
  /** Per arc q to h: its position among the cells of h. */
  slotOf: Int32Array = new Int32Array(0);
  /** Per arc a: history(q, a, s) is cell `historyOf[a] + slotOf[q] (rank[a] + 1) + (0, or 1 + rank[s])`. */
  historyOf: Int32Array = new Int32Array(0);
  /** Per arc a: between(s, a) is cell `pairOf[a] + rank[s]`, unless it is shared. */
  pairOf: Int32Array = new Int32Array(0);

  right: Float64Array = new Float64Array(0);
  left: Float64Array = new Float64Array(0);
  attached: Float64Array = new Float64Array(0);
  history: Float64Array = new Float64Array(0);
  between: Float64Array = new Float64Array(0);

  rightCells = 0;
  leftCells = 0;
  attachedCells = 0;
  historyCells = 0;
  pairs = 0;

  /** Lays the chart out for a problem, without changing values. O(n + arcs), and memory once. */
  prepare(scores: ProjectiveScores, singleRoot: boolean): void {
    const { arcs, grandparent, grandSibling, triSibling } = scores;
    this.scores = scores;
    this.n = arcs.n;
    this.singleRoot = singleRoot;
    this.grand = grandparent.start.length > 0 || grandSibling.start.length > 0;
    this.tri = triSibling.start.length > 0;
    this.#layWords();
    this.#layArcs();
    this.shared = !this.grand && this.pairs > this.n * this.n;
    const cells = Math.max(
      this.rightCells,
      this.leftCells,
      this.attachedCells,
      this.historyCells,
      this.pairs,
    );
    if (cells > MAX_CELLS) throw new RangeError(`a projective chart of ${cells} cells is too large`);
    this.right = grownFloat64(this.right, this.rightCells);
    this.left = grownFloat64(this.left, this.leftCells);
    this.attached = grownFloat64(this.attached, this.attachedCells);
    this.history = grownFloat64(this.history, this.historyCells);
  }

  /** Allocates `between`, and returns how many of its cells are in use. */
  prepareBetween(): number {
    const cells = this.shared ? (this.n + 1) * (this.n + 1) : this.pairs;
    this.between = grownFloat64(this.between, cells);
    return cells;
  }

  #layWords(): void {
    const { n, grand } = this;
    const { arcs, byHead, arcScores } = this.scores;
    this.width = grownInt32(this.width, n + 1);
    this.rightReach = grownInt32(this.rightReach, n + 1);
    this.leftReach = grownInt32(this.leftReach, n + 1);
    const { width, rightReach, leftReach } = this;
    for (let h = 0; h <= n; h++) {
      width[h] = grand && h > 0 ? arcs.start[h + 1] - arcs.start[h] : 1;
      let reach = h;
      for (let i = byHead.start[2 * h]; i < byHead.start[2 * h + 1]; i++) {
        const a = byHead.arcs[i];
        if (arcScores[a] !== -Infinity) reach = Math.min(reach, leftReach[arcs.modifier[a]]);
      }
      leftReach[h] = reach;
    }
    for (let h = n; h >= 0; h--) {
      let reach = h;
      for (let i = byHead.start[2 * h + 1]; i < byHead.start[2 * h + 2]; i++) {
        const a = byHead.arcs[i];
        if (arcScores[a] !== -Infinity) reach = Math.max(reach, rightReach[arcs.modifier[a]]);
      }
      rightReach[h] = reach;
    }
  }

  #layArcs(): void {
    const { arcs, byHead } = this.scores;
    const count = arcs.head.length;
    this.rightOf = grownInt32(this.rightOf, count);
    this.leftOf = grownInt32(this.leftOf, count);
    this.attachedOf = grownInt32(this.attachedOf, count);
    this.slotOf = grownInt32(this.slotOf, count);
    this.historyOf = grownInt32(this.historyOf, count);
    this.pairOf = grownInt32(this.pairOf, count);
    let right = 0;
    let left = 0;
    let attached = 0;
    let history = 0;
    let pairs = 0;
    for (let m = 1; m <= this.n; m++) {
      const cells = this.width[m];
      const first = arcs.start[m];
      for (let a = first; a < arcs.start[m + 1]; a++) {
        const slot = this.grand ? a - first : 0;
        const r = byHead.rank[a];
        const options = this.width[arcs.head[a]];
        this.slotOf[a] = slot;
        this.rightOf[a] = right + slot;
        this.leftOf[a] = left + slot;
        this.attachedOf[a] = attached;
        this.historyOf[a] = history;
        this.pairOf[a] = pairs;
        attached += options;
        if (this.tri) history += options * (r + 1);
        pairs += r;
      }
      right += (this.rightReach[m] - m + 1) * cells;
      left += (m - this.leftReach[m] + 1) * cells;
    }
    this.rightCells = right;
    this.leftCells = left;
    this.attachedCells = attached;
    this.historyCells = history;
    this.pairs = pairs;
  }
}

/**
 * Returns right(a, end) if `end` is after the modifier m of a, left(a, end) if it is before, 0 if it is m
 * itself; -Infinity when the candidate arcs allow no such span.
 */
export function halfSpan(chart: ProjectiveChart, a: number, end: number): number {
  const m = chart.scores.arcs.modifier[a];
  if (end === m) return 0;
  if (end > m) {
    if (end > chart.rightReach[m]) return -Infinity;
    return chart.right[chart.rightOf[a] + (end - m) * chart.width[m]];
  }
  if (end < chart.leftReach[m]) return -Infinity;
  return chart.left[chart.leftOf[a] + (m - end) * chart.width[m]];
}

/**
 * Returns local(q, a, s): the score of arc a and of its parts with its grandparent and its inner neighbour;
 * `slot` is the slot of q, `k` is 0 for none, 1 + rank[s] otherwise.
 */
export function localScore(chart: ProjectiveChart, a: number, slot: number, k: number): number {
  const { grandparent, grandSibling } = chart.scores;
  let sum = innerScore(chart, a, k);
  const grand = grandStart(chart, grandparent, a);
  if (grand >= 0) sum += grandparent.scores[grand + slot];
  const both = grandStart(chart, grandSibling, a);
  if (both >= 0) sum += grandSibling.scores[both + slot * (chart.scores.byHead.rank[a] + 1) + k];
  return sum;
}

/** Returns the part of local(q, a, s) that does not depend on q. */
export function innerScore(chart: ProjectiveChart, a: number, k: number): number {
  const { arcScores, nextSibling } = chart.scores;
  if (nextSibling.start.length === 0) return arcScores[a];
  return arcScores[a] + nextSibling.scores[nextSibling.start[a] + k];
}

/** Returns the index of the first part of a in a table of parts with grandparents, -1 when a lacks parts. */
export function grandStart(chart: ProjectiveChart, table: ScoreTable, a: number): number {
  return table.start.length === 0 || chart.scores.arcs.head[a] === 0 ? -1 : table.start[a];
}

/** Returns the cell of between(s, a) of two arcs of one head and side, s the nearer one. */
export function betweenCell(chart: ProjectiveChart, s: number, a: number): number {
  const { arcs, byHead } = chart.scores;
  if (!chart.shared) return chart.pairOf[a] + byHead.rank[s];
  const u = arcs.modifier[s];
  const v = arcs.modifier[a];
  return Math.min(u, v) * (chart.n + 1) + Math.max(u, v);
}

/** Returns last(a): the score of a as the outermost modifier on its side. */
export function lastScore(chart: ProjectiveChart, a: number): number {
  const { lastSibling } = chart.scores;
  return lastSibling.start.length > 0 ? lastSibling.scores[lastSibling.start[a]] : 0;
}

/**
 * Returns the index of the first tri-sibling part of a with the neighbour of rank k - 1: t = none first, then
 * by rank.
 */
export function triStart(table: ScoreTable, a: number, k: number): number {
  return table.start[a] + ((k - 1) * k) / 2;
}
