import type { ContractionEngine, ContractionForest } from "./max-arborescence-forest.ts";

/**
 * The arcs of a dense graph as rows of scores, one row a node, indexed by head: the rows of words are those of the
 * given matrix, a contracted cycle has the maximum over its members' rows. Heads stay words, so that columns need
 * no merging: those inside the cycle become -Infinity. Every node's row is looked at once or twice and cycles have
 * fewer than 2n members in all: O(n²).
 */
export class DenseArcs implements ContractionEngine {
  private n = 0;
  /** The matrix that was given. */
  private scores: Float64Array = new Float64Array(0);
  /** Row of the contracted node n + 1 + r at r (n + 1). */
  private rows = new Float64Array(0);
  /** For each entry of `rows`, the modifier of the arc. */
  private origins = new Uint16Array(0);
  /** Per node: the best arc from a word. */
  private bestHead = new Int32Array(0);

  /**
   * Looks at the n + 1 by n + 1 matrix from now on, which is only read. Does not check its numbers.
   *
   * @throws RangeError when n is above 65,535
   */
  reset(n: number, scores: Float64Array): void {
    if (n > 65_535) throw new RangeError(`the dense form takes at most 65,535 words, got ${n}`);
    this.n = n;
    this.scores = scores;
    if (this.bestHead.length < 2 * n + 1) this.bestHead = new Int32Array(4 * n + 1);
    this.bestHead.fill(-1, 0, n + 1);
  }

  choose(forest: ContractionForest, node: number, rootLast: boolean): boolean {
    const { n, bestHead } = this;
    const contracted = node > n;
    const row = contracted ? this.rows : this.scores;
    const offset = this.offset(node);
    if (bestHead[node]! < 0) bestHead[node] = bestWord(row, offset, n, node);
    const best = bestHead[node]!;
    const word = best > 0 ? row[offset + best]! : -Infinity;
    const root = row[offset]!;
    const takesRoot = word === -Infinity || (!rootLast && root > word);
    if (takesRoot && root === -Infinity) return false;
    const head = takesRoot ? 0 : best;
    forest.head[node] = head;
    forest.key[node] = takesRoot ? root : word;
    forest.modifier[node] = contracted ? this.origins[offset + head]! : node;
    return true;
  }

  merge(forest: ContractionForest, cycle: number): void {
    const { n } = this;
    const width = n + 1;
    const target = this.offset(cycle);
    this.reserve(target + width);
    const { rows, origins, scores } = this;
    rows.fill(-Infinity, target, target + width);
    for (let member = forest.firstMember[cycle]!; member !== 0; member = forest.nextMember[member]!) {
      const offset = this.offset(member);
      const key = forest.key[member]!;
      if (member > n) raiseFromCycle(rows, origins, target, offset, width, key);
      else raiseFromWord(rows, origins, target, scores, offset, width, key, member);
    }
    let word = forest.firstWord[cycle]!;
    for (const last = forest.lastWord[cycle]!; word !== last; word = forest.nextWord[word]!) {
      rows[target + word] = -Infinity;
    }
    rows[target + word] = -Infinity;
    this.bestHead[cycle] = -1;
  }

  /**
   * The best arc into a node from another head than the chosen arc's, among heads that are not descendants of the
   * chosen arc's modifier in the tree (given by preorder intervals: x is a descendant of y when
   * enter[y] <= enter[x] < leave[y]). Returns its head, or -1. O(n).
   */
  secondBest(forest: ContractionForest, node: number, enter: Int32Array, leave: Int32Array): number {
    const { n } = this;
    const row = node > n ? this.rows : this.scores;
    const offset = this.offset(node);
    const chosen = forest.head[node]!;
    const first = enter[forest.modifier[node]!]!;
    const past = leave[forest.modifier[node]!]!;
    let best = -1;
    let top = -Infinity;
    for (let h = 0; h <= n; h++) {
      const score = row[offset + h]!;
      if (score <= top || h === chosen) continue;
      if (enter[h]! >= first && enter[h]! < past) continue;
      top = score;
      best = h;
    }
    return best;
  }

  /** The score of the arc from a head into a node, less what the nodes inside have counted. */
  keyOf(node: number, head: number): number {
    return (node > this.n ? this.rows : this.scores)[this.offset(node) + head]!;
  }

  /** The modifier of the best arc from a head into a node. */
  modifierOf(node: number, head: number): number {
    return node > this.n ? this.origins[this.offset(node) + head]! : node;
  }

  private offset(node: number): number {
    return (node > this.n ? node - this.n - 1 : node) * (this.n + 1);
  }

  /** Grows the rows of cycles, which sparse cases never need all of. */
  private reserve(size: number): void {
    if (this.rows.length >= size) return;
    const length = Math.max(size, Math.min(2 * this.rows.length, (this.n + 1) ** 2), 256);
    const rows = new Float64Array(length);
    rows.set(this.rows);
    this.rows = rows;
    const origins = new Uint16Array(length);
    origins.set(this.origins);
    this.origins = origins;
  }
}

/** The word but `self` with the highest score in a row, the lowest one of equals, or 0 when all are pruned. */
function bestWord(row: Float64Array, offset: number, n: number, self: number): number {
  let best = 0;
  let top = -Infinity;
  for (let h = 1; h <= n; h++) {
    const score = row[offset + h]!;
    if (score > top && h !== self) {
      top = score;
      best = h;
    }
  }
  return best;
}

function raiseFromWord(
  rows: Float64Array,
  origins: Uint16Array,
  target: number,
  scores: Float64Array,
  offset: number,
  width: number,
  key: number,
  word: number,
): void {
  for (let h = 0; h < width; h++) {
    const score = scores[offset + h]! - key;
    if (score > rows[target + h]!) {
      rows[target + h] = score;
      origins[target + h] = word;
    }
  }
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
    const score = rows[offset + h]! - key;
    if (score > rows[target + h]!) {
      rows[target + h] = score;
      origins[target + h] = origins[offset + h]!;
    }
  }
}
