import { type GlobalFeatures, VIEW } from "@arcwise/core/features";
import type { GlobalTree } from "./global-tree.ts";

/** Length of a row: a view and its four arguments. */
const ROW = 5;
/** Views of a word as a head, as a modifier, and of its arc. */
const PER_WORD = 7;

/**
 * The views of a tree, as a list of rows: the same index refers to the same word in all trees of a sentence.
 */
export class GlobalViews {
  /**
   * Row k is `rows[5 k] .. rows[5 k + 4]`: a view, -1 = none; and its arguments. The third of `crossing` is a
   * count.
   */
  rows = new Int32Array(64);
  size = 0;

  /** O(n + modifiers + lengths of arcs). */
  fill(tree: GlobalTree, features: GlobalFeatures): void {
    const { n, heads, left, right, introducer, coordinator } = tree;
    const length = ROW * PER_WORD * (n + 2);
    if (this.rows.length < length) this.rows = new Int32Array(2 * length);
    this.size = 0;
    for (let x = 0; x <= n; x++) {
      tree.survey(x, -1, -1);
      const { lefts, rights } = tree;
      this.#add(VIEW.valency, x, lefts, rights, 0);
      this.#add(lefts > 0 ? VIEW.leftTags : -1, x, tree.leftCode, lefts, 0);
      this.#add(rights > 0 ? VIEW.rightTags : -1, x, tree.rightCode, rights, 0);
    }
    for (let x = 1; x <= n; x++) {
      const h = heads[x];
      const p = introducer[x];
      const c = coordinator[x];
      this.#add(VIEW.span, h, x, left[x], right[x]);
      this.#add(p >= 0 ? VIEW.phrase : -1, h, p, x, 0);
      this.#add(c > h ? VIEW.coordination : -1, h, c, x, right[x]);
    }
    this.#addWhole(tree, features);
  }

  /** Rows of crossings, of pairs of punctuation, and of the shape. */
  #addWhole(tree: GlobalTree, { closing, last }: GlobalFeatures): void {
    const { n, heads } = tree;
    let crossings = 0;
    for (let m = 1; m <= n; m++) {
      const crossed = countCrossings(tree, m);
      this.#add(crossed > 0 ? VIEW.crossing : -1, heads[m], m, crossed, 0);
      crossings += crossed;
    }
    for (let a = 1; a <= n; a++) {
      const b = closing[a];
      if (b > 0) this.#add(VIEW.pair, a, b, heads[a], heads[b]);
    }
    let chain = 0;
    for (let x = last; x > 0; x = heads[x]) chain++;
    let rightward = 0;
    for (let m = 1; m <= n; m++) if (heads[m] < m) rightward++;
    this.#add(VIEW.shape, 0, chain, 0, 0);
    this.#add(VIEW.shape, 1, rightward, 0, 0);
    this.#add(VIEW.shape, 2, crossings / 2, 0, 0);
  }

  #add(view: number, a: number, b: number, c: number, d: number): void {
    const at = this.size++ * ROW;
    if (at + ROW > this.rows.length) {
      const rows = new Int32Array(2 * this.rows.length);
      rows.set(this.rows);
      this.rows = rows;
    }
    const { rows } = this;
    rows[at] = view;
    rows[at + 1] = a;
    rows[at + 2] = b;
    rows[at + 3] = c;
    rows[at + 4] = d;
  }
}

/** Number of arcs that cross the arc of m. */
function countCrossings({ heads, first, next }: GlobalTree, m: number): number {
  const low = Math.min(heads[m], m);
  const high = Math.max(heads[m], m);
  let crossed = 0;
  for (let x = low + 1; x < high; x++) {
    if (heads[x] < low || heads[x] > high) crossed++;
    for (let s = first[x]; s >= 0; s = next[s]) if (s < low || s > high) crossed++;
  }
  return crossed;
}

/** Whether two lists of a sentence have the same row at an index. */
export function isShared(row: number, here: GlobalViews, there: GlobalViews): boolean {
  for (let at = ROW * row; at < ROW * (row + 1); at++) if (here.rows[at] !== there.rows[at]) return false;
  return true;
}
