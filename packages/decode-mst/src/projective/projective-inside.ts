/**
 * Log-partition over projective trees: the recurrences of `projective-chart.ts` with log-sum-exp in place of
 * the maximum. Every tree has one derivation, so the root holds the log-partition.
 */
import { exp, log } from "@arcwise/core/arithmetic";
import {
  betweenCell,
  grownFloat64,
  halfSpan,
  lastScore,
  localScore,
  type ProjectiveChart,
  triStart,
} from "./projective-chart.ts";

/** Scratch of the inside pass: the terms of one cell. */
export interface Alternatives {
  values: Float64Array;
  /** The terms of a sum inside another. */
  past: Float64Array;
  /** between(s, a) for the siblings s of the current arc, by 1 + rank[s]. */
  middle: Float64Array;
}

/** Fills a prepared chart with log-sums, and returns the log-partition: -Infinity when there is no tree. */
export function fillInside(chart: ProjectiveChart, work: Alternatives): number {
  const { n } = chart;
  const { start, head } = chart.scores.arcs;
  if (n === 0) return 0;
  work.values = grownFloat64(work.values, n + 1);
  work.past = grownFloat64(work.past, n + 1);
  work.middle = grownFloat64(work.middle, n + 1);
  const cells = chart.prepareBetween();
  chart.between.fill(Number.NaN, 0, cells);
  for (let i = n; i >= 1; i--) {
    attachSide(chart, work, 2 * i + 1, true);
    if (start[i] !== start[i + 1]) fillRight(chart, work, i);
    let next = start[i];
    const end = start[i + 1];
    while (next < end && head[next] < i) next++;
    for (let j = i + 1; j <= n; j++) {
      if (next < end && head[next] === j) attach(chart, work, next++, true);
      if (chart.leftReach[j] <= i && start[j] !== start[j + 1]) fillLeft(chart, work, j, i);
    }
  }
  attachSide(chart, work, 1, !chart.singleRoot);
  return closed(chart, work, 1, 0, n);
}

function attachSide(chart: ProjectiveChart, work: Alternatives, group: number, siblings: boolean): void {
  const { start, arcs } = chart.scores.byHead;
  for (let i = start[group]; i < start[group + 1]; i++) attach(chart, work, arcs[i], siblings);
}

/** Fills attached(q, a) for all q, and the histories if they are stored. */
function attach(chart: ProjectiveChart, work: Alternatives, a: number, siblings: boolean): void {
  const { arcs, byHead, arcScores } = chart.scores;
  const { values, middle } = work;
  const h = arcs.head[a];
  const isRight = arcs.modifier[a] > h;
  const width = chart.width[h];
  const options = byHead.rank[a] + 1;
  const nearest = byHead.start[2 * h + (isRight ? 1 : 0)];
  const isPruned = arcScores[a] === -Infinity;
  middle[0] = isPruned ? -Infinity : halfSpan(chart, a, isRight ? h + 1 : h - 1);
  for (let k = 1; k < options; k++) {
    const s = byHead.arcs[nearest + k - 1];
    const usable = siblings && !isPruned && arcScores[s] !== -Infinity;
    middle[k] = usable ? between(chart, work, s, a) : -Infinity;
  }
  for (let p = 0; p < width; p++) {
    let count = 0;
    for (let k = 0; k < options; k++) {
      let value = middle[k];
      if (value !== -Infinity && k > 0) {
        const s = byHead.arcs[nearest + k - 1];
        value += chart.tri ? past(chart, work, a, s, p, k) : chart.attached[chart.attachedOf[s] + p];
      }
      if (value !== -Infinity) {
        value += localScore(chart, a, p, k);
        values[count++] = value;
      }
      if (chart.tri) chart.history[chart.historyOf[a] + p * options + k] = value;
    }
    chart.attached[chart.attachedOf[a] + p] = logSum(values, count);
  }
}

/** Returns the log-sum over t of history(q, s, t) + tri(a, s, t). */
function past(
  chart: ProjectiveChart,
  work: Alternatives,
  a: number,
  s: number,
  slot: number,
  k: number,
): number {
  const { history, scores } = chart;
  const { triSibling } = scores;
  const from = chart.historyOf[s] + slot * k;
  const tri = triStart(triSibling, a, k);
  let count = 0;
  for (let t = 0; t < k; t++) {
    const value = history[from + t] + triSibling.scores[tri + t];
    if (value !== -Infinity) work.past[count++] = value;
  }
  return logSum(work.past, count);
}

/** Returns between(s, a), stored for the outside pass. */
function between(chart: ProjectiveChart, work: Alternatives, s: number, a: number): number {
  const cell = betweenCell(chart, s, a);
  const known = chart.between[cell];
  if (!Number.isNaN(known)) return known;
  const { modifier } = chart.scores.arcs;
  const x = modifier[s] < modifier[a] ? s : a;
  const y = x === s ? a : s;
  const from = modifier[x];
  let count = 0;
  for (let e = from; e < modifier[y]; e++) {
    const value = halfSpan(chart, x, e) + halfSpan(chart, y, e + 1);
    if (value !== -Infinity) work.values[count++] = value;
  }
  const sum = logSum(work.values, count);
  chart.between[cell] = sum;
  return sum;
}

function fillRight(chart: ProjectiveChart, work: Alternatives, h: number): void {
  const width = chart.width[h];
  const row = chart.rightOf[chart.scores.arcs.start[h]];
  const left = chart.leftOf[chart.scores.arcs.start[h]];
  for (let p = 0; p < width; p++) {
    chart.right[row + p] = 0;
    chart.left[left + p] = 0;
    for (let e = h + 1; e <= chart.rightReach[h]; e++) {
      chart.right[row + (e - h) * width + p] = closed(chart, work, 2 * h + 1, p, e);
    }
  }
}

function fillLeft(chart: ProjectiveChart, work: Alternatives, h: number, b: number): void {
  const width = chart.width[h];
  const cell = chart.leftOf[chart.scores.arcs.start[h]] + (h - b) * width;
  for (let p = 0; p < width; p++) chart.left[cell + p] = closed(chart, work, 2 * h, p, b);
}

/** Returns the log-sum of a half-span that ends at `end`, over the outermost modifier. */
function closed(
  chart: ProjectiveChart,
  work: Alternatives,
  group: number,
  slot: number,
  end: number,
): number {
  const { arcs, byHead } = chart.scores;
  const isRight = (group & 1) === 1;
  let count = 0;
  for (let i = byHead.start[group]; i < byHead.start[group + 1]; i++) {
    const a = byHead.arcs[i];
    const m = arcs.modifier[a];
    if (isRight ? m > end : m < end) break;
    const inner = chart.attached[chart.attachedOf[a] + slot];
    const rest = halfSpan(chart, a, end);
    if (inner === -Infinity || rest === -Infinity) continue;
    work.values[count++] = inner + lastScore(chart, a) + rest;
  }
  return logSum(work.values, count);
}

/** Returns the log of the sum of exp of the first `count` values. */
function logSum(values: Float64Array, count: number): number {
  let most = -Infinity;
  for (let i = 0; i < count; i++) if (values[i] > most) most = values[i];
  // Pruned candidates often leave one term, or none.
  if (count < 2 || most === -Infinity) return most;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += exp(values[i] - most);
  return most + log(sum);
}
