import { type GlobalFeatures, VIEW } from "@arcwise/core/features";
import type { GlobalTree } from "./global-tree.ts";

/** Numbers of a row: a view and its four arguments. */
const ROW = 5;
/** Views of a word as a head, and as a modifier. */
const PER_WORD = 6;

/** The views of a tree, as a list of rows. Those at one place before `loose` are about the same word in every tree. */
export class GlobalViews {
  /** Row k is `rows[5 k] .. rows[5 k + 4]`: a view, -1 = none; and its arguments. */
  rows = new Int32Array(64);
  size = 0;
  /** The rows from here on are pairs of crossing arcs. */
  loose = 0;

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
      const h = heads[x]!;
      const p = introducer[x]!;
      const c = coordinator[x]!;
      this.#add(VIEW.span, h, x, left[x]!, right[x]!);
      this.#add(p >= 0 ? VIEW.phrase : -1, h, p, x, 0);
      this.#add(c > h ? VIEW.coordination : -1, h, c, x, right[x]!);
    }
    this.#addWhole(tree, features);
  }

  /** Rows of pairs of signs, of the shape, and of crossing arcs. */
  #addWhole(tree: GlobalTree, { closing, last }: GlobalFeatures): void {
    const { n, heads } = tree;
    for (let a = 1; a <= n; a++) {
      const b = closing[a]!;
      if (b > 0) this.#add(VIEW.pair, a, b, heads[a]!, heads[b]!);
    }
    let chain = 0;
    for (let x = last; x > 0; x = heads[x]!) chain++;
    let rightward = 0;
    for (let m = 1; m <= n; m++) if (heads[m]! < m) rightward++;
    this.#add(VIEW.shape, 0, chain, 0, 0);
    this.#add(VIEW.shape, 1, rightward, 0, 0);
    const crossings = this.size;
    this.#add(VIEW.shape, 2, 0, 0, 0);
    this.loose = this.size;
    for (let m = 1; m <= n; m++) this.#addCrossings(tree, m);
    // Each pair of crossing arcs has two rows.
    this.rows[crossings * ROW + 2] = (this.size - this.loose) / 2;
  }

  /** A row for each arc that crosses that of m. */
  #addCrossings({ heads, first, next }: GlobalTree, m: number): void {
    const h = heads[m]!;
    const low = Math.min(h, m);
    const high = Math.max(h, m);
    for (let x = low + 1; x < high; x++) {
      const g = heads[x]!;
      if (g < low || g > high) this.#add(VIEW.crossing, h, m, g, x);
      for (let s = first[x]!; s >= 0; s = next[s]!) {
        if (s < low || s > high) this.#add(VIEW.crossing, h, m, x, s);
      }
    }
  }

  #add(view: number, a: number, b: number, c: number, d: number): void {
    const at = this.size++ * ROW;
    if (at === this.rows.length || at + ROW > this.rows.length) {
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

/** Whether a row of one list is, at its place or among those without a place, in another list of the same sentence. */
export function isShared(row: number, here: GlobalViews, there: GlobalViews): boolean {
  if (row < here.loose) return sameRow(here.rows, row, there.rows, row);
  for (let other = there.loose; other < there.size; other++) {
    if (sameRow(here.rows, row, there.rows, other)) return true;
  }
  return false;
}

function sameRow(rows: Int32Array, row: number, others: Int32Array, other: number): boolean {
  for (let k = 0; k < ROW; k++) if (rows[row * ROW + k] !== others[other * ROW + k]) return false;
  return true;
}
