import { type Arcs, NoTree } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import { FACTOR, unscaled } from "../arborescence/score-range.ts";
import type { TreeOptions } from "../options.ts";
import { createInsideChart, fillInside, type InsideChart } from "./inside-outside-chart.ts";
import type { TreeSums } from "./matrix-tree.ts";
import { checkArcScores } from "./tree-distribution.ts";

/**
 * Makes an instance for the partition function and marginals of projective trees, with a single root or
 * several, by inside-outside over the items of Eisner's algorithm (Eisner 1996; Paskin 2001). O(n³) time: 1.5
 * n³ multiplications for the marginals; memory for 7 n² numbers.
 *
 * Weights are divided by their sum for each word, so that a sum over the trees of any span is at most 1 and
 * the chart holds plain numbers; only when the sum over all trees is below 1e-250 (from 170 words on if the
 * scores are nearly uniform, or where scores favour cycles or crossing arcs by hundreds) it is filled with
 * logarithms instead, and the outside pass computes probabilities of items: about 20 times slower.
 */
export function createInsideOutside(options: TreeOptions = {}): TreeSums {
  const chart = createInsideChart(options.singleRoot ?? true);
  const outside: Outside = {
    complete: none,
    completeByEnd: none,
    incomplete: none,
    prefix: none,
    rootArc: none,
  };

  function logPartition(arcs: Arcs, arcScores: Float64Array): number {
    const scores = checkArcScores(arcs, arcScores);
    if (arcs.n === 0) return 0;
    const sum = fillInside(chart, arcs, scores);
    if (sum === -Infinity) throw new NoTree("inside-outside", `no projective tree over ${arcs.n} words`);
    return scores === arcScores ? sum : unscaled(sum, FACTOR);
  }

  function marginals(arcs: Arcs, arcScores: Float64Array, out: Float64Array): number {
    if (out.length < arcs.head.length) {
      throw new RangeError(`marginals must have ${arcs.head.length} entries, got ${out.length}`);
    }
    const sum = logPartition(arcs, arcScores);
    if (arcs.n === 0) return sum;
    reserveOutside(outside, arcs.n);
    if (chart.logs) {
      if (chart.singleRoot) singleRootLog(chart, outside);
      else severalRootsLog(chart, outside);
      outsideLog(chart, outside);
    } else {
      if (chart.singleRoot) singleRootLinear(chart, outside);
      else severalRootsLinear(chart, outside);
      outsideLinear(chart, outside);
    }
    writeMarginals(chart, outside, arcs, out);
    return sum;
  }

  return { logPartition, marginals };
}

/**
 * Derivatives of the sum over trees by the chart's entries or, if these are logarithms, of its logarithm: the
 * items' probabilities. Contributions to a complete item use either order of its matrix and are added up.
 */
interface Outside {
  complete: Float64Array;
  completeByEnd: Float64Array;
  incomplete: Float64Array;
  prefix: Float64Array;
  /** At the end: the probability of each root arc, times the sum over trees. */
  rootArc: Float64Array;
}

const none = new Float64Array(0);

function reserveOutside(outside: Outside, n: number): void {
  const length = n * n;
  if (outside.complete.length < length) {
    outside.complete = new Float64Array(2 * length);
    outside.completeByEnd = new Float64Array(2 * length);
    outside.incomplete = new Float64Array(2 * length);
    outside.prefix = new Float64Array(2 * n + 1);
    outside.rootArc = new Float64Array(2 * n);
  }
  outside.complete.fill(0, 0, length);
  outside.completeByEnd.fill(0, 0, length);
  outside.incomplete.fill(0, 0, length);
  outside.prefix.fill(0, 0, n + 1);
  outside.rootArc.fill(0, 0, n);
}

function singleRootLinear({ n, root, complete }: InsideChart, outside: Outside): void {
  for (let r = 0; r < n; r++) {
    const weight = root[r];
    const left = complete[r * n];
    const right = complete[r * n + n - 1];
    outside.complete[r * n] = outside.complete[r * n] + weight * right;
    outside.complete[r * n + n - 1] = outside.complete[r * n + n - 1] + weight * left;
    outside.rootArc[r] = weight * left * right;
  }
}

function singleRootLog({ n, root, complete, sum }: InsideChart, outside: Outside): void {
  for (let r = 0; r < n; r++) {
    const p = exp(root[r] + complete[r * n] + complete[r * n + n - 1] - sum);
    outside.complete[r * n] = outside.complete[r * n] + p;
    outside.complete[r * n + n - 1] = outside.complete[r * n + n - 1] + p;
    outside.rootArc[r] = p;
  }
}

function severalRootsLinear(chart: InsideChart, outside: Outside): void {
  const { n, root, complete, completeByEnd, prefix, rootArc } = chart;
  outside.prefix[n] = 1;
  for (let j = n - 1; j >= 0; j--) {
    const whole = outside.prefix[j + 1];
    for (let r = 0; r <= j; r++) {
      outside.rootArc[r] = outside.rootArc[r] + whole * completeByEnd[j * n + r];
      outside.completeByEnd[j * n + r] = outside.completeByEnd[j * n + r] + whole * rootArc[r];
    }
    const part = outside.rootArc[j] * root[j];
    outside.rootArc[j] = outside.rootArc[j] * rootArc[j];
    for (let q = 0; q <= j; q++) {
      outside.prefix[q] = outside.prefix[q] + part * complete[j * n + q];
      outside.complete[j * n + q] = outside.complete[j * n + q] + part * prefix[q];
    }
  }
}

