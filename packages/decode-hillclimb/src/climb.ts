import type { IncrementalTreeScore } from "@arcwise/core";
import { FarGains } from "./far-gains.ts";
import { grownFloat64, grownInt32, grownUint8 } from "./memory.ts";
import { NearGains } from "./near-gains.ts";
import type { SearchScores } from "./search-scores.ts";
import { SearchTree } from "./search-tree.ts";
import { TreeKey, TreeSet } from "./tree-set.ts";

/**
 * Improves a tree one head at a time until no change of a single head makes it better, and with a single root no
 * exchange of the root word either.
 *
 * One round visits all words in reverse depth-first order and gives each the head that makes the best tree of all those
 * that differ in this head alone. A word is passed over while nothing has changed that its choice looks at; that does
 * not alter the path of the search.
 */
export class Climb {
  readonly tree = new SearchTree();
  /** Rounds and changes of heads, all climbs since `prepare` together. */
  rounds = 0;
  moves = 0;
  readonly #near = new NearGains();
  readonly #far = new FarGains();
  readonly #singleRoot: boolean;
  /** Of the tree. */
  readonly #key = new TreeKey();
  /** The local optima found, and the trees that rounds began at. */
  readonly #optima = new TreeSet();
  readonly #begun = new TreeSet();
  #scores!: SearchScores;
  #steps: IncrementalTreeScore | undefined;
  /** Whether a change may matter to any word, and not only to those around it. */
  #isFar = false;
  #order: Int32Array = new Int32Array(0);
  /** 1 for each word whose choice may have become another one. */
  #stale: Uint8Array = new Uint8Array(0);
  #rootIsStale = false;
  #gains: Float64Array = new Float64Array(0);
  #heads: Int32Array = new Int32Array(0);
  #slots: Int32Array = new Int32Array(0);
  #deltas: Float64Array = new Float64Array(0);

  constructor(singleRoot: boolean) {
    this.#singleRoot = singleRoot;
  }

  /** Makes ready for a problem. O(n + arcs). */
  prepare(scores: SearchScores): void {
    const { n, start } = scores.arcs;
    this.#scores = scores;
    this.#steps = scores.steps;
    this.#near.prepare(scores);
    this.#far.prepare(scores);
    this.#isFar = this.#far.active || scores.steps !== undefined;
    this.tree.reserve(scores.arcs);
    this.#order = grownInt32(this.#order, n);
    this.#stale = grownUint8(this.#stale, n + 1);
    let most = 0;
    for (let m = 1; m <= n; m++) most = Math.max(most, start[m + 1]! - start[m]!);
    this.#gains = grownFloat64(this.#gains, most);
    this.#heads = grownInt32(this.#heads, most);
    this.#slots = grownInt32(this.#slots, most);
    this.#deltas = grownFloat64(this.#deltas, most);
    this.rounds = 0;
    this.moves = 0;
    this.#optima.clear();
    this.#begun.clear();
  }

