import type { ScoreTable, Tables } from "./near-gains.ts";
import type { SearchTree } from "./search-tree.ts";

const NO_START: Int32Array = new Int32Array(0);
const NO_SCORES: Float64Array = new Float64Array(0);

/**
 * Sums the parts that a candidate head of a word adds, over the kinds that reach across several levels of the
 * tree: great-grandparents, siblings of the grandparent, grandchildren on the outer and on the inner one of
 * two siblings.
 *
 * A candidate head h changes the arcs above the modifiers c of m and their modifiers d; and m becomes a sibling
 * of its neighbours s and o, on whose siblings the parts of their modifiers and grandchildren depend.
 */
export class FarGains {
  active = false;
  #arcStart: Int32Array = NO_START;
  #arcHead: Int32Array = NO_START;
  #rank: Int32Array = NO_START;
  #greatStart: Int32Array = NO_START;
  #great: Float64Array = NO_SCORES;
  #greatBlock: Float64Array = NO_SCORES;
  #uncleStart: Int32Array = NO_START;
  #uncle: Float64Array = NO_SCORES;
  #uncleBlock: Float64Array = NO_SCORES;
  #inBlock: Float64Array = NO_SCORES;
  #outerStart: Int32Array = NO_START;
  #outer: Float64Array = NO_SCORES;
  #outerBlock: Float64Array = NO_SCORES;
  #innerStart: Int32Array = NO_START;
  #inner: Float64Array = NO_SCORES;
  #innerBlock: Float64Array = NO_SCORES;

