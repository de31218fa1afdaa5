import { type Arcs, NoTree } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import { FACTOR, unscaled } from "../arborescence/score-range.ts";
import type { TreeOptions } from "../options.ts";
import { eliminateLinear, hittingLinear } from "./matrix-tree-linear.ts";
import { eliminateLog, hittingLog } from "./matrix-tree-log.ts";
import {
  createWorkspace,
  descend,
  loadWeights,
  reserve,
  SMALLEST_SHARE,
  type Workspace,
} from "./matrix-tree-workspace.ts";
import { checkArcScores } from "./tree-distribution.ts";

/**
 * Computes the partition function and marginals of the trees of a sentence, weighted by exp(score). Scratch
 * memory grows as needed and belongs to the instance, which is used for one sentence at a time. Scores must
 * be below 1e300 in absolute value, so that their sums are finite.
 */
export interface TreeSums {
  /**
   * Returns the log-partition: the logarithm of the sum over all trees of exp(score).
   *
   * @throws NoTree when the arcs that are not pruned contain no tree
   * @throws RangeError when a score is NaN or +Infinity, or the arrays do not fit each other
   */
  logPartition(arcs: Arcs, arcScores: Float64Array): number;
  /**
   * Writes the marginal probability of every arc, the gradient of the log-partition, to `marginals` (one
   * entry per arc; the arcs of a modifier sum to 1) and returns the log-partition. Throws as `logPartition`
   * does.
   */
  marginals(arcs: Arcs, arcScores: Float64Array, marginals: Float64Array): number;
}

/**
 * Makes an instance for the partition function and marginals of all spanning trees, projective or not, by the
 * matrix-tree theorem (Tutte 1948; Koo, Globerson, Carreras and Collins 2007; Smith and Smith 2007; McDonald
 * and Satta 2007), with a single root (exactly) or several.
 *
 * The determinant and the inverse of the Laplacian are found by an elimination without subtractions
 * (Grassmann, Taksar and Heyman 1985), halving the words recursively so that each of them is once the last
 * one left: every marginal has a small relative error, however close the Laplacian is to singular, and scores
 * may differ by any amount. O(n³) time, about 1.3 n³ multiplications for the marginals; memory for 2.4 n²
 * numbers.
 *
 * @example
 * import { completeArcs, random } from "@arcwise/core";
 * import { createMatrixTree, createTreeSampler, mbrDecoder } from "@arcwise/decode-mst";
 *
 * // Three words. A tree's probability is proportional to exp(score), the product of these weights of its arcs.
 * const arcs = completeArcs(3);
 * const weights = [5, 3, 3, 8, 5, 0.1, 0.1, 5, 3]; // 0 -> 1, 2 -> 1, 3 -> 1, 0 -> 2, 1 -> 2, ...
 * const arcScores = Float64Array.from(weights, Math.log);
 *
 * const marginals = new Float64Array(weights.length);
 * const logPartition = createMatrixTree().marginals(arcs, arcScores, marginals);
 * console.log(Math.exp(logPartition).toFixed(2)); // 468.06
 * console.log(marginals[3]!.toFixed(3)); // 0.564
 *
 * // The tree with the most correct heads on average; the most probable tree is 0 -> 1 -> 2, 1 -> 3.
 * const { heads, confidence } = mbrDecoder().decode({ arcs, arcScores, parts: [] });
 * console.log(heads.join(" ")); // -1 2 0 1
 * console.log([...confidence.slice(1)].map((p) => p.toFixed(2)).join(" ")); // 0.41 0.56 0.53
 *
 * const sampler = createTreeSampler();
 * sampler.prepare(arcs, arcScores);
 * const stream = random(1);
 * let roots = 0;
 * for (let draw = 0; draw < 10_000; draw++) {
 *   sampler.sample(stream, heads);
 *   if (heads[2] === 0) roots++;
 * }
 * console.log(Math.abs(roots / 10_000 - marginals[3]!) < 0.02); // true
 */