function severalRootsLog(chart: InsideChart, outside: Outside): void {
  const { n, root, complete, completeByEnd, prefix, rootArc } = chart;
  outside.prefix[n] = 1;
  for (let j = n - 1; j >= 0; j--) {
    const whole = outside.prefix[j + 1];
    for (let r = 0; whole > 0 && r <= j; r++) {
      const p = whole * exp(rootArc[r] + completeByEnd[j * n + r] - prefix[j + 1]);
      outside.rootArc[r] = outside.rootArc[r] + p;
      outside.completeByEnd[j * n + r] = outside.completeByEnd[j * n + r] + p;
    }
    const part = outside.rootArc[j];
    for (let q = 0; part > 0 && q <= j; q++) {
      const p = part * exp(root[j] + prefix[q] + complete[j * n + q] - rootArc[j]);
      outside.prefix[q] = outside.prefix[q] + p;
      outside.complete[j * n + q] = outside.complete[j * n + q] + p;
    }
  }
}

/** Propagates derivatives from longer spans to the shorter ones that they consist of. */
function outsideLinear(chart: InsideChart, outside: Outside): void {
  const { n, matrix, complete, completeByEnd, incomplete } = chart;
  const { complete: dComplete, completeByEnd: dByEnd, incomplete: dIncomplete } = outside;
  for (let length = n - 1; length >= 1; length--) {
    for (let i = 0; i + length < n; i++) {
      const j = i + length;
      const I = i * n;
      const J = j * n;
      const toRight = dComplete[I + j] + dByEnd[J + i];
      for (let r = i + 1; r <= j; r++) {
        dIncomplete[I + r] = dIncomplete[I + r] + toRight * completeByEnd[J + r];
        dByEnd[J + r] = dByEnd[J + r] + toRight * incomplete[I + r];
      }
      const toLeft = dComplete[J + i] + dByEnd[I + j];
      for (let r = i; r < j; r++) {
        dIncomplete[J + r] = dIncomplete[J + r] + toLeft * completeByEnd[I + r];
        dByEnd[I + r] = dByEnd[I + r] + toLeft * incomplete[J + r];
      }
      const between = dIncomplete[I + j] * matrix[J + i] + dIncomplete[J + i] * matrix[I + j];
      if (between === 0) continue;
      for (let r = i; r < j; r++) {
        dComplete[I + r] = dComplete[I + r] + between * complete[J + r + 1];
        dComplete[J + r + 1] = dComplete[J + r + 1] + between * complete[I + r];
      }
    }
  }
}

/**
 * The same for logarithms: distributes the probability of each item among its parts in proportion to their
 * shares.
 */
function outsideLog(chart: InsideChart, outside: Outside): void {
  const { n, matrix, complete, completeByEnd, incomplete } = chart;
  const { complete: dComplete, completeByEnd: dByEnd, incomplete: dIncomplete } = outside;
  for (let length = n - 1; length >= 1; length--) {
    for (let i = 0; i + length < n; i++) {
      const j = i + length;
      const I = i * n;
      const J = j * n;
      const toRight = dComplete[I + j] + dByEnd[J + i];
      for (let r = i + 1; toRight > 0 && r <= j; r++) {
        const p = toRight * exp(incomplete[I + r] + completeByEnd[J + r] - complete[I + j]);
        dIncomplete[I + r] = dIncomplete[I + r] + p;
        dByEnd[J + r] = dByEnd[J + r] + p;
      }
      const toLeft = dComplete[J + i] + dByEnd[I + j];
      for (let r = i; toLeft > 0 && r < j; r++) {
        const p = toLeft * exp(incomplete[J + r] + completeByEnd[I + r] - complete[J + i]);
        dIncomplete[J + r] = dIncomplete[J + r] + p;
        dByEnd[I + r] = dByEnd[I + r] + p;
      }
      const between = dIncomplete[I + j] + dIncomplete[J + i];
      if (between === 0) continue;
      const right = matrix[J + i];
      const whole = right > -Infinity ? incomplete[I + j] - right : incomplete[J + i] - matrix[I + j];
      for (let r = i; r < j; r++) {
        const p = between * exp(complete[I + r] + complete[J + r + 1] - whole);
        dComplete[I + r] = dComplete[I + r] + p;
        dComplete[J + r + 1] = dComplete[J + r + 1] + p;
      }
    }
  }
}

/** Writes the probabilities of the arcs, normalised for each modifier to remove rounding errors. */
function writeMarginals(chart: InsideChart, outside: Outside, arcs: Arcs, out: Float64Array): void {
  const { n, logs, incomplete } = chart;
  const { start, head } = arcs;
  for (let m = 0; m < n; m++) {
    const end = start[m + 2];
    let sum = 0;
    for (let a = start[m + 1]; a < end; a++) {
      const cell = (head[a] - 1) * n + m;
      let share: number;
      if (head[a] === 0) share = outside.rootArc[m];
      else share = logs ? outside.incomplete[cell] : outside.incomplete[cell] * incomplete[cell];
      out[a] = share;
      sum += share;
    }
    for (let a = start[m + 1]; a < end; a++) out[a] = out[a] / sum;
  }
}
