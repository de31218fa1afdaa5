import type { Workspace } from "./matrix-tree-workspace.ts";

/**
 * Eliminates, in the matrix of `depth`, the nodes that are not in `low[depth] .. high[depth] - 1`.
 *
 * Eliminating node k replaces every path m -> k -> h by an arc: w(h, m) += w(k, m) w(h, k) / s, where s is
 * the sum of k's weights to the nodes that are left. (The arc goes from modifier to head here.) The sum over
 * all trees is s times the sum of the smaller graph. The diagonal of the Laplacian is never formed, so
 * nothing is ever subtracted, and every value has a small relative error for any weights: this is the
 * elimination of Grassmann, Taksar and Heyman (1985).
 *
 * With several roots the root is one more head in s. With a single root it is not, and its entries become
 * r(m) s + w(k, m) r(k). If s = 0, no walk from k reaches the nodes left, so the root's modifier is k or was
 * eliminated before; the identity then holds with any distribution over the nodes left as k's weights, and
 * one node gets all.
 */
export function eliminateLinear(work: Workspace, depth: number): void {
  const { n, matrix, root, pivot, product, singleRoot } = work;
  const size = work.size[depth];
  const base = work.offset[depth];
  const roots = depth * n;
  const upper = work.high[depth] - work.origin[depth];
  const keepUpper = upper === size;
  const count = keepUpper ? work.low[depth] - work.origin[depth] : size - upper;
  let total = product[depth - 1];
  for (let step = 0; step < count; step++) {
    const k = keepUpper ? step : size - 1 - step;
    const from = keepUpper ? k + 1 : 0;
    const to = keepUpper ? size : k;
    const rowK = base + k * size;
    let sum = singleRoot ? 0 : root[roots + k];
    for (let h = from; h < to; h++) sum += matrix[rowK + h];
    total *= sum;
    if (sum > 0) for (let h = from; h < to; h++) matrix[rowK + h] = matrix[rowK + h] / sum;
    else matrix[rowK + from] = 1;
    const keep = singleRoot ? sum : 1;
    pivot[roots + k] = keep;
    if (!singleRoot && sum > 0) root[roots + k] = root[roots + k] / sum;
    const rootK = root[roots + k];
    for (let m = from; m < to; m++) {
      const row = base + m * size;
      const weight = matrix[row + k];
      root[roots + m] = keep * root[roots + m] + weight * rootK;
      if (weight === 0) continue;
      for (let h = from; h < to; h++) matrix[row + h] = matrix[row + h] + weight * matrix[rowK + h];
    }
  }
  product[depth] = total;
}

/**
 * Computes the coefficient of each head h of the one node k left at `depth`. `reach[h]` is, up to a factor,
 * the sum over all trees in which h is the head of k, without the weight of that arc; `rootReach` is the same
 * for the root. With several roots it is the probability that a walk from h to its head, its head's head, and
 * so on, comes to the root before it comes to k. Eliminated nodes are reinserted in reverse order. O(n²).
 */
export function hittingLinear(work: Workspace, depth: number): void {
  const { n, matrix, root, pivot, reach } = work;
  let later = 1;
  reach[work.low[depth]] = 0;
  for (let d = depth; d > 0; d--) {
    const size = work.size[d];
    const base = work.offset[d];
    const first = work.origin[d];
    if (work.high[d] - first < size) {
      for (let h = work.high[d] - first; h < size; h++) {
        const row = base + h * size;
        let sum = root[d * n + h] * later;
        for (let g = 0; g < h; g++) sum += matrix[row + g] * reach[first + g];
        reach[first + h] = sum;
        later *= pivot[d * n + h];
      }
    } else {
      for (let h = work.low[d] - first - 1; h >= 0; h--) {
        const row = base + h * size;
        let sum = root[d * n + h] * later;
        for (let g = h + 1; g < size; g++) sum += matrix[row + g] * reach[first + g];
        reach[first + h] = sum;
        later *= pivot[d * n + h];
      }
    }
  }
  work.rootReach = later;
}