export function createMatrixTree(options: TreeOptions = {}): TreeSums {
  const work = createWorkspace();
  work.singleRoot = options.singleRoot ?? true;

  /** Returns the log-partition from the sum that `solve` finds: of weights, or of logarithms if it is too small. */
  function logSum(arcs: Arcs, arcScores: Float64Array, solve: (logs: boolean) => number): number {
    const scores = checkArcScores(arcs, arcScores);
    if (arcs.n === 0) return 0;
    reserve(work, arcs.n);
    const shift = loadWeights(work, arcs, scores, false);
    const share = shift === -Infinity ? 0 : solve(false);
    const sum = share >= SMALLEST_SHARE ? shift + log(share) : logSumSlowly(arcs, scores, solve);
    return scores === arcScores ? sum : unscaled(sum, FACTOR);
  }

  function logSumSlowly(arcs: Arcs, scores: Float64Array, solve: (logs: boolean) => number): number {
    const shift = loadWeights(work, arcs, scores, true);
    const sum = shift === -Infinity ? shift : shift + solve(true);
    if (sum === -Infinity) throw noTree(work);
    return sum;
  }

  function logPartition(arcs: Arcs, arcScores: Float64Array): number {
    return logSum(arcs, arcScores, (logs) => eliminateAll(work, logs));
  }

  function marginals(arcs: Arcs, arcScores: Float64Array, out: Float64Array): number {
    if (out.length < arcs.head.length) {
      throw new RangeError(`marginals must have ${arcs.head.length} entries, got ${out.length}`);
    }
    return logSum(arcs, arcScores, (logs) => visitLeaves(work, arcs, out, logs));
  }

  return { logPartition, marginals };
}

function noTree(work: Workspace): NoTree {
  const roots = work.singleRoot ? "a single root" : "several roots allowed";
  return new NoTree("matrix-tree", `the candidate arcs of ${work.n} words contain none (${roots})`);
}

/** Returns the sum over trees (or its logarithm) when all words but one are eliminated at once. O(n³ / 3). */
function eliminateAll(work: Workspace, logs: boolean): number {
  if (work.n === 1) return work.root[0];
  work.product[0] = logs ? 0 : 1;
  descend(work, 0, false);
  work.high[1] = 1;
  if (logs) eliminateLog(work, 1);
  else eliminateLinear(work, 1);
  return sumAtLeaf(work, 1, logs);
}

/** Returns the sum over trees, or its logarithm, at a depth where one node is left. */
function sumAtLeaf(work: Workspace, depth: number, logs: boolean): number {
  const root = work.root[depth * work.n + work.low[depth] - work.origin[depth]];
  if (work.singleRoot) return root;
  return logs ? root + work.product[depth] : root * work.product[depth];
}

/**
 * Halves the nodes recursively until each is alone, and then writes the marginals of its arcs. Returns the
 * sum over trees, or its logarithm, of the first leaf; stops there when the sum is too small to continue.
 */
function visitLeaves(work: Workspace, arcs: Arcs, out: Float64Array, logs: boolean): number {
  const { low, high, half } = work;
  let sum = 0;
  let leaves = 0;
  let depth = 0;
  half[0] = 0;
  work.product[0] = logs ? 0 : 1;
  while (depth >= 0) {
    if (high[depth] - low[depth] === 1) {
      if (leaves++ === 0) {
        sum = sumAtLeaf(work, depth, logs);
        if (logs ? sum === -Infinity : !(sum >= SMALLEST_SHARE)) return sum;
      }
      if (logs) writeLog(work, depth, arcs, out);
      else writeLinear(work, depth, arcs, out);
      depth--;
    } else if (half[depth] === 2) {
      depth--;
    } else {
      descend(work, depth, half[depth] === 1);
      half[depth]++;
      depth++;
      half[depth] = 0;
      if (logs) eliminateLog(work, depth);
      else eliminateLinear(work, depth);
    }
  }
  return sum;
}

function writeLinear(work: Workspace, depth: number, arcs: Arcs, out: Float64Array): void {
  const { n, matrix, root, reach } = work;
  const { start, head } = arcs;
  hittingLinear(work, depth);
  const m = work.low[depth];
  const row = m * n - 1;
  const end = start[m + 2];
  let sum = 0;
  for (let a = start[m + 1]; a < end; a++) {
    const h = head[a];
    const share = h === 0 ? root[m] * work.rootReach : matrix[row + h] * reach[h - 1];
    out[a] = share;
    sum += share;
  }
  for (let a = start[m + 1]; a < end; a++) out[a] = out[a] / sum;
}

function writeLog(work: Workspace, depth: number, arcs: Arcs, out: Float64Array): void {
  const { n, matrix, root, reach } = work;
  const { start, head } = arcs;
  hittingLog(work, depth);
  const m = work.low[depth];
  const row = m * n - 1;
  const end = start[m + 2];
  let best = -Infinity;
  for (let a = start[m + 1]; a < end; a++) {
    const h = head[a];
    out[a] = h === 0 ? root[m] + work.rootReach : matrix[row + h] + reach[h - 1];
    if (out[a] > best) best = out[a];
  }
  let sum = 0;
  for (let a = start[m + 1]; a < end; a++) {
    out[a] = exp(out[a] - best);
    sum += out[a];
  }
  for (let a = start[m + 1]; a < end; a++) out[a] = out[a] / sum;
}
