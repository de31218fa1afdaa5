import { grownInt32, grownUint8 } from "./memory.ts";
import { bestExchange, bestMerge, type RootMove } from "./root-moves.ts";
import type { SearchScores } from "./search-scores.ts";
import { TreeKey, TreeSet } from "./tree-set.ts";
import { WordGains } from "./word-gains.ts";

/** Added to the key of a tree at which an open round began; keys are at most 2^52. */
const OPEN = 2 ** 52;

/**
 * Improves a tree one head at a time until no change of a single head makes it better, and with a single root
 * no exchange of the root word either.
 *
 * A round visits all words in reverse depth-first order and gives each the head that makes the best tree of
 * all those that differ in this head alone. With a single root, the first round of a climb is open: it goes
 * through trees with two roots. That is what takes a climb past trees that no small change within single-root
 * trees improves; docs/explanation/hill-climbing.md has the theorem.
 *
 * A word is skipped while nothing has changed that its choice depends on. This does not alter the path of the
 * search.
 */
export class Climb {
  readonly gains = new WordGains();
  /** Rounds and changes of heads, all climbs since `prepare` together. */
  rounds = 0;
  moves = 0;
  readonly #singleRoot: boolean;
  readonly #onTree: ((heads: Int32Array) => void) | undefined;
  /** The key of the current tree. */
  readonly #key = new TreeKey();
  /** The trees at which climbs ended or rounds began. */
  readonly #optima = new TreeSet();
  readonly #begun = new TreeSet();
  #scores!: SearchScores;
  #order: Int32Array = new Int32Array(0);
  /** 1 for each word whose best head may have changed. */
  #stale: Uint8Array = new Uint8Array(0);
  #rootIsStale = false;
  #gain = 0;
  #savedArcs: Int32Array = new Int32Array(0);
  #savedStale: Uint8Array = new Uint8Array(0);

  /** @param onTree called with the heads of each tree that a climb starts from or moves to */
  constructor(singleRoot: boolean, onTree?: (heads: Int32Array) => void) {
    this.#singleRoot = singleRoot;
    this.#onTree = onTree;
  }

  /** Prepares for a problem. O(n + arcs). */
  prepare(scores: SearchScores): void {
    const { n } = scores.arcs;
    this.#scores = scores;
    this.gains.prepare(scores);
    this.#order = grownInt32(this.#order, n);
    this.#stale = grownUint8(this.#stale, n + 1);
    this.#savedArcs = grownInt32(this.#savedArcs, n + 1);
    this.#savedStale = grownUint8(this.#savedStale, n + 1);
    this.rounds = 0;
    this.moves = 0;
    this.#optima.clear();
    this.#begun.clear();
  }

