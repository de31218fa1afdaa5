import type { Arcs } from "@arcwise/core";
import { power } from "@arcwise/core/arithmetic";
import type { ContractionEngine, ContractionForest } from "./max-arborescence-forest.ts";

/**
 * Contracted cycles as rows of scores, indexed by head: the maximum over the rows of their members. Heads
 * stay words, so that columns need no merging: those inside the cycle become -Infinity. Every node's row is
 * looked at once or twice, and cycles have fewer than 2n members in all: O(n²). Where the rows of words come
 * from is left to the classes that extend this one.
 */
export abstract class CycleRows implements ContractionEngine {
  protected n = 0;
  /** Row of the contracted node n + 1 + r at r (n + 1). */
  protected rows = new Float64Array(0);
  /** For each entry of `rows`, the modifier of the arc. */
  protected origins = new Uint16Array(0);
  /** Per node: the head of its best arc from a word, 0 when there is none, -1 when it is not known. */
  protected bestHead = new Int32Array(0);

  protected resetRows(n: number): void {
    if (n > 65_535) throw new RangeError(`the dense form takes at most 65,535 words, got ${n}`);
    this.n = n;
    if (this.bestHead.length < 2 * n + 1) this.bestHead = new Int32Array(4 * n + 1);
    this.bestHead.fill(-1, 0, 2 * n + 1);
  }

  choose(forest: ContractionForest, node: number, rootLast: boolean): boolean {
    return node > this.n
      ? this.#chooseForCycle(forest, node, rootLast)
      : this.chooseForWord(forest, node, rootLast);
  }

  merge(forest: ContractionForest, cycle: number): void {
    const width = this.n + 1;
    const target = this.offset(cycle);
    this.#reserve(target + width);
    const { rows, origins } = this;
    rows.fill(-Infinity, target, target + width);
    for (let member = forest.firstMember[cycle]; member !== 0; member = forest.nextMember[member]) {
      const key = forest.key[member];
      if (member > this.n) raiseFromCycle(rows, origins, target, this.offset(member), width, key);
      else this.raiseFromWord(target, member, key);
    }
    let word = forest.firstWord[cycle];
    for (const last = forest.lastWord[cycle]; word !== last; word = forest.nextWord[word]) {
      rows[target + word] = -Infinity;
    }
    rows[target + word] = -Infinity;
  }

  /** `choose` for a node that is a word. */
  protected abstract chooseForWord(forest: ContractionForest, word: number, rootLast: boolean): boolean;

  /** Raises the row at `target` to the arcs into a word, each lowered by `key`. */
  protected abstract raiseFromWord(target: number, word: number, key: number): void;

  /** Returns where the row of a contracted node starts. */
  protected offset(cycle: number): number {
    return (cycle - this.n - 1) * (this.n + 1);
  }

  #chooseForCycle(forest: ContractionForest, cycle: number, rootLast: boolean): boolean {
    const { rows, bestHead } = this;
    const offset = this.offset(cycle);
    if (bestHead[cycle] < 0) bestHead[cycle] = bestWord(rows, offset, this.n, 0);
    const best = bestHead[cycle];
    const word = best > 0 ? rows[offset + best] : -Infinity;
    const root = rows[offset];
    const takesRoot = word === -Infinity || (!rootLast && root > word);
    if (takesRoot && root === -Infinity) return false;
    const head = takesRoot ? 0 : best;
    forest.head[cycle] = head;
    forest.key[cycle] = takesRoot ? root : word;
    forest.modifier[cycle] = this.origins[offset + head];
    return true;
  }

  /** Grows the rows, of which most problems need few. */
  #reserve(size: number): void {
    if (this.rows.length >= size) return;
    const length = Math.max(size, Math.min(2 * this.rows.length, power(this.n + 1, 2)), 256);
    const rows = new Float64Array(length);
    rows.set(this.rows);
    this.rows = rows;
    const origins = new Uint16Array(length);
    origins.set(this.origins);
    this.origins = origins;
  }
}

/**
 * Rows of words are lists of candidate arcs: arcs that are not candidates cost nothing before a cycle
 * is.
 */
export class ListedArcs extends CycleRows {
  #arcs!: Arcs;
  #scores: Float64Array = new Float64Array(0);

  /** Takes the arcs to solve; their scores are not checked. */
  reset(arcs: Arcs, scores: Float64Array): void {
    this.resetRows(arcs.n);
    this.#arcs = arcs;
    this.#scores = scores;
  }

  protected override chooseForWord(forest: ContractionForest, m: number, rootLast: boolean): boolean {
    const scores = this.#scores;
    const { start, head } = this.#arcs;
    const end = start[m + 1];
    let from = start[m];
    const root = from < end && head[from] === 0 ? scores[from++] : -Infinity;
    let best = -1;
    let word = -Infinity;
    for (let a = from; a < end; a++) {
      if (scores[a] > word) {
        word = scores[a];
        best = a;
      }
    }
    const takesRoot = best < 0 || (!rootLast && root > word);
    if (takesRoot && root === -Infinity) return false;
    forest.head[m] = takesRoot ? 0 : head[best];
    forest.key[m] = takesRoot ? root : word;
    forest.modifier[m] = m;
    return true;
  }

  protected override raiseFromWord(target: number, word: number, key: number): void {
    const { rows, origins } = this;
    const scores = this.#scores;
    const { start, head } = this.#arcs;
    const end = start[word + 1];
    for (let a = start[word]; a < end; a++) {
      const score = scores[a] - key;
      const at = target + head[a];
      if (score > rows[at]) {
        rows[at] = score;
        origins[at] = word;
      }
    }
  }
}

/**
 * The word but `self` with the highest score in a row, the lowest one of equals, or 0 when all are pruned.
 */
export function bestWord(row: Float64Array, offset: number, n: number, self: number): number {
  let best = 0;
  let top = -Infinity;
  for (let h = 1; h <= n; h++) {
    const score = row[offset + h];
    if (score > top && h !== self) {
      top = score;
      best = h;
    }
  }
  return best;
}

function raiseFromCycle(
  rows: Float64Array,
  origins: Uint16Array,
  target: number,
  offset: number,
  width: number,
  key: number,
): void {
  for (let h = 0; h < width; h++) {
    const score = rows[offset + h] - key;
    if (score > rows[target + h]) {
      rows[target + h] = score;
      origins[target + h] = origins[offset + h];
    }
  }
}
