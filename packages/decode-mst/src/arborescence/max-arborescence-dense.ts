import type { ContractionForest } from "./max-arborescence-forest.ts";
import { bestWord, CycleRows } from "./max-arborescence-rows.ts";

/** The arcs of a dense graph: the rows of words are rows of a matrix. */
export class DenseArcs extends CycleRows {
  #scores: Float64Array = new Float64Array(0);

  /** Takes the n + 1 by n + 1 matrix to solve, which it only reads; its scores are not checked. */
  reset(n: number, scores: Float64Array): void {
    this.resetRows(n);
    this.#scores = scores;
  }

  protected override chooseForWord(forest: ContractionForest, m: number, rootLast: boolean): boolean {
    const { bestHead } = this;
    const scores = this.#scores;
    const offset = m * (this.n + 1);
    if (bestHead[m] < 0) bestHead[m] = bestWord(scores, offset, this.n, m);
    const best = bestHead[m];
    const word = best > 0 ? scores[offset + best] : -Infinity;
    const root = scores[offset];
    const takesRoot = word === -Infinity || (!rootLast && root > word);
    if (takesRoot && root === -Infinity) return false;
    forest.head[m] = takesRoot ? 0 : best;
    forest.key[m] = takesRoot ? root : word;
    forest.modifier[m] = m;
    return true;
  }

  protected override raiseFromWord(target: number, word: number, key: number): void {
    const { rows, origins, n } = this;
    const scores = this.#scores;
    const offset = word * (n + 1);
    for (let h = 0; h <= n; h++) {
      const score = scores[offset + h] - key;
      if (score > rows[target + h]) {
        rows[target + h] = score;
        origins[target + h] = word;
      }
    }
  }

  /**
   * The best arc into a node from another head than the chosen arc's, among heads that are not descendants of
   * the chosen arc's modifier in the tree (given by preorder intervals: x is a descendant of y when enter[y]
   * <= enter[x] < leave[y]). Returns its head, or -1. O(n).
   */
  secondBest(forest: ContractionForest, node: number, enter: Int32Array, leave: Int32Array): number {
    const { n } = this;
    const row = node > n ? this.rows : this.#scores;
    const offset = this.#rowOffset(node);
    const chosen = forest.head[node];
    const first = enter[forest.modifier[node]];
    const past = leave[forest.modifier[node]];
    let best = -1;
    let top = -Infinity;
    for (let h = 0; h <= n; h++) {
      const score = row[offset + h];
      if (score <= top || h === chosen) continue;
      if (enter[h] >= first && enter[h] < past) continue;
      top = score;
      best = h;
    }
    return best;
  }

  /** Returns the score of the best arc from a head into a node, less what the nodes inside have counted. */
  keyOf(node: number, head: number): number {
    return (node > this.n ? this.rows : this.#scores)[this.#rowOffset(node) + head];
  }

  /** Returns the modifier of the best arc from a head into a node. */
  modifierOf(node: number, head: number): number {
    return node > this.n ? this.origins[this.offset(node) + head] : node;
  }

  #rowOffset(node: number): number {
    return node > this.n ? this.offset(node) : node * (this.n + 1);
  }
}
