import type { Arcs } from "@arcwise/core";
import type { ContractionEngine, ContractionForest } from "./max-arborescence-forest.ts";

/**
 * The arcs of a sparse graph in mergeable heaps: skew heaps (Sleator and Tarjan 1986) whose nodes are arcs,
 * with additions that wait at the top of a subheap until it is opened. A word gets its heap when it enters a
 * cycle. Root arcs stay outside the heaps: of those only the best matters, and the root is in no cycle. Every
 * arc is deleted at most once: O(arcs log n), amortised.
 */
export class SparseArcs implements ContractionEngine {
  #n = 0;
  #arcs!: Arcs;
  #scores: Float64Array = new Float64Array(0);
  /** Per arc: its score less what was counted, but for additions that wait above it. */
  #key = new Float64Array(0);
  /** Per arc: what is still to be added to all arcs below it in the heap. */
  #waiting = new Float64Array(0);
  #left = new Int32Array(0);
  #right = new Int32Array(0);
  /** Per node: the top of its heap, -1 when it is empty; words get a heap when they enter a cycle. */
  #heap = new Int32Array(0);
  /** Per node: the best root arc's key (-Infinity: none) and its modifier. */
  #rootKey = new Float64Array(0);
  #rootModifier = new Int32Array(0);
  /** The heaps that a word's heap is built from. */
  #pieces = new Int32Array(0);

  /** Takes the arcs to solve; their scores are not checked. */
  reset(arcs: Arcs, scores: Float64Array): void {
    this.#n = arcs.n;
    this.#arcs = arcs;
    this.#scores = scores;
    this.#reserve(2 * arcs.n + 1, arcs.head.length);
    const rootKey = this.#rootKey;
    const rootModifier = this.#rootModifier;
    for (let m = 1; m <= arcs.n; m++) {
      const a = arcs.start[m];
      const fromRoot = a < arcs.start[m + 1] && arcs.head[a] === 0;
      rootKey[m] = fromRoot ? scores[a] : -Infinity;
      rootModifier[m] = m;
    }
  }

  choose(forest: ContractionForest, node: number, rootLast: boolean): boolean {
    const best = node > this.#n ? this.#bestOfHeap(forest, node) : this.#bestOfWord(node);
    const word = best < 0 ? -Infinity : node > this.#n ? this.#key[best] : this.#scores[best];
    const root = this.#rootKey[node];
    const takesRoot = word === -Infinity || (!rootLast && root > word);
    if (takesRoot && root === -Infinity) return false;
    forest.head[node] = takesRoot ? 0 : this.#arcs.head[best];
    forest.modifier[node] = takesRoot ? this.#rootModifier[node] : this.#arcs.modifier[best];
    forest.key[node] = takesRoot ? root : word;
    return true;
  }

  merge(forest: ContractionForest, cycle: number): void {
    const rootKey = this.#rootKey;
    const rootModifier = this.#rootModifier;
    const key = this.#key;
    const waiting = this.#waiting;
    const heap = this.#heap;
    let top = -1;
    rootKey[cycle] = -Infinity;
    for (let member = forest.firstMember[cycle]; member !== 0; member = forest.nextMember[member]) {
      const counted = forest.key[member];
      if (rootKey[member] - counted > rootKey[cycle]) {
        rootKey[cycle] = rootKey[member] - counted;
        rootModifier[cycle] = rootModifier[member];
      }
      const own = member > this.#n ? heap[member] : this.#heapOfWord(forest, cycle, member);
      if (own < 0) continue;
      key[own] -= counted;
      waiting[own] -= counted;
      top = this.#meld(top, own);
    }
    heap[cycle] = top;
  }

  /** Returns the best arc from a word to a word, the lowest head of equals, or -1. */
  #bestOfWord(m: number): number {
    const scores = this.#scores;
    const { start, head } = this.#arcs;
    let best = -1;
    let top = -Infinity;
    for (let a = start[m]; a < start[m + 1]; a++) {
      if (scores[a] > top && head[a] !== 0) {
        top = scores[a];
        best = a;
      }
    }
    return best;
  }

  /** Returns the best arc from outside a cycle; those from inside that lie above it leave the heap. */
  #bestOfHeap(forest: ContractionForest, node: number): number {
    const heap = this.#heap;
    const left = this.#left;
    const right = this.#right;
    const { head } = this.#arcs;
    let top = heap[node];
    while (top >= 0 && forest.find(head[top]) === node) {
      this.#open(top);
      top = this.#meld(left[top], right[top]);
    }
    heap[node] = top;
    return top;
  }

  /**
   * A heap of the arcs to m from words outside the new cycle that are not pruned, by melding neighbours
   * pairwise: O(its arcs).
   */
  #heapOfWord(forest: ContractionForest, cycle: number, m: number): number {
    const key = this.#key;
    const waiting = this.#waiting;
    const left = this.#left;
    const right = this.#right;
    const pieces = this.#pieces;
    const scores = this.#scores;
    const { start, head } = this.#arcs;
    let count = 0;
    for (let a = start[m]; a < start[m + 1]; a++) {
      const h = head[a];
      if (h === 0 || scores[a] === -Infinity || forest.find(h) === cycle) continue;
      key[a] = scores[a];
      waiting[a] = 0;
      left[a] = -1;
      right[a] = -1;
      pieces[count++] = a;
    }
    for (let gap = 1; gap < count; gap *= 2) {
      for (let i = 0; i + gap < count; i += 2 * gap) pieces[i] = this.#meld(pieces[i], pieces[i + gap]);
    }
    return count === 0 ? -1 : pieces[0];
  }

  /** Hands what waits at an arc down to the two heaps below it. */
  #open(arc: number): void {
    const key = this.#key;
    const waiting = this.#waiting;
    const left = this.#left;
    const right = this.#right;
    const amount = waiting[arc];
    if (amount === 0) return;
    const l = left[arc];
    const r = right[arc];
    if (l >= 0) {
      key[l] += amount;
      waiting[l] += amount;
    }
    if (r >= 0) {
      key[r] += amount;
      waiting[r] += amount;
    }
    waiting[arc] = 0;
  }

  /** Melds two skew heaps down their right spines, which become left ones. */
  #meld(first: number, second: number): number {
    if (first < 0) return second;
    if (second < 0) return first;
    const key = this.#key;
    const left = this.#left;
    const right = this.#right;
    let a = first;
    let b = second;
    if (key[b] > key[a]) {
      a = second;
      b = first;
    }
    const top = a;
    for (;;) {
      this.#open(a);
      const spine = right[a];
      right[a] = left[a];
      if (spine < 0) {
        left[a] = b;
        return top;
      }
      const lower = key[b] > key[spine] ? spine : b;
      const upper = lower === b ? spine : b;
      left[a] = upper;
      a = upper;
      b = lower;
    }
  }

  #reserve(nodes: number, arcs: number): void {
    if (this.#heap.length < nodes) {
      this.#heap = new Int32Array(2 * nodes);
      this.#rootKey = new Float64Array(2 * nodes);
      this.#rootModifier = new Int32Array(2 * nodes);
      this.#pieces = new Int32Array(2 * nodes);
    }
    if (this.#key.length >= arcs) return;
    this.#key = new Float64Array(2 * arcs);
    this.#waiting = new Float64Array(2 * arcs);
    this.#left = new Int32Array(2 * arcs);
    this.#right = new Int32Array(2 * arcs);
  }
}
