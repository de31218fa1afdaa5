import type { Arcs, StepListener } from "@arcwise/core";
import { DenseArcs } from "./max-arborescence-dense.ts";
import { type ContractionEngine, ContractionForest } from "./max-arborescence-forest.ts";
import { ListedArcs } from "./max-arborescence-rows.ts";
import { SparseArcs } from "./max-arborescence-sparse.ts";
import { watchedEngine } from "./watched-engine.ts";

/**
 * Finds maximum spanning arborescences: the tree over words 1..n and root 0 with the highest sum of scores, exactly,
 * with a single root or several. Of equal trees it is always the same one. Tarjan (1977); single root: Gabow and
 * Tarjan (1984), Zmigrod, Vieira and Cotterell (2020).
 *
 * Its memory grows to the largest problem seen and is used again: one solver serves one problem at a time, and
 * allocates nothing for an n that it has seen. Without recursion. Sums are exact up to the rounding of differences:
 * relative to the largest score that takes part in a choice, not to its own. Scores must not exceed 2^1000 in
 * absolute value, so that no difference overflows.
 *
 * The n + 1 heads are written to `heads`. The methods return false, and leave `heads` alone, when there is no tree;
 * they throw RangeError when a score is NaN or +Infinity, or the arrays do not fit.
 */
export interface ArborescenceSolver {
  /**
   * Takes a matrix of (n + 1)² scores or more; the score of the arc h -> m is at `m * (n + 1) + h`, so that the
   * candidates of a modifier lie together. -Infinity marks a missing arc; row 0 and the diagonal are not read.
   * O(n²) time and memory.
   */
  dense(n: number, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean;
  /**
   * Takes candidate arcs, one score an arc. O(arcs log n) time, O(n + arcs) memory, with skew heaps; where at least a
   * sixteenth of all arcs are candidates, O(n²), as for a matrix, which is faster then.
   */
  arcs(arcs: Arcs, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean;
  /** Takes candidate arcs, with heaps, however many arcs there are. */
  sparse(arcs: Arcs, scores: Float64Array, heads: Int32Array, singleRoot: boolean): boolean;
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
