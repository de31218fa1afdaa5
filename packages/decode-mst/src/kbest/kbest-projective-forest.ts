/**
 * The derivations of a filled projective chart, enumerated lazily (Huang and Chiang 2005). Items are cells of
 * the chart that have been expanded; an edge of an item is one of the terms of its recurrence in
 * `projective-chart.ts`: a score and at most two smaller items.
 */

import { PriorityQueue } from "../arborescence/priority-queue.ts";
import {
  halfSpan,
  lastScore,
  localScore,
  type ProjectiveChart,
  triStart,
} from "../projective/projective-chart.ts";
import { bestSplit } from "../projective/projective-max.ts";

/** Kinds of items; see the recurrences. */
const ROOT = 0;
/** right(q, e) or left(q, b): `x` is q, `y` the end. */
const HALF_SPAN = 1;
/** attached(q, a): `x` is a, `y` the slot of q. */
const ATTACHED = 2;
/** history(q, a, s): `x` is a, `y` the slot of q, `k` names s. */
const HISTORY = 3;
/** between(x, y). */
const BETWEEN = 4;

/** Key of an item: see the constants above. */
interface ItemName {
  readonly kind: number;
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

class Item {
  readonly kind: number;
  readonly x: number;
  readonly y: number;
  readonly k: number;
  /** Best score, from the chart. */
  readonly best: number;
  /** Derivations, best first. */
  readonly derivations: Derivation[] = [];
  /** Candidates for the next derivation; undefined before the item is expanded. */
  queue: PriorityQueue<Derivation> | undefined = undefined;
  /** How many of the two successors of the last derivation have been queued. */
  stage = 2;
  exhausted = false;

  constructor({ kind, x, y, k }: ItemName, best: number) {
    this.kind = kind;
    this.x = x;
    this.y = y;
    this.k = k;
    this.best = best;
  }
}

interface Edge {
  /** The score that the edge adds. */
  readonly score: number;
  readonly first: Item | undefined;
  readonly second: Item | undefined;
}

interface Derivation {
  readonly edge: Edge;
  /** Ranks of the derivations of the two items of the edge. */
  readonly i: number;
  readonly j: number;
  readonly score: number;
}

/** The derivations of one chart, which must not change any more. */
export class KBestForest {
  readonly #chart: ProjectiveChart;
  /** Item of each cell that has been expanded: half-spans, attached, histories, pairs. */
  readonly #itemOf = new Map<number, Item>();
  readonly #root: Item;

  constructor(chart: ProjectiveChart) {
    this.#chart = chart;
    this.#root = new Item({ kind: ROOT, x: 0, y: 0, k: 0 }, 0);
  }

  /**
   * Returns whether there is a derivation of this rank, from 0. Ranks must be requested in ascending order.
   */
  request(rank: number): boolean {
    this.#derive(this.#root, rank);
    return rank < this.#root.derivations.length;
  }

  /** Writes the tree of a rank that `request` has found. */
  read(rank: number, heads: Int32Array): void {
    const { head, modifier } = this.#chart.scores.arcs;
    heads[0] = -1;
    const items: Item[] = [this.#root];
    const ranks: number[] = [rank];
    for (;;) {
      const item = items.pop();
      if (item === undefined) return;
      const at = ranks.pop()!;
      this.#derive(item, at);
      const { edge, i, j } = item.derivations[at];
      if (item.kind === ATTACHED || item.kind === HISTORY) heads[modifier[item.x]] = head[item.x];
      if (edge.first !== undefined) {
        items.push(edge.first);
        ranks.push(i);
      }
      if (edge.second !== undefined) {
        items.push(edge.second);
        ranks.push(j);
      }
    }
  }

  /**
   * Finds derivations of an item up to a rank, or all if there are fewer, and derivations of smaller items that it
   * needs.
   */
  #derive(goal: Item, rank: number): void {
    const items: Item[] = [goal];
    const ranks: number[] = [rank];
    while (items.length > 0) {
      const item = items[items.length - 1];
      if (item.exhausted || item.derivations.length > ranks[ranks.length - 1]) {
        items.pop();
        ranks.pop();
        continue;
      }
      item.queue ??= this.#firstDerivations(item);
      const missing = addSuccessors(item, item.queue);
      if (missing !== undefined) {
        items.push(missing.item);
        ranks.push(missing.rank);
        continue;
      }
      const next = item.queue.pop();
      if (next === undefined) {
        item.exhausted = true;
      } else {
        item.derivations.push(next);
        item.stage = 0;
      }
    }
  }

