/**
 * Marginal probabilities of arcs and parts of projective trees, from the log-sums of `projective-inside.ts`:
 * the recurrences in reverse. Instead of outside sums, the pass computes the probability that a cell is used
 * in a tree (outside times inside over the partition function); the share of one term is exp(its sum - the
 * cell's sum). So nothing overflows, and no error grows with the size of scores or of sentences.
 */

import type { ParsingProblem, PartKind } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import {
  betweenCell,
  grownFloat64,
  halfSpan,
  lastScore,
  localScore,
  type ProjectiveChart,
  triStart,
} from "./projective-chart.ts";

/** Arrays of the probabilities of parts by kind; arrays of kinds that a problem does not have are not read. */
type PartProbabilities = Readonly<
  Record<"grandparent" | "nextSibling" | "lastSibling" | "grandSibling" | "triSibling", Float64Array>
>;

const NONE = new Float64Array(0);

/** Memory of the outside pass. */
export class OutsidePass {
  #chart!: ProjectiveChart;
  #arcs!: Float64Array;
  #parts!: PartProbabilities;
  #right: Float64Array = new Float64Array(0);
  #left: Float64Array = new Float64Array(0);
  #attached: Float64Array = new Float64Array(0);
  #history: Float64Array = new Float64Array(0);
  #between: Float64Array = new Float64Array(0);
  /** Probabilities of the siblings of the current arc. */
  #siblings: Float64Array = new Float64Array(0);

