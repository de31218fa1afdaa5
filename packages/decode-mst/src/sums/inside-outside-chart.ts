import type { Arcs } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import { logAdd } from "./matrix-tree-log.ts";
import { loadWeights, SMALLEST_SHARE, type Weights } from "./matrix-tree-workspace.ts";

/**
 * Inside chart of all projective trees (Eisner 1996), words 0..n - 1. A complete item (h, e) is a word h with
 * all its descendants from h to e, on that side; an incomplete item (h, m) is an arc h -> m with all words
 * between.
 */
export interface InsideChart extends Weights {
  /** Whether the values are logarithms. */
  logs: boolean;
  /** The sum over trees of `matrix` and `root` weights. */
  sum: number;
  /** Logarithm of the factor that the weights were divided by. */
  shift: number;
  /** Item (h, e) at h n + e. */
  complete: Float64Array;
  /** Item (h, e) at e n + h. */
  completeByEnd: Float64Array;
  /** Item (h, m) at h n + m. */
  incomplete: Float64Array;
  /** Several roots: the sum over forests of the first j words at j. */
  prefix: Float64Array;
  /**
   * Several roots: the sum over forests of the words 0..r whose last root is r, at r, without r's right side.
   */
  rootArc: Float64Array;
}

export function createInsideChart(singleRoot: boolean): InsideChart {
  const none = new Float64Array(0);
  return {
    n: 0,
    singleRoot,
    logs: false,
    sum: 0,
    shift: 0,
    matrix: none,
    root: none,
    complete: none,
    completeByEnd: none,
    incomplete: none,
    prefix: none,
    rootArc: none,
  };
}

/**
 * Fills the chart, with weights if a Float64 can hold their sum over trees, else with logarithms. Returns the
 * log-partition, `-Infinity` when there is no tree. O(n³): about n³ / 2 multiplications.
 */
export function fillInside(chart: InsideChart, arcs: Arcs, arcScores: Float64Array): number {
  const { n } = arcs;
  reserveChart(chart, n);
  chart.logs = false;
  chart.shift = loadWeights(chart, arcs, arcScores, false);
  if (chart.shift === -Infinity) return -Infinity;
  insideLinear(chart);
  chart.sum = chart.singleRoot ? singleRootLinear(chart) : severalRootsLinear(chart);
  if (chart.sum >= SMALLEST_SHARE) return chart.shift + log(chart.sum);
  chart.logs = true;
  chart.shift = loadWeights(chart, arcs, arcScores, true);
  insideLog(chart);
  chart.sum = chart.singleRoot ? singleRootLog(chart) : severalRootsLog(chart);
  return chart.shift + chart.sum;
}

function reserveChart(chart: InsideChart, n: number): void {
  chart.n = n;
  if (chart.matrix.length < n * n) {
    const length = Math.max(n * n, 2 * chart.matrix.length);
    chart.matrix = new Float64Array(length);
    chart.complete = new Float64Array(length);
    chart.completeByEnd = new Float64Array(length);
    chart.incomplete = new Float64Array(length);
  }
  if (chart.root.length < n) {
    chart.root = new Float64Array(2 * n);
    chart.prefix = new Float64Array(2 * n + 1);
    chart.rootArc = new Float64Array(2 * n);
  }
}

/** Returns Σ x[i + t] y[j + t] for t < count. */
function dot(x: Float64Array, i: number, y: Float64Array, j: number, count: number): number {
  let sum = 0;
  for (let t = 0; t < count; t++) sum += x[i + t] * y[j + t];
  return sum;
}

/** Returns log Σ exp(x[i + t] + y[j + t]) for t < count. */
function logDot(x: Float64Array, i: number, y: Float64Array, j: number, count: number): number {
  let best = -Infinity;
  for (let t = 0; t < count; t++) {
    const term = x[i + t] + y[j + t];
    if (term > best) best = term;
  }
  if (best === -Infinity) return best;
  let sum = 0;
  for (let t = 0; t < count; t++) sum += exp(x[i + t] + y[j + t] - best);
  return best + log(sum);
}

function insideLinear(chart: InsideChart): void {
  const { n, matrix, complete, completeByEnd, incomplete } = chart;
  for (let i = 0; i < n; i++) complete[i * n + i] = completeByEnd[i * n + i] = 1;
  for (let length = 1; length < n; length++) {
    for (let i = 0; i + length < n; i++) {
      const j = i + length;
      const right = matrix[j * n + i];
      const left = matrix[i * n + j];
      const between = right + left > 0 ? dot(complete, i * n + i, complete, j * n + i + 1, length) : 0;
      incomplete[i * n + j] = right * between;
      incomplete[j * n + i] = left * between;
      const fromLeft = dot(incomplete, i * n + i + 1, completeByEnd, j * n + i + 1, length);
      complete[i * n + j] = completeByEnd[j * n + i] = fromLeft;
      const fromRight = dot(completeByEnd, i * n + i, incomplete, j * n + i, length);
      complete[j * n + i] = completeByEnd[i * n + j] = fromRight;
    }
  }
}

function insideLog(chart: InsideChart): void {
  const { n, matrix, complete, completeByEnd, incomplete } = chart;
  for (let i = 0; i < n; i++) complete[i * n + i] = completeByEnd[i * n + i] = 0;
  for (let length = 1; length < n; length++) {
    for (let i = 0; i + length < n; i++) {
      const j = i + length;
      const right = matrix[j * n + i];
      const left = matrix[i * n + j];
      const any = right > -Infinity || left > -Infinity;
      const between = any ? logDot(complete, i * n + i, complete, j * n + i + 1, length) : -Infinity;
      incomplete[i * n + j] = right + between;
      incomplete[j * n + i] = left + between;
      const fromLeft = logDot(incomplete, i * n + i + 1, completeByEnd, j * n + i + 1, length);
      complete[i * n + j] = completeByEnd[j * n + i] = fromLeft;
      const fromRight = logDot(completeByEnd, i * n + i, incomplete, j * n + i, length);
      complete[j * n + i] = completeByEnd[i * n + j] = fromRight;
    }
  }
}

function singleRootLinear({ n, root, complete }: InsideChart): number {
  let sum = 0;
  for (let r = 0; r < n; r++) sum += root[r] * complete[r * n] * complete[r * n + n - 1];
  return sum;
}

function singleRootLog({ n, root, complete }: InsideChart): number {
  let sum = -Infinity;
  for (let r = 0; r < n; r++) sum = logAdd(sum, root[r] + complete[r * n] + complete[r * n + n - 1]);
  return sum;
}

function severalRootsLinear({ n, root, complete, completeByEnd, prefix, rootArc }: InsideChart): number {
  prefix[0] = 1;
  for (let j = 0; j < n; j++) {
    rootArc[j] = root[j] * dot(prefix, 0, complete, j * n, j + 1);
    prefix[j + 1] = dot(rootArc, 0, completeByEnd, j * n, j + 1);
  }
  return prefix[n];
}

function severalRootsLog({ n, root, complete, completeByEnd, prefix, rootArc }: InsideChart): number {
  prefix[0] = 0;
  for (let j = 0; j < n; j++) {
    rootArc[j] = root[j] + logDot(prefix, 0, complete, j * n, j + 1);
    prefix[j + 1] = logDot(rootArc, 0, completeByEnd, j * n, j + 1);
  }
  return prefix[n];
}