  prepare(tables: Tables): void {
    this.#arcStart = tables.arcs.start;
    this.#arcHead = tables.arcs.head;
    this.#rank = tables.rank;
    const great = tables.of("greatGrandparent");
    const uncle = tables.of("grandparentSibling");
    const outer = tables.of("outerSiblingGrandchild");
    const inner = tables.of("innerSiblingGrandchild");
    ({ start: this.#greatStart, scores: this.#great } = great);
    ({ start: this.#uncleStart, scores: this.#uncle } = uncle);
    ({ start: this.#outerStart, scores: this.#outer } = outer);
    ({ start: this.#innerStart, scores: this.#inner } = inner);
    const isPresent = ({ start }: ScoreTable) => start.length > 0;
    this.active = [great, uncle, outer, inner].some(isPresent);
    if (!this.active) return;
    const positions = tables.positions();
    this.#greatBlock = positions.offsets("greatGrandparent", 0);
    this.#uncleBlock = positions.offsets("grandparentSibling", 0);
    this.#inBlock = positions.offsets("grandparentSibling", 1);
    this.#outerBlock = positions.offsets("outerSiblingGrandchild", 0);
    this.#innerBlock = positions.offsets("innerSiblingGrandchild", 0);
  }

  /**
   * Adds to `gains[k]` the parts that the k-th candidate arc of m would bring, except where the gain is
   * -Infinity. The word m is detached from its head. O(parts of these kinds that the arcs touch).
   */
  add(tree: SearchTree, m: number, gains: Float64Array): void {
    const { nearest, outer } = tree;
    const head = this.#arcHead;
    const from = this.#arcStart[m];
    const count = this.#arcStart[m + 1] - from;
    for (let k = 0; k < count; k++) {
      if (gains[k] === -Infinity) continue;
      const h = head[from + k];
      const s = tree.innerNeighbour(h, m);
      const o = s >= 0 ? outer[s] : nearest[2 * h + (m > h ? 1 : 0)];
      const without = this.#aroundSiblings(tree, s, o);
      tree.attach(m, from + k);
      gains[k] += this.#around(tree, m) + this.#aroundSiblings(tree, s, o) - without;
      tree.detach(m);
    }
  }

  /** Returns the sum of the parts of these kinds that the arc of x owns in the tree. */
  owned(tree: SearchTree, x: number): number {
    return this.#aboveTwo(tree, x) + this.#besideOwned(tree, x);
  }

  /**
   * Sums the parts owned by m, its modifiers and theirs that contain the arc of m, or an arc above or next to it.
   */
  #around(tree: SearchTree, m: number): number {
    const { nearest, outer } = tree;
    let sum = this.owned(tree, m);
    for (let side = 2 * m; side <= 2 * m + 1; side++) {
      for (let c = nearest[side]; c >= 0; c = outer[c]) {
        sum += this.owned(tree, c) + this.#aboveTwoOfModifiers(tree, c);
      }
    }
    return sum;
  }

  /** Sums the parts below the neighbours s and o that contain the arc next to these. */
  #aroundSiblings(tree: SearchTree, s: number, o: number): number {
    const { nearest, outer } = tree;
    let sum = 0;
    if (s >= 0 && this.#inner.length > 0) {
      for (let side = 2 * s; side <= 2 * s + 1; side++) {
        for (let c = nearest[side]; c >= 0; c = outer[c]) sum += this.#innerPart(tree, c);
      }
    }
    if (o < 0) return sum;
    for (let side = 2 * o; side <= 2 * o + 1; side++) {
      for (let c = nearest[side]; c >= 0; c = outer[c]) {
        if (this.#outer.length > 0) sum += this.#outerPart(tree, c);
        if (this.#uncle.length > 0) sum += this.#aboveTwoOfModifiers(tree, c);
      }
    }
    return sum;
  }

  #aboveTwoOfModifiers(tree: SearchTree, c: number): number {
    const { nearest, outer } = tree;
    let sum = 0;
    for (let side = 2 * c; side <= 2 * c + 1; side++) {
      for (let d = nearest[side]; d >= 0; d = outer[d]) sum += this.#aboveTwo(tree, d);
    }
    return sum;
  }

  /** Sums the great-grandparent part and the part of the grandparent's sibling, of the arc of x. */
  #aboveTwo({ heads, arcOf, inner }: SearchTree, x: number): number {
    const h = heads[x];
    if (h <= 0) return 0;
    const g = heads[h];
    if (g <= 0) return 0;
    const first = arcOf[h];
    const second = arcOf[g];
    let sum = 0;
    if (this.#great.length > 0) {
      const at = this.#greatStart[arcOf[x]] + this.#greatBlock[first];
      sum += this.#great[at + second - this.#arcStart[g]];
    }
    if (this.#uncle.length > 0) {
      const u = inner[g];
      const at = this.#uncleStart[arcOf[x]] + this.#uncleBlock[first] + this.#inBlock[second];
      sum += this.#uncle[at + (u >= 0 ? 1 + this.#rank[arcOf[u]] : 0)];
    }
    return sum;
  }

  #besideOwned(tree: SearchTree, x: number): number {
    let sum = 0;
    if (this.#outer.length > 0) sum += this.#outerPart(tree, x);
    if (this.#inner.length > 0) sum += this.#innerPart(tree, x);
    return sum;
  }

  /** Scores x as a modifier of the outer one of two siblings. */
  #outerPart({ heads, arcOf, inner }: SearchTree, x: number): number {
    const h = heads[x];
    if (h <= 0) return 0;
    const s = inner[h];
    const at = this.#outerStart[arcOf[x]] + this.#outerBlock[arcOf[h]];
    return this.#outer[at + (s >= 0 ? 1 + this.#rank[arcOf[s]] : 0)];
  }

  /** Scores x as a modifier of the inner one of two siblings. */
  #innerPart({ heads, arcOf, outer }: SearchTree, x: number): number {
    const h = heads[x];
    if (h <= 0) return 0;
    const s = outer[h];
    const at = this.#innerStart[arcOf[x]] + this.#innerBlock[arcOf[h]];
    return this.#inner[at + (s >= 0 ? this.#rank[arcOf[s]] - this.#rank[arcOf[h]] : 0)];
  }
}