  /**
   * Climbs from the tree of these arcs to a local optimum, left in `gains.tree`. Returns false when it gave
   * up: at the local optimum of another climb since `prepare`, or where a round would repeat one that has
   * begun at the same tree.
   */
  run(arcs: Int32Array): boolean {
    this.place(arcs);
    const key = this.#key;
    if (this.#singleRoot && this.gains.tree.n > 1) {
      if (!this.#begun.add(key.value + OPEN)) return false;
      this.rounds++;
      this.#openRound();
    }
    for (;;) {
      if (!this.#begun.add(key.value)) return false;
      this.rounds++;
      const before = this.moves;
      if (!this.#round()) return false;
      if (this.moves === before) break;
    }
    this.#optima.add(key.value);
    return true;
  }

  /** Replaces the tree by the tree of these arcs, one a word. O(n). */
  place(arcs: Int32Array): void {
    const { tree } = this.gains;
    this.gains.load(arcs);
    this.#key.clear();
    for (let m = 1; m <= tree.n; m++) this.#key.add(arcs[m]);
    this.#stale.fill(1, 1, tree.n + 1);
    this.#rootIsStale = true;
    this.#report();
  }

  #report(): void {
    const { heads, n } = this.gains.tree;
    this.#onTree?.(heads.subarray(0, n + 1));
  }

  /** Visits every word once, or until the tree is one of `#optima`: then returns false. */
  #round(): boolean {
    const { tree } = this.gains;
    const order = this.#order;
    tree.deepestFirst(order);
    for (let i = 0; i < tree.n; i++) {
      const m = order[i];
      const before = this.moves;
      if (this.#singleRoot && tree.heads[m] === 0) this.#exchangeRoot(m);
      else if (this.#stale[m] === 1) this.#improve(m);
      if (this.moves > before && this.#optima.has(this.#key.value)) return false;
    }
    return true;
  }

  /**
   * Visits every word once, the root word last. Once, a second word may take the root as its head; then one
   * of the two gets another head in the end. If that makes a worse tree than there was before the second
   * root, goes back to it.
   */
  #openRound(): void {
    const { tree } = this.gains;
    const { head } = this.#scores.arcs;
    const order = this.#order;
    tree.deepestFirst(order);
    const root = order[tree.n - 1];
    let second = -1;
    let gain = 0;
    for (let i = 0; i < tree.n - 1; i++) {
      const m = order[i];
      const arc = this.#bestArc(m, second >= 0);
      if (arc === tree.arcOf[m]) continue;
      if (head[arc] === 0) {
        second = m;
        this.#save(m);
      }
      if (second >= 0) gain += this.#gain;
      this.move(m, arc);
    }
    if (second < 0) {
      this.#exchangeRoot(root);
      return;
    }
    const merge = bestMerge(this.gains, this.#scores, [root, second]);
    if (gain + merge.gain >= 0) this.#apply(merge);
    else this.#restore();
  }

  /** Saves the tree and the stale words; the best head of m is valid for trees with two roots only. O(n). */
  #save(m: number): void {
    const { arcOf, n } = this.gains.tree;
    this.#savedArcs.set(arcOf.subarray(0, n + 1));
    this.#savedStale.set(this.#stale.subarray(0, n + 1));
    this.#savedStale[m] = 1;
  }

  #restore(): void {
    this.place(this.#savedArcs);
    this.#stale.set(this.#savedStale.subarray(0, this.gains.tree.n + 1));
  }

  /** Gives m the head that makes the best tree, its own unless another is better. */
  #improve(m: number): void {
    const arc = this.#bestArc(m, this.#singleRoot);
    if (arc !== this.gains.tree.arcOf[m]) this.move(m, arc);
  }

  /**
   * Returns the arc of m that makes the best tree, and writes to `#gain` by how much it is better than its
   * own.
   */
  #bestArc(m: number, skipRoot: boolean): number {
    this.#stale[m] = 0;
    const { start } = this.#scores.arcs;
    const from = start[m];
    const current = this.gains.tree.arcOf[m] - from;
    const count = start[m + 1] - from;
    if (count === 1) return from;
    this.gains.fill(m, skipRoot);
    const { values } = this.gains;
    let best = current;
    for (let k = 0; k < count; k++) if (values[k] > values[best]) best = k;
    this.#gain = values[best] - values[current];
    return from + best;
  }

  /** Exchanges the root word r if that makes a better tree. */
  #exchangeRoot(r: number): void {
    if (!this.#rootIsStale) return;
    this.#rootIsStale = false;
    const exchange = bestExchange(this.gains, this.#scores, r);
    if (exchange.gain > 0) this.#apply(exchange);
  }

  #apply({ arcs }: RootMove): void {
    for (const arc of arcs) this.move(this.#scores.arcs.modifier[arc], arc);
  }

  /** Makes the arc the arc of m, and marks the words whose best head this may change. */
  move(m: number, arc: number): void {
    const { tree } = this.gains;
    this.#mark(m, tree.heads[m]);
    this.#key.remove(tree.arcOf[m]);
    this.#key.add(arc);
    this.gains.replace(m, arc);
    const h = tree.heads[m];
    this.#markModifiers(h);
    if (h > 0) this.#stale[h] = 1;
    // The candidate heads of m and what they are worth to it are the same as before.
    this.#stale[m] = 0;
    this.#rootIsStale = true;
    this.moves++;
    this.#report();
  }

  /**
   * Marks the words whose best head may change when m leaves the head h: those that can hang on h or on m,
   * where siblings or grandparents change; h itself, whose modifiers change; all above h, which may now hang
   * on what is below m; and the words before and after m.
   */
  #mark(m: number, h: number): void {
    const { heads, n } = this.gains.tree;
    const stale = this.#stale;
    if (this.gains.isFar) {
      stale.fill(1, 1, n + 1);
      return;
    }
    this.#markModifiers(h);
    this.#markModifiers(m);
    for (let above = h; above > 0; above = heads[above]) stale[above] = 1;
    if (m > 1) stale[m - 1] = 1;
    if (m < n) stale[m + 1] = 1;
  }

  #markModifiers(h: number): void {
    const { start, arcs } = this.#scores.byHead;
    const { modifier } = this.#scores.arcs;
    const end = start[2 * h + 2];
    for (let i = start[2 * h]; i < end; i++) this.#stale[modifier[arcs[i]]] = 1;
  }
}
