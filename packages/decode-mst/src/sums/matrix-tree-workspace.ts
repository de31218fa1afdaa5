import type { Arcs } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";

/** The weights of a sentence's arcs, dense. Words are 0..n - 1 here: position minus one. */
export interface Weights {
  n: number;
  singleRoot: boolean;
  /** Weight of head h for modifier m at m n + h. */
  matrix: Float64Array;
  /** Weight of the root as head of m at m. */
  root: Float64Array;
}

/**
 * Memory of the marginals kernels. A node's row holds the weights of its candidate heads, so that the updates
 * of an elimination run along rows.
 *
 * Depth 0 is the whole graph. Depth d + 1 holds a copy of the nodes `low[d] .. high[d] - 1` in which one half
 * has been eliminated; the nodes that are left are `low[d + 1] .. high[d + 1] - 1`. The matrix of depth d has
 * `size[d]` rows and columns, begins at `offset[d]`, and its first node is `origin[d]`; there are n root
 * entries per depth. Depth 0 begins at 0: the `Weights` as they were loaded.
 */
export interface Workspace extends Weights {
  /** Factor of a node's root entry in later eliminations: n entries per depth. */
  pivot: Float64Array;
  /** Product of the pivots so far, one per depth. */
  product: Float64Array;
  low: Int32Array;
  high: Int32Array;
  size: Int32Array;
  offset: Int32Array;
  origin: Int32Array;
  /** Which half of a depth comes next: 0, 1, or 2 when both are done. */
  half: Uint8Array;
  /** One value per node: the result of `hitting…`. */
  reach: Float64Array;
  /** Coefficient of the root arc of the node computed last. */
  rootReach: number;
}

const DEPTHS = 34;

export function createWorkspace(): Workspace {
  return {
    n: 0,
    singleRoot: true,
    matrix: new Float64Array(0),
    root: new Float64Array(0),
    pivot: new Float64Array(0),
    product: new Float64Array(DEPTHS),
    low: new Int32Array(DEPTHS),
    high: new Int32Array(DEPTHS),
    size: new Int32Array(DEPTHS),
    offset: new Int32Array(DEPTHS),
    origin: new Int32Array(DEPTHS),
    half: new Uint8Array(DEPTHS),
    reach: new Float64Array(0),
    rootReach: 0,
  };
}

/** Allocates memory for n words: about 2.4 n² numbers. */
export function reserve(work: Workspace, n: number): void {
  let length = n * n;
  let depths = 1;
  for (let size = n; ; size = (size + 1) >> 1) {
    work.offset[depths] = length;
    length += size * size;
    depths++;
    if (size <= 1) break;
  }
  if (work.matrix.length < length) work.matrix = new Float64Array(Math.max(length, 2 * work.matrix.length));
  if (work.root.length < depths * n) {
    work.root = new Float64Array(2 * depths * n);
    work.pivot = new Float64Array(2 * depths * n);
  }
  if (work.reach.length < n) work.reach = new Float64Array(2 * n);
  work.n = n;
  work.low[0] = 0;
  work.high[0] = n;
  work.size[0] = n;
  work.offset[0] = 0;
  work.origin[0] = 0;
}

/**
 * Below this share of trees among all choices of one head per word, underflow might matter, and the
 * logarithmic kernels are used. Weights are divided by their sum for each word, so no derivative of the sum
 * over trees exceeds 1, and the error by underflow (below n³ 1e-307) is negligible above the threshold.
 */
export const SMALLEST_SHARE = 1e-250;

/**
 * Fills the dense weights with weights or their logarithms, each word's divided by their sum, and returns the
 * logarithm of the product of divisors: the sum over all trees is exp of it times the sum over trees of these
 * weights. With a single root, root arcs are not part of a word's sum and are divided by their own maximum.
 * `-Infinity` when a word has no head left. O(n² + arcs).
 */
export function loadWeights(weights: Weights, arcs: Arcs, arcScores: Float64Array, logs: boolean): number {
  const { n, matrix, root, singleRoot } = weights;
  const { start, head } = arcs;
  matrix.fill(logs ? -Infinity : 0, 0, n * n);
  let shifts = 0;
  let bestRoot = -Infinity;
  for (let m = 0; m < n; m++) {
    const first = start[m + 1];
    const last = start[m + 2];
    let best = -Infinity;
    let rootScore = -Infinity;
    for (let a = first; a < last; a++) {
      if (head[a] === 0) rootScore = arcScores[a];
      if ((head[a] !== 0 || !singleRoot) && arcScores[a] > best) best = arcScores[a];
    }
    let shift = 0;
    if (best > -Infinity) {
      let sum = 0;
      for (let a = first; a < last; a++) {
        if (head[a] !== 0 || !singleRoot) sum += exp(arcScores[a] - best);
      }
      const row = m * n - 1;
      const logSum = log(sum);
      for (let a = first; a < last; a++) {
        if (head[a] === 0) continue;
        const score = arcScores[a] - best;
        matrix[row + head[a]] = logs ? score - logSum : exp(score) / sum;
      }
      shift = best + logSum;
    } else if (rootScore === -Infinity) return -Infinity;
    shifts += shift;
    root[m] = rootScore - shift;
    if (root[m] > bestRoot) bestRoot = root[m];
  }
  const rootShift = singleRoot ? bestRoot : 0;
  if (bestRoot === -Infinity) return -Infinity;
  for (let m = 0; m < n; m++) root[m] = logs ? root[m] - rootShift : exp(root[m] - rootShift);
  return shifts + rootShift;
}

/** Copies the nodes of a depth to the next one, and keeps the lower or the upper half of them there. */
export function descend(work: Workspace, depth: number, keepUpper: boolean): void {
  const { n, matrix, root, low, high, size, offset, origin } = work;
  const from = low[depth];
  const to = high[depth];
  const length = to - from;
  const next = depth + 1;
  const stride = size[depth];
  const skip = from - origin[depth];
  for (let m = 0; m < length; m++) {
    const source = offset[depth] + (skip + m) * stride + skip;
    matrix.copyWithin(offset[next] + m * length, source, source + length);
  }
  root.copyWithin(next * n, depth * n + skip, depth * n + skip + length);
  const middle = (from + to) >> 1;
  size[next] = length;
  origin[next] = from;
  low[next] = keepUpper ? middle : from;
  high[next] = keepUpper ? to : middle;
}
