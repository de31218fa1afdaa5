import { NoTree, type ParsingProblem, type PartKind, type Random } from "@arcwise/core";
import { PROJECTIVE_KINDS, type ProjectiveOptions } from "../options.ts";
import {
  betweenCell,
  grownFloat64,
  grownInt32,
  halfSpan,
  localScore,
  ProjectiveChart,
  triStart,
} from "../projective/projective-chart.ts";
import { type Alternatives, fillInside } from "../projective/projective-inside.ts";
import { closedScore } from "../projective/projective-max.ts";
import { LARGEST_SUMMED, projectiveScores } from "../projective/projective-scores.ts";
import { checkHeads } from "./sampling.ts";
import { drawTerm } from "./sampling-elimination.ts";

/**
 * Draws projective trees with parts, with probability proportional to exp(score). Handles one sentence at a
 * time.
 */
export interface PartSampler {
  /**
   * Prepares for a problem, whose arrays must not change until its last tree is drawn.
   *
   * @throws UnsupportedPart for parts that `projectiveDecoder` does not score, and global scorers
   * @throws NoTree when the arcs that are not pruned contain no projective tree
   * @throws RangeError when a score is NaN or +Infinity, or arrays do not fit each other
   */
  prepare(problem: ParsingProblem): void;
  /**
   * Draws a tree, independent of all others, and writes its heads (`heads[0] = -1`).
   *
   * @throws RangeError when `heads` does not have n + 1 entries
   */
  sample(stream: Random, heads: Int32Array): void;
}

/**
 * Makes a sampler of projective trees with the parts of `projectiveDecoder`. Preparing costs as much as that
 * decoder's inside pass (see `createPartSums`); drawing a tree takes O(n²) at worst, and one step for each
 * tri-sibling considered.
 */
export function createPartSampler(options: ProjectiveOptions = {}): PartSampler {
  const name = "projective sampler";
  const handles: ReadonlySet<PartKind> = new Set(PROJECTIVE_KINDS);
  const none = new Float64Array(0);
  const work: Alternatives = { values: none, past: none, middle: none };
  const chart = new ProjectiveChart();
  const walk = new ChartWalk();

  function prepare(problem: ParsingProblem): void {
    const scores = projectiveScores(problem, name, handles, undefined, LARGEST_SUMMED);
    chart.prepare(scores, options.singleRoot ?? true);
    if (fillInside(chart, work) === -Infinity) {
      throw new NoTree(name, `no projective tree over ${chart.n} words`);
    }
  }

  function sample(stream: Random, heads: Int32Array): void {
    checkHeads(heads, chart.n);
    walk.draw(chart, stream, heads);
  }

  return { prepare, sample };
}

/**
 * Samples a tree from a chart that `fillInside` has filled, from the whole sentence down; each cell draws one
 * of the terms of its sum.
 */
class ChartWalk {
  #chart!: ProjectiveChart;
  #heads!: Int32Array;
  #stream!: Random;
  /** Logarithms of the shares of the current terms, and what they stand for. */
  #terms: Float64Array = new Float64Array(0);
  #choices: Int32Array = new Int32Array(0);
  /** Pairs of an arc and an end: half-spans of the arc's modifier that are still to be drawn. */
  #stack: Int32Array = new Int32Array(0);
  #top = 0;

  /** Writes n + 1 heads. The log-partition of the chart must not be -Infinity. */
  draw(chart: ProjectiveChart, stream: Random, heads: Int32Array): void {
    this.#chart = chart;
    this.#heads = heads;
    this.#stream = stream;
    this.#terms = grownFloat64(this.#terms, chart.n + 1);
    this.#choices = grownInt32(this.#choices, chart.n + 1);
    this.#stack = grownInt32(this.#stack, 4 * (chart.n + 1));
    this.#top = 0;
    heads[0] = -1;
    if (chart.n === 0) return;
    this.#drawSide(1, 0, chart.n);
    while (this.#top > 0) {
      const end = this.#stack[--this.#top];
      const q = this.#stack[--this.#top];
      const h = chart.scores.arcs.modifier[q];
      this.#drawSide(2 * h + (end > h ? 1 : 0), chart.slotOf[q], end);
    }
  }

