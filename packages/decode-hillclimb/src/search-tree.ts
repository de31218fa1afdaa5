import type { Arcs } from "@arcwise/core";
import { grownInt32 } from "./memory.ts";

/**
 * A tree that changes by one head at a time, with the modifiers of each head in doubly linked lists.
 *
 * Each head has a list for each side, nearest modifier first: `outer` is the next entry, `inner` the one
 * before, -1 the end.
 */
export class SearchTree {
  n = 0;
  /** Head of each word; -1 for the root. */
  heads: Int32Array = new Int32Array(0);
  /** Candidate arc of each word; -1 for the root. */
  arcOf: Int32Array = new Int32Array(0);
  /** The modifier of the same head next to each word on the side of the head. */
  inner: Int32Array = new Int32Array(0);
  /** The one next to it on the other side. */
  outer: Int32Array = new Int32Array(0);
  /** The nearest modifier to the left of h at 2h, to its right at 2h + 1. */
  nearest: Int32Array = new Int32Array(0);
  #head: Int32Array = new Int32Array(0);
  #stack: Int32Array = new Int32Array(0);

  /** Allocates for a sentence. */
  reserve({ n, head }: Arcs): void {
    this.n = n;
    this.#head = head;
    this.heads = grownInt32(this.heads, n + 1);
    this.arcOf = grownInt32(this.arcOf, n + 1);
    this.inner = grownInt32(this.inner, n + 1);
    this.outer = grownInt32(this.outer, n + 1);
    this.nearest = grownInt32(this.nearest, 2 * n + 2);
    this.#stack = grownInt32(this.#stack, n + 1);
  }

  /** Replaces the tree by the tree of these arcs, one a word; entry 0 is ignored. O(n). */
  load(arcs: Int32Array): void {
    const { n, heads, arcOf, inner, outer, nearest } = this;
    const head = this.#head;
    heads[0] = -1;
    arcOf[0] = -1;
    nearest.fill(-1, 0, 2 * n + 2);
    for (let m = 1; m <= n; m++) {
      const h = head[arcs[m]];
      arcOf[m] = arcs[m];
      heads[m] = h;
      // Left modifiers come nearer as they ascend: each becomes the first of the list.
      if (h < m) continue;
      const next = nearest[2 * h];
      outer[m] = next;
      inner[m] = -1;
      if (next >= 0) inner[next] = m;
      nearest[2 * h] = m;
    }
    for (let m = n; m >= 1; m--) {
      const h = heads[m];
      if (h > m) continue;
      const next = nearest[2 * h + 1];
      outer[m] = next;
      inner[m] = -1;
      if (next >= 0) inner[next] = m;
      nearest[2 * h + 1] = m;
    }
  }

  /** Removes m from the list of its head; its subtree stays with it. O(1). */
  detach(m: number): void {
    const { inner, outer } = this;
    const h = this.heads[m];
    const before = inner[m];
    const after = outer[m];
    if (before >= 0) outer[before] = after;
    else this.nearest[2 * h + (m > h ? 1 : 0)] = after;
    if (after >= 0) inner[after] = before;
  }

  /** Hangs m, which is detached, on the head of this candidate arc. O(modifiers of the head). */
  attach(m: number, arc: number): void {
    const { inner, outer, nearest } = this;
    const h = this.#head[arc];
    this.heads[m] = h;
    this.arcOf[m] = arc;
    const side = 2 * h + (m > h ? 1 : 0);
    const before = this.innerNeighbour(h, m);
    const after = before >= 0 ? outer[before] : nearest[side];
    inner[m] = before;
    outer[m] = after;
    if (before >= 0) outer[before] = m;
    else nearest[side] = m;
    if (after >= 0) inner[after] = m;
  }

  /**
   * Returns the outermost modifier of h that is nearer to it than m and on the same side, or -1. O(modifiers
   * of h).
   */
  innerNeighbour(h: number, m: number): number {
    const { outer } = this;
    let last = -1;
    if (m > h) {
      for (let x = this.nearest[2 * h + 1]; x >= 0 && x < m; x = outer[x]) last = x;
    } else {
      for (let x = this.nearest[2 * h]; x > m; x = outer[x]) last = x;
    }
    return last;
  }

  /** Returns whether the word has no modifiers. */
  isLeaf(m: number): boolean {
    return this.nearest[2 * m] < 0 && this.nearest[2 * m + 1] < 0;
  }

  /** Returns whether `word` is `top` or below it. O(depth of the word). */
  isBelow(word: number, top: number): boolean {
    const { heads } = this;
    let above = word;
    while (above > 0 && above !== top) above = heads[above];
    return above === top;
  }

  /** Writes the n words in reverse depth-first order, each after all words below it. O(n). */
  deepestFirst(order: Int32Array): void {
    const { nearest, outer } = this;
    const stack = this.#stack;
    let open = 1;
    let free = this.n;
    stack[0] = 0;
    while (open > 0) {
      const h = stack[--open];
      if (h > 0) order[--free] = h;
      for (let side = 2 * h; side <= 2 * h + 1; side++) {
        for (let m = nearest[side]; m >= 0; m = outer[m]) stack[open++] = m;
      }
    }
  }
}