  #firstDerivations(item: Item): PriorityQueue<Derivation> {
    const queue = new PriorityQueue<Derivation>();
    const add = (score: number, first: Item | undefined, second: Item | undefined): void => {
      const best = derivation({ score, first, second }, 0, 0);
      if (best.score > -Infinity) queue.push(best);
    };
    switch (item.kind) {
      case ROOT:
        this.#close(1, 0, this.#chart.n, add);
        break;
      case HALF_SPAN: {
        const h = this.#chart.scores.arcs.modifier[item.x];
        this.#close(2 * h + (item.y > h ? 1 : 0), this.#chart.slotOf[item.x], item.y, add);
        break;
      }
      case ATTACHED:
        this.#attach(item.x, item.y, add);
        break;
      case HISTORY:
        this.#extend(item.x, item.y, item.k, add);
        break;
      default:
        this.#split(item.x, item.y, add);
    }
    return queue;
  }

  /**
   * Adds the edges of a half-span that ends at `end`: one for each outermost modifier, and each sibling of it
   * if stored.
   */
  #close(group: number, slot: number, end: number, add: AddEdge): void {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    for (let i = byHead.start[group]; i < byHead.start[group + 1]; i++) {
      const a = byHead.arcs[i];
      const m = arcs.modifier[a];
      if ((group & 1) === 1 ? m > end : m < end) break;
      const rest = halfSpan(chart, a, end) + lastScore(chart, a);
      if (rest === -Infinity) continue;
      const outside = this.#halfSpan(a, end);
      if (!chart.tri) {
        add(lastScore(chart, a), this.#attached(a, slot), outside);
        continue;
      }
      for (let k = 0; k <= byHead.rank[a]; k++) add(lastScore(chart, a), this.#history(a, slot, k), outside);
    }
  }

  #attach(a: number, slot: number, add: AddEdge): void {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const h = arcs.head[a];
    const isRight = arcs.modifier[a] > h;
    const inner = halfSpan(chart, a, isRight ? h + 1 : h - 1);
    if (inner !== -Infinity) {
      add(localScore(chart, a, slot, 0), this.#halfSpan(a, isRight ? h + 1 : h - 1), undefined);
    }
    if (h === 0 && chart.singleRoot) return;
    const nearest = byHead.start[2 * h + (isRight ? 1 : 0)];
    for (let k = 1; k <= byHead.rank[a]; k++) {
      const s = byHead.arcs[nearest + k - 1];
      const past = this.#attached(s, slot);
      if (past.best === -Infinity) continue;
      add(localScore(chart, a, slot, k), past, this.#between(s, a));
    }
  }

  #extend(a: number, slot: number, k: number, add: AddEdge): void {
    const chart = this.#chart;
    const { arcs, byHead, triSibling } = chart.scores;
    const h = arcs.head[a];
    const isRight = arcs.modifier[a] > h;
    const local = localScore(chart, a, slot, k);
    if (k === 0) {
      add(local, this.#halfSpan(a, isRight ? h + 1 : h - 1), undefined);
      return;
    }
    const s = byHead.arcs[byHead.start[2 * h + (isRight ? 1 : 0)] + k - 1];
    const middle = this.#between(s, a);
    const tri = triStart(triSibling, a, k);
    for (let t = 0; t < k; t++) {
      add(local + triSibling.scores[tri + t], this.#history(s, slot, t), middle);
    }
  }

  #split(x: number, y: number, add: AddEdge): void {
    const chart = this.#chart;
    const { modifier } = chart.scores.arcs;
    for (let e = modifier[x]; e < modifier[y]; e++) {
      if (halfSpan(chart, x, e) === -Infinity || halfSpan(chart, y, e + 1) === -Infinity) continue;
      add(0, this.#halfSpan(x, e), this.#halfSpan(y, e + 1));
    }
  }

  /** Returns a half-span that the candidates allow; undefined when it is the modifier of q alone. */
  #halfSpan(q: number, end: number): Item | undefined {
    const chart = this.#chart;
    const m = chart.scores.arcs.modifier[q];
    if (end === m) return undefined;
    const cell =
      end > m
        ? chart.rightOf[q] + (end - m) * chart.width[m]
        : chart.rightCells + chart.leftOf[q] + (m - end) * chart.width[m];
    return this.#item(cell, { kind: HALF_SPAN, x: q, y: end, k: 0 }, halfSpan(chart, q, end));
  }

  #attached(a: number, slot: number): Item {
    const chart = this.#chart;
    const cell = chart.attachedOf[a] + slot;
    const base = chart.rightCells + chart.leftCells;
    return this.#item(base + cell, { kind: ATTACHED, x: a, y: slot, k: 0 }, chart.attached[cell]);
  }

