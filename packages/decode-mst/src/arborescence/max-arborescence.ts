import type { Arcs, StepListener } from "@arcwise/core";
import { DenseArcs } from "./max-arborescence-dense.ts";
import { type ContractionEngine, ContractionForest } from "./max-arborescence-forest.ts";
import { ListedArcs } from "./max-arborescence-rows.ts";
import { SparseArcs } from "./max-arborescence-sparse.ts";
import { watchedEngine } from "./watched-engine.ts";

/**
 * Finds maximum spanning arborescences in memory of its own, which grows to the largest problem seen and is
 * used again. One solver serves one problem at a time.
 */
export interface ArborescenceSolver {
  /** `maxArborescence` in this solver's memory. */
  dense(n: number, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean;
  /** `maxArborescenceOfArcs` in this solver's memory. */
  arcs(arcs: Arcs, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean;
  /** Returns the same with heaps, however many arcs there are. */
  sparse(arcs: Arcs, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean;
}

/** Options of the functions that find arborescences. */
export interface ArborescenceOptions {
  /** Exactly one word hangs off the root (the default), or one or more. */
  readonly singleRoot?: boolean | undefined;
  /** Memory to work in. Without it, each call allocates its own. */
  readonly solver?: ArborescenceSolver | undefined;
}

/** From this share of all arcs on, rows of scores are cheaper than heaps. */
const DENSE = 1 / 16;

/**
 * Returns a solver whose memory is still empty.
 *
 * @param onStep receives the arcs that are chosen, and the circles that are contracted; default: nothing is reported
 */
export function createArborescenceSolver(onStep?: StepListener): ArborescenceSolver {
  const forest = new ContractionForest();
  const denseArcs = new DenseArcs();
  const listedArcs = new ListedArcs();
  const sparseArcs = new SparseArcs();

  function solve(engine: ContractionEngine, n: number, heads: Int32Array, singleRoot: boolean): boolean {
    forest.reset(n);
    const used = onStep === undefined ? engine : watchedEngine(engine, onStep);
    if (!forest.contract(used, singleRoot)) return false;
    forest.expand(heads);
    return true;
  }

  function dense(n: number, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean {
    checkMatrix(n, scores, heads);
    denseArcs.reset(n, scores);
    return solve(denseArcs, n, heads, singleRoot);
  }

  function arcs(arcs: Arcs, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean {
    const { n } = arcs;
    if (n > 65_535 || scores.length < DENSE * n * n) return sparse(arcs, scores, heads, singleRoot);
    checkArcs(arcs, scores, heads);
    listedArcs.reset(arcs, scores);
    return solve(listedArcs, n, heads, singleRoot);
  }

  function sparse(arcs: Arcs, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean {
    checkArcs(arcs, scores, heads);
    sparseArcs.reset(arcs, scores);
    return solve(sparseArcs, arcs.n, heads, singleRoot);
  }

  return { dense, arcs, sparse };
}

/**
 * The maximum spanning arborescence of a dense graph: the tree over words 1..n and root 0 with the highest
 * sum of scores, exactly, with a single root or several. Of equal trees it is always the same one.
 *
 * `scores` has (n + 1)² entries or more; the score of the arc h -> m is at `m * (n + 1) + h`, so that the
 * candidates of a modifier lie together. -Infinity marks a missing arc; row 0 and the diagonal are not read. The n
 * + 1 heads are written to `heads`. Returns false, and leaves `heads` alone, when there is no tree.
 *
 * Sums are exact up to the rounding of differences: relative to the largest score that takes part in a
 * choice, not to its own. Scores must not exceed 2^1000 in absolute value, so that no difference overflows.
 *
 * O(n²) time and memory, without recursion; no allocation with a solver that has seen this n. Tarjan (1977);
 * single root: Gabow and Tarjan (1984), Zmigrod, Vieira and Cotterell (2020).
 *
 * @throws RangeError when a score is NaN or +Infinity, or the arrays do not fit n
 */
export function maxArborescence(
  n: number,
  scores: Float64Array,
  heads: Int32Array,
  options: ArborescenceOptions = {},
): boolean {
  const solver = options.solver ?? createArborescenceSolver();
  return solver.dense(n, scores, heads, options.singleRoot ?? true);
}

/**
 * The maximum spanning arborescence of candidate arcs, one score an arc: otherwise as `maxArborescence`.
 *
 * O(arcs log n) time, O(n + arcs) memory, without recursion: Tarjan (1977), with skew heaps. Where at least a
 * sixteenth of all arcs are candidates, O(n²), as for a matrix, which is faster then.
 *
 * @throws RangeError when a score is NaN or +Infinity, or the arrays do not fit each other
 */
export function maxArborescenceOfArcs(
  arcs: Arcs,
  scores: Float64Array,
  heads: Int32Array,
  options: ArborescenceOptions = {},
): boolean {
  const solver = options.solver ?? createArborescenceSolver();
  return solver.arcs(arcs, scores, heads, options.singleRoot ?? true);
}

function checkMatrix(n: number, scores: Float64Array, heads: Int32Array): void {
  if (!Number.isInteger(n) || n < 0) throw new RangeError(`n must be an integer >= 0, got ${n}`);
  const width = n + 1;
  const end = width * width;
  if (scores.length < end) {
    throw new RangeError(`scores must have at least ${end} entries, got ${scores.length}`);
  }
  expectLength("heads", heads.length, width);
  for (let i = width; i < end; i++) {
    if (scores[i] < Infinity) continue;
    const h = i % width;
    const m = (i - h) / width;
    if (h !== m) throw new RangeError(`score of ${h} -> ${m} must be finite or -Infinity, got ${scores[i]}`);
  }
}

function checkArcs(arcs: Arcs, scores: Float64Array, heads: Int32Array): void {
  expectLength("scores", scores.length, arcs.head.length);
  expectLength("heads", heads.length, arcs.n + 1);
  for (let a = 0; a < scores.length; a++) {
    if (scores[a] < Infinity) continue;
    throw new RangeError(
      `score of ${arcs.head[a]} -> ${arcs.modifier[a]} must be finite or -Infinity, got ${scores[a]}`,
    );
  }
}

function expectLength(what: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`${what} must have ${expected} entries, got ${found}`);
}
