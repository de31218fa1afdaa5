import { type Arcs, NoTree, type Random } from "@arcwise/core";
import { createInsideChart, fillInside, type InsideChart } from "../sums/inside-outside-chart.ts";
import { checkArcScores } from "../sums/tree-distribution.ts";
import {
  checkHeads,
  checkTemperature,
  coolScores,
  type TreeSampler,
  type TreeSamplerOptions,
} from "./sampling.ts";
import { drawShare, drawTerm } from "./sampling-elimination.ts";

/**
 * Makes an exact sampler of projective trees: it descends the inside chart of Eisner's algorithm from the
 * whole sentence, and each span draws its split point. Preparing is O(n³), drawing a tree O(n²) at worst and
 * usually near O(n log n).
 *
 * @throws RangeError when the temperature is not above 0
 */
export function createProjectiveSampler(options: Omit<TreeSamplerOptions, "maxSteps"> = {}): TreeSampler {
  const temperature = checkTemperature(options.temperature);
  const chart = createInsideChart(options.singleRoot ?? true);
  let scores = new Float64Array(0);
  let terms = new Float64Array(0);
  let stack = new Int32Array(0);
  let ready = false;

  function prepare(arcs: Arcs, arcScores: Float64Array): void {
    checkArcScores(arcs, arcScores);
    ready = false;
    if (scores.length !== arcs.head.length) scores = new Float64Array(arcs.head.length);
    coolScores(arcScores, temperature, scores);
    if (arcs.n > 0 && fillInside(chart, arcs, scores) === -Infinity) {
      throw new NoTree("projective sampler", `no projective tree over ${arcs.n} words`);
    }
    chart.n = arcs.n;
    if (terms.length <= arcs.n) {
      terms = new Float64Array(2 * arcs.n + 1);
      // Complete items on the stack overlap only at their heads, each of which has two.
      stack = new Int32Array(8 * arcs.n + 8);
    }
    ready = true;
  }

  function sample(stream: Random, heads: Int32Array): void {
    if (!ready) throw new RangeError("prepare a sentence before drawing trees");
    checkHeads(heads, chart.n);
    heads[0] = -1;
    if (chart.n === 0) return;
    const height = chart.singleRoot
      ? drawSingleRoot(chart, terms, stack, heads, stream)
      : drawRoots(chart, terms, stack, heads, stream);
    drawItems(chart, terms, stack, height, heads, stream);
  }

  return { prepare, sample };
}

/** Draws the root's modifier and pushes its two sides. Returns the height of the stack. */
function drawSingleRoot(
  chart: InsideChart,
  terms: Float64Array,
  stack: Int32Array,
  heads: Int32Array,
  stream: Random,
): number {
  const { n, logs, root, complete } = chart;
  for (let r = 0; r < n; r++) {
    const left = complete[r * n];
    const right = complete[r * n + n - 1];
    terms[r] = logs ? root[r] + left + right : root[r] * left * right;
  }
  const r = logs ? drawTerm(terms, n, stream) : drawShare(terms, n, stream);
  heads[r + 1] = 0;
  return push(stack, push(stack, 0, r, 0), r, n - 1);
}

/** Draws the root's modifiers, the last one first, and pushes their sides. */
function drawRoots(
  chart: InsideChart,
  terms: Float64Array,
  stack: Int32Array,
  heads: Int32Array,
  stream: Random,
): number {
  const { n, complete, completeByEnd, prefix, rootArc } = chart;
  let height = 0;
  let words = n;
  while (words > 0) {
    const end = words - 1;
    const r = drawSplit(chart, terms, rootArc, 0, completeByEnd, end * n, words, stream);
    heads[r + 1] = 0;
    height = push(stack, height, r, end);
    words = drawSplit(chart, terms, prefix, 0, complete, r * n, r + 1, stream);
    height = push(stack, height, r, words);
  }
  return height;
}

/** Draws the arcs of all complete items on the stack and of those that are pushed meanwhile. */
function drawItems(
  chart: InsideChart,
  terms: Float64Array,
  stack: Int32Array,
  begin: number,
  heads: Int32Array,
  stream: Random,
): void {
  const { n, complete, completeByEnd, incomplete } = chart;
  let height = begin;
  while (height > 0) {
    const end = stack[--height];
    const h = stack[--height];
    // The outermost modifier m, the span beyond it, and the split point of its arc's span.
    const first = h < end ? h + 1 : end;
    const count = h < end ? end - h : h - end;
    const m =
      first +
      drawSplit(chart, terms, incomplete, h * n + first, completeByEnd, end * n + first, count, stream);
    heads[m + 1] = h + 1;
    height = push(stack, height, m, end);
    const i = Math.min(h, m);
    const j = Math.max(h, m);
    const r = i + drawSplit(chart, terms, complete, i * n + i, complete, j * n + i + 1, j - i, stream);
    height = push(stack, push(stack, height, i, r), j, r + 1);
  }
}

/** Pushes a complete item unless it is a word alone. */
function push(stack: Int32Array, height: number, head: number, end: number): number {
  if (head === end) return height;
  stack[height] = head;
  stack[height + 1] = end;
  return height + 2;
}

/** Draws t < count in proportion to x[i + t] y[j + t] (or, for logarithms, exp of the sum). */
function drawSplit(
  chart: InsideChart,
  terms: Float64Array,
  x: Float64Array,
  i: number,
  y: Float64Array,
  j: number,
  count: number,
  stream: Random,
): number {
  if (chart.logs) {
    for (let t = 0; t < count; t++) terms[t] = x[i + t] + y[j + t];
    return drawTerm(terms, count, stream);
  }
  for (let t = 0; t < count; t++) terms[t] = x[i + t] * y[j + t];
  return drawShare(terms, count, stream);
}