  #push(a: number, end: number): void {
    if (end === this.#chart.scores.arcs.modifier[a]) return;
    this.#stack[this.#top++] = a;
    this.#stack[this.#top++] = end;
  }

  /** Draws one of the first `count` choices, by their terms. */
  #drawChoice(count: number): number {
    return this.#choices[drawTerm(this.#terms, count, this.#stream)];
  }

  /** Draws the modifiers of the half-span of a group of `ArcsByHead` that ends at `end`, outermost first. */
  #drawSide(group: number, slot: number, end: number): void {
    const { arcs, byHead } = this.#chart.scores;
    const h = group >> 1;
    const isRight = (group & 1) === 1;
    const nearest = byHead.start[group];
    let a = this.#outermost(group, slot, end);
    this.#push(a, end);
    let k = this.#inner(a, slot, 0, 0);
    for (;;) {
      this.#heads[arcs.modifier[a]] = h;
      if (k === 0) break;
      const s = byHead.arcs[nearest + k - 1];
      if (isRight) this.#drawSplit(s, a);
      else this.#drawSplit(a, s);
      k = this.#inner(s, slot, a, k);
      a = s;
    }
    this.#push(a, isRight ? h + 1 : h - 1);
  }

  #outermost(group: number, slot: number, end: number): number {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const isRight = (group & 1) === 1;
    let count = 0;
    for (let i = byHead.start[group]; i < byHead.start[group + 1]; i++) {
      const a = byHead.arcs[i];
      const m = arcs.modifier[a];
      if (isRight ? m > end : m < end) break;
      this.#terms[count] = closedScore(chart, a, slot, end);
      this.#choices[count++] = a;
    }
    return this.#drawChoice(count);
  }

  /**
   * Draws the inner neighbour of arc a: 0 for none, 1 + rank otherwise. `outerK` is 0 when a is the outermost
   * modifier; otherwise a is itself the neighbour of `outer`, whose k is `outerK`.
   */
  #inner(a: number, slot: number, outer: number, outerK: number): number {
    const chart = this.#chart;
    const { byHead, triSibling } = chart.scores;
    const options = byHead.rank[a] + 1;
    const past = chart.tri ? chart.historyOf[a] + slot * options : 0;
    const tri = chart.tri && outerK > 0 ? triStart(triSibling, outer, outerK) : 0;
    let count = 0;
    for (let k = 0; k < options; k++) {
      let term: number;
      if (!chart.tri) term = this.#neighbourTerm(a, slot, k);
      else term = chart.history[past + k] + (outerK === 0 ? 0 : triSibling.scores[tri + k]);
      if (term === -Infinity) continue;
      this.#terms[count] = term;
      this.#choices[count++] = k;
    }
    return this.#drawChoice(count);
  }

  /** Returns the log-sum over everything inside arc a when its inner neighbour has index k. */
  #neighbourTerm(a: number, slot: number, k: number): number {
    const chart = this.#chart;
    const { arcs, byHead } = chart.scores;
    const h = arcs.head[a];
    const isRight = arcs.modifier[a] > h;
    if (k === 0) return halfSpan(chart, a, isRight ? h + 1 : h - 1) + localScore(chart, a, slot, 0);
    if (h === 0 && chart.singleRoot) return -Infinity;
    const s = byHead.arcs[byHead.start[2 * h + (isRight ? 1 : 0)] + k - 1];
    const past = chart.attached[chart.attachedOf[s] + slot];
    if (past === -Infinity) return -Infinity;
    return past + chart.between[betweenCell(chart, s, a)] + localScore(chart, a, slot, k);
  }

  /** Draws where right(x, e) and left(y, e + 1) meet, x before y. */
  #drawSplit(x: number, y: number): void {
    const chart = this.#chart;
    const { modifier } = chart.scores.arcs;
    let count = 0;
    for (let e = modifier[x]; e < modifier[y]; e++) {
      this.#terms[count] = halfSpan(chart, x, e) + halfSpan(chart, y, e + 1);
      this.#choices[count++] = e;
    }
    const split = this.#drawChoice(count);
    this.#push(x, split);
    this.#push(y, split + 1);
  }
}