  /**
   * Climbs from the tree of these arcs to a local optimum, left in `tree`. Gives up, and returns false, at the local
   * optimum of another climb since `prepare`, and where a round would begin at a tree from which one has begun before.
   */
  run(arcs: Int32Array): boolean {
    this.place(arcs);
    const key = this.#key;
    key.clear();
    for (let m = 1; m <= this.tree.n; m++) key.add(this.tree.arcOf[m]!);
    for (;;) {
      if (this.#optima.has(key.value) || !this.#begun.add(key.value)) return false;
      this.rounds++;
      const before = this.moves;
      if (!this.#round()) return false;
      if (this.moves === before) break;
    }
    this.#optima.add(key.value);
    return true;
  }

  /** Takes the tree of these arcs, one a word. O(n). */
  place(arcs: Int32Array): void {
    const { tree } = this;
    tree.load(arcs);
    this.#steps?.reset(tree.heads.slice(0, tree.n + 1));
    this.#stale.fill(1, 1, tree.n + 1);
    this.#rootIsStale = true;
  }

  /**
   * For each candidate head of m the score of the tree with it, up to a constant that they share; -Infinity where there
   * is no tree. The array is the search's own.
   */
  gainsOf(m: number): Float64Array {
    this.#fillGains(m, false);
    return this.#gains;
  }

  /** The score of the tree, as the search counts. O(n), and the parts that are on. */
  total(): number {
    const { tree } = this;
    const { arcScores } = this.#scores;
    let sum = this.#steps === undefined ? 0 : this.#steps.reset(tree.heads.slice(0, tree.n + 1));
    for (let m = 1; m <= tree.n; m++) {
      sum += arcScores[tree.arcOf[m]!]!;
      if (this.#near.active) sum += this.#near.owned(tree, m);
      if (this.#far.active) sum += this.#far.owned(tree, m);
    }
    return sum;
  }

  /** Visits every word once, or until the tree is one of `#optima`: then false. */
  #round(): boolean {
    const { tree } = this;
    const order = this.#order;
    tree.deepestFirst(order);
    for (let i = 0; i < tree.n; i++) {
      const m = order[i]!;
      const before = this.moves;
      if (this.#singleRoot && tree.heads[m] === 0) {
        if (this.#rootIsStale) this.#exchangeRoot(m);
      } else if (this.#stale[m] === 1) this.#improve(m);
      if (this.moves > before && this.#optima.has(this.#key.value)) return false;
    }
    return true;
  }

  /** Gives m the head that makes the best tree; the one it has, unless another is better. */
  #improve(m: number): void {
    this.#stale[m] = 0;
    const { start } = this.#scores.arcs;
    const from = start[m]!;
    const current = this.tree.arcOf[m]! - from;
    const count = start[m + 1]! - from;
    if (count === 1) return;
    this.#fillGains(m, this.#singleRoot);
    const gains = this.#gains;
    let best = current;
    for (let k = 0; k < count; k++) if (gains[k]! > gains[best]!) best = k;
    if (best !== current) this.move(m, from + best);
  }

  /**
   * For each candidate head of m the score of the tree with it, up to a constant, in `#gains`; -Infinity where there
   * is no tree. `skipRoot` leaves the root out.
   */
  #fillGains(m: number, skipRoot: boolean): void {
    const { tree } = this;
    const { arcs, arcScores } = this.#scores;
    const gains = this.#gains;
    const from = arcs.start[m]!;
    const count = arcs.start[m + 1]! - from;
    const isLeaf = tree.isLeaf(m);
    for (let k = 0; k < count; k++) {
      const h = arcs.head[from + k]!;
      const isOut = h === 0 ? skipRoot : !isLeaf && tree.isBelow(h, m);
      gains[k] = isOut ? -Infinity : arcScores[from + k]!;
    }
    if (this.#steps !== undefined) this.#addGlobal(m, from, count);
    tree.detach(m);
    if (this.#near.active) {
      if (!isLeaf || m < tree.n) this.#near.addBelow(tree, m, count, gains);
      for (let k = 0; k < count; k++) {
        if (gains[k] === -Infinity) continue;
        const h = arcs.head[from + k]!;
        gains[k]! += this.#near.above(tree, from + k, h, m, tree.innerNeighbour(h, m));
      }
    }
    const arc = tree.arcOf[m]!;
    if (this.#far.active) this.#far.add(tree, m, from, count, arcs.head, gains);
    tree.attach(m, arc);
  }

  #addGlobal(m: number, from: number, count: number): void {
    const { head } = this.#scores.arcs;
    const gains = this.#gains;
    const heads = this.#heads;
    const slots = this.#slots;
    let valid = 0;
    for (let k = 0; k < count; k++) {
      if (gains[k] === -Infinity) continue;
      heads[valid] = head[from + k]!;
      slots[valid++] = k;
    }
    this.#steps!.deltas(m, heads, valid, this.#deltas);
    for (let i = 0; i < valid; i++) gains[slots[i]!]! += this.#deltas[i]!;
  }

  /** Makes the arc the one of m, and marks the words that this may matter to. */
  move(m: number, arc: number): void {
    const { tree } = this;
    this.#mark(m, tree.heads[m]!);
    this.#key.remove(tree.arcOf[m]!);
    this.#key.add(arc);
    tree.detach(m);
    tree.attach(m, arc);
    const h = tree.heads[m]!;
    this.#steps?.move(m, h);
    this.#markModifiers(h);
    if (h > 0) this.#stale[h] = 1;
    // What m chooses from is the same as it was.
    this.#stale[m] = 0;
    this.#rootIsStale = true;
    this.moves++;
  }

  /**
   * The words whose choice may change when m leaves the head h: those that can hang on h or on m, since siblings or
   * grandparents change there; h itself, since its modifiers change; all above h, since they may now hang on what is
   * below m; and the words before and after m.
   */
  #mark(m: number, h: number): void {
    const { heads, n } = this.tree;
    const stale = this.#stale;
    if (this.#isFar) {
      stale.fill(1, 1, n + 1);
      return;
    }
    this.#markModifiers(h);
    this.#markModifiers(m);
    for (let above = h; above > 0; above = heads[above]!) stale[above] = 1;
    if (m > 1) stale[m - 1] = 1;
    if (m < n) stale[m + 1] = 1;
  }

  #markModifiers(h: number): void {
    const { start, arcs } = this.#scores.byHead;
    const { modifier } = this.#scores.arcs;
    const end = start[2 * h + 2]!;
    for (let i = start[2 * h]!; i < end; i++) this.#stale[modifier[arcs[i]!]!] = 1;
  }

  /**
   * The root word r is the only one whose head cannot change alone. Of all trees in which another word m takes its place
   * and r hangs on m, or on a word below m, takes the best, if it is better than the tree as it is. O(parts touched), for
   * each candidate word of the root.
   */
  #exchangeRoot(r: number): void {
    this.#rootIsStale = false;
    const { tree } = this;
    const { arcs, byHead } = this.#scores;
    const gains = this.#gains;
    const from = arcs.start[r]!;
    const count = arcs.start[r + 1]! - from;
    const end = byHead.start[2]!;
    let bestGain = 0;
    let bestTop = -1;
    let bestArc = -1;
    for (let i = byHead.start[1]!; i < end; i++) {
      const top = byHead.arcs[i]!;
      const m = arcs.modifier[top]!;
      if (m === r || !this.#hasCandidateBelow(r, m)) continue;
      const current = tree.arcOf[m]!;
      const first = arcs.start[m]!;
      this.#fillGains(m, false);
      const gain = gains[top - first]! - gains[current - first]!;
      if (gain === -Infinity) continue;
      this.#shift(m, top);
      this.#fillGains(r, false);
      const stay = gains[tree.arcOf[r]! - from]!;
      for (let k = 0; k < count; k++) {
        if (arcs.head[from + k] === 0 || !(gain + gains[k]! - stay > bestGain)) continue;
        bestGain = gain + gains[k]! - stay;
        bestTop = top;
        bestArc = from + k;
      }
      this.#shift(m, current);
    }
    if (bestTop < 0) return;
    this.move(arcs.modifier[bestTop]!, bestTop);
    this.move(r, bestArc);
  }

  #hasCandidateBelow(r: number, m: number): boolean {
    const { start, head } = this.#scores.arcs;
    for (let a = start[r]!; a < start[r + 1]!; a++)
      if (head[a] !== 0 && this.tree.isBelow(head[a]!, m)) return true;
    return false;
  }

  /** Changes the arc of m for a moment. */
  #shift(m: number, arc: number): void {
    const { tree } = this;
    tree.detach(m);
    tree.attach(m, arc);
    this.#steps?.move(m, tree.heads[m]!);
  }
}