  /**
   * Adds the probability of each arc to `arcs`, and of each part to `parts`, one array per table of the
   * problem, from a chart that `fillInside` has filled with the sum `logPartition`, which is not -Infinity.
   */
  run(
    chart: ProjectiveChart,
    logPartition: number,
    problem: ParsingProblem,
    arcs: Float64Array,
    parts: readonly Float64Array[],
  ): void {
    this.#reserve(chart);
    this.#arcs = arcs;
    const table = (kind: PartKind) => parts[problem.parts.findIndex((part) => part.kind === kind)] ?? NONE;
    this.#parts = {
      grandparent: table("grandparent"),
      nextSibling: table("nextSibling"),
      lastSibling: table("lastSibling"),
      grandSibling: table("grandSibling"),
      triSibling: table("triSibling"),
    };
    const { n } = chart;
    if (n === 0) return;
    this.#open(1, 0, n, logPartition, 1);
    this.#detachSide(1);
    for (let i = 1; i <= n; i++) this.#undo(i);
  }

  #reserve(chart: ProjectiveChart): void {
    this.#chart = chart;
    this.#right = zeros(this.#right, chart.rightCells);
    this.#left = zeros(this.#left, chart.leftCells);
    this.#attached = zeros(this.#attached, chart.attachedCells);
    this.#history = zeros(this.#history, chart.historyCells);
    this.#between = zeros(this.#between, chart.shared ? (chart.n + 1) * (chart.n + 1) : 0);
    this.#siblings = grownFloat64(this.#siblings, chart.n + 1);
  }

  /** Processes all spans with left end i, in the reverse order of the inside pass. */
  #undo(i: number): void {
    const chart = this.#chart;
    const { start, head } = chart.scores.arcs;
    let next = start[i + 1] - 1;
    for (let j = chart.n; j > i; j--) {
      if (chart.leftReach[j] <= i && start[j] !== start[j + 1]) this.#undoLeft(j, i);
      if (next >= start[i] && head[next] === j) this.#detach(next--);
    }
    if (start[i] === start[i + 1]) return;
    if (chart.shared) this.#splitShared(i);
    this.#undoRight(i);
    this.#detachSide(2 * i + 1);
  }

  #undoLeft(h: number, b: number): void {
    const chart = this.#chart;
    const cell = chart.leftOf[chart.scores.arcs.start[h]] + (h - b) * chart.width[h];
    for (let p = 0; p < chart.width[h]; p++) {
      if (this.#left[cell + p] > 0) this.#open(2 * h, p, b, chart.left[cell + p], this.#left[cell + p]);
    }
  }

  #undoRight(h: number): void {
    const chart = this.#chart;
    const width = chart.width[h];
    const row = chart.rightOf[chart.scores.arcs.start[h]];
    for (let e = h + 1; e <= chart.rightReach[h]; e++) {
      const cell = row + (e - h) * width;
      for (let p = 0; p < width; p++) {
        const share = this.#right[cell + p];
        if (share > 0) this.#open(2 * h + 1, p, e, chart.right[cell + p], share);
      }
    }
  }

  /** Distributes the probability of a half-span among its outermost modifiers. */
  #open(group: number, slot: number, end: number, sum: number, probability: number): void {
    const chart = this.#chart;
    const { arcs, byHead, lastSibling } = chart.scores;
    const isRight = (group & 1) === 1;
    const hasLast = lastSibling.start.length > 0;
    for (let i = byHead.start[group]; i < byHead.start[group + 1]; i++) {
      const a = byHead.arcs[i];
      const m = arcs.modifier[a];
      if (isRight ? m > end : m < end) break;
      const cell = chart.attachedOf[a] + slot;
      const value = chart.attached[cell] + lastScore(chart, a) + halfSpan(chart, a, end);
      const share = probability * exp(value - sum);
      if (share === 0) continue;
      this.#attached[cell] += share;
      if (hasLast) this.#parts.lastSibling[lastSibling.start[a]] += share;
      this.#addHalfSpan(a, end, share);
    }
  }

  #addHalfSpan(q: number, end: number, share: number): void {
    const chart = this.#chart;
    const m = chart.scores.arcs.modifier[q];
    const width = chart.width[m];
    if (end > m) this.#right[chart.rightOf[q] + (end - m) * width] += share;
    else if (end < m) this.#left[chart.leftOf[q] + (m - end) * width] += share;
  }

  #detachSide(group: number): void {
    const { start, arcs } = this.#chart.scores.byHead;
    for (let i = start[group + 1] - 1; i >= start[group]; i--) this.#detach(arcs[i]);
  }

  /** Distributes the probability of an attached arc among its inner neighbours and the spans between. */
  #detach(a: number): void {
    const chart = this.#chart;
    const siblings = this.#siblings;
    const { arcs, byHead, grandparent, arcScores } = chart.scores;
    if (arcScores[a] === -Infinity) return;
    const h = arcs.head[a];
    const isRight = arcs.modifier[a] > h;
    const options = byHead.rank[a] + 1;
    const hasGrand = h > 0 && grandparent.start.length > 0;
    for (let k = 0; k < options; k++) siblings[k] = 0;
    for (let p = 0; p < chart.width[h]; p++) {
      const share = chart.tri ? this.#detachHistories(a, p) : this.#detachSiblings(a, p);
      this.#arcs[a] += share;
      if (hasGrand) this.#parts.grandparent[grandparent.start[a] + p] += share;
    }
    if (siblings[0] > 0) this.#addHalfSpan(a, isRight ? h + 1 : h - 1, siblings[0]);
    const nearest = byHead.start[2 * h + (isRight ? 1 : 0)];
    for (let k = 1; k < options; k++) {
      if (siblings[k] > 0) this.#addBetween(byHead.arcs[nearest + k - 1], a, siblings[k]);
    }
  }

  /** Version without histories. Returns the probability of q and a. */
  #detachSiblings(a: number, slot: number): number {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const cell = chart.attachedOf[a] + slot;
    const probability = this.#attached[cell];
    if (probability === 0) return 0;
    const h = arcs.head[a];
    const isRight = arcs.modifier[a] > h;
    const nearest = byHead.start[2 * h + (isRight ? 1 : 0)];
    const sum = chart.attached[cell];
    const alone = halfSpan(chart, a, isRight ? h + 1 : h - 1) + localScore(chart, a, slot, 0);
    this.#addSibling(a, slot, 0, probability * exp(alone - sum));
    if (h === 0 && chart.singleRoot) return probability;
    for (let k = 1; k <= byHead.rank[a]; k++) {
      const s = byHead.arcs[nearest + k - 1];
      const inner = chart.attachedOf[s] + slot;
      if (chart.attached[inner] === -Infinity) continue;
      const value = chart.attached[inner] + chart.between[betweenCell(chart, s, a)];
      const share = probability * exp(value + localScore(chart, a, slot, k) - sum);
      if (share === 0) continue;
      this.#attached[inner] += share;
      this.#addSibling(a, slot, k, share);
    }
    return probability;
  }

  /** Version with histories. Returns the probability of q and a. */
  #detachHistories(a: number, slot: number): number {
    const chart = this.#chart;
    const options = chart.scores.byHead.rank[a] + 1;
    const cell = chart.attachedOf[a] + slot;
    const from = chart.historyOf[a] + slot * options;
    const outermost = this.#attached[cell];
    let total = 0;
    for (let k = 0; k < options; k++) {
      const history = chart.history[from + k];
      let share = this.#history[from + k];
      if (outermost > 0) share += outermost * exp(history - chart.attached[cell]);
      if (share === 0) continue;
      total += share;
      this.#addSibling(a, slot, k, share);
      if (k > 0) this.#shareHistory(a, slot, k, history, share);
    }
    return total;
  }

  /** Distributes the probability of history(q, a, s) among the neighbours t of s. */
  #shareHistory(a: number, slot: number, k: number, sum: number, probability: number): void {
    const chart = this.#chart;
    const { arcs, byHead, triSibling } = chart.scores;
    const h = arcs.head[a];
    const s = byHead.arcs[byHead.start[2 * h + (arcs.modifier[a] > h ? 1 : 0)] + k - 1];
    const inner = chart.historyOf[s] + slot * k;
    const tri = triStart(triSibling, a, k);
    const rest = chart.between[betweenCell(chart, s, a)] + localScore(chart, a, slot, k) - sum;
    for (let t = 0; t < k; t++) {
      const share = probability * exp(chart.history[inner + t] + triSibling.scores[tri + t] + rest);
      this.#history[inner + t] += share;
      this.#parts.triSibling[tri + t] += share;
    }
  }

  /** Adds the probability of the parts of a with its inner neighbour. */
  #addSibling(a: number, slot: number, k: number, share: number): void {
    const { arcs, byHead, nextSibling, grandSibling } = this.#chart.scores;
    this.#siblings[k] += share;
    if (nextSibling.start.length > 0) this.#parts.nextSibling[nextSibling.start[a] + k] += share;
    if (grandSibling.start.length === 0 || arcs.head[a] === 0) return;
    this.#parts.grandSibling[grandSibling.start[a] + slot * (byHead.rank[a] + 1) + k] += share;
  }

  #addBetween(s: number, a: number, share: number): void {
    const chart = this.#chart;
    const cell = betweenCell(chart, s, a);
    if (chart.shared) {
      this.#between[cell] += share;
      return;
    }
    const { modifier } = chart.scores.arcs;
    if (modifier[s] < modifier[a]) this.#split(s, a, chart.between[cell], share);
    else this.#split(a, s, chart.between[cell], share);
  }

  /**
   * Distributes the spans between word u and the words after it, once all heads that share them have been
   * processed.
   */
  #splitShared(u: number): void {
    const chart = this.#chart;
    const { start } = chart.scores.arcs;
    for (let v = u + 1; v <= chart.n; v++) {
      const cell = u * (chart.n + 1) + v;
      const share = this.#between[cell];
      // Half-spans do not depend on heads here: any arc to the word represents all.
      if (share > 0) this.#split(start[u], start[v], chart.between[cell], share);
    }
  }

  /** Distributes the probability of between(x, y) among the half-spans that meet in it. */
  #split(x: number, y: number, sum: number, probability: number): void {
    const chart = this.#chart;
    const { modifier } = chart.scores.arcs;
    for (let e = modifier[x]; e < modifier[y]; e++) {
      const share = probability * exp(halfSpan(chart, x, e) + halfSpan(chart, y, e + 1) - sum);
      if (share === 0) continue;
      this.#addHalfSpan(x, e, share);
      this.#addHalfSpan(y, e + 1, share);
    }
  }
}

function zeros(old: Float64Array, length: number): Float64Array {
  if (old.length < length) return grownFloat64(old, length);
  old.fill(0, 0, length);
  return old;
}