  #history(a: number, slot: number, k: number): Item {
    const chart = this.#chart;
    const cell = chart.historyOf[a] + slot * (chart.scores.byHead.rank[a] + 1) + k;
    const base = chart.rightCells + chart.leftCells + chart.attachedCells;
    return this.#item(base + cell, { kind: HISTORY, x: a, y: slot, k }, chart.history[cell]);
  }

  /** Adds the edges of between(s, a), s the nearer of two arcs of one head. */
  #between(s: number, a: number): Item {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const isRight = arcs.modifier[a] > arcs.modifier[s];
    const x = isRight ? s : a;
    const y = isRight ? a : s;
    const pair = chart.pairOf[a] + byHead.rank[s];
    const cell = chart.rightCells + chart.leftCells + chart.attachedCells + chart.historyCells + pair;
    return this.#itemOf.get(cell) ?? this.#item(cell, { kind: BETWEEN, x, y, k: 0 }, bestSplit(chart, x, y));
  }

  #item(cell: number, name: ItemName, best: number): Item {
    const known = this.#itemOf.get(cell);
    if (known !== undefined) return known;
    const item = new Item(name, best);
    this.#itemOf.set(cell, item);
    return item;
  }
}

type AddEdge = (score: number, first: Item | undefined, second: Item | undefined) => void;

/**
 * Queues the successors of an item's last derivation: the next derivation of the second smaller item and,
 * only if that one is at its first, the next of the first; so each pair of ranks occurs once. Returns the
 * smaller item, and the rank, that must be derived before.
 */
function addSuccessors(
  item: Item,
  queue: PriorityQueue<Derivation>,
): { item: Item; rank: number } | undefined {
  const last = item.derivations[item.derivations.length - 1];
  if (last === undefined) return undefined;
  const { edge, i, j } = last;
  for (; item.stage < 2; item.stage++) {
    const isSecond = item.stage === 0;
    const inside = isSecond ? edge.second : edge.first;
    if (inside === undefined || (!isSecond && j > 0)) continue;
    const rank = (isSecond ? j : i) + 1;
    if (inside.derivations.length > rank) {
      queue.push(isSecond ? derivation(edge, i, rank) : derivation(edge, rank, j));
    } else if (!inside.exhausted) {
      return { item: inside, rank };
    }
  }
  return undefined;
}

function derivation(edge: Edge, i: number, j: number): Derivation {
  return { edge, i, j, score: edge.score + scoreAt(edge.first, i) + scoreAt(edge.second, j) };
}

function scoreAt(item: Item | undefined, rank: number): number {
  return item === undefined ? 0 : (item.derivations[rank]?.score ?? item.best);
}
