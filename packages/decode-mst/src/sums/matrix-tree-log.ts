import { exp, log1p } from "@arcwise/core/arithmetic";
import type { Workspace } from "./matrix-tree-workspace.ts";

/** Returns log(exp(a) + exp(b)), exact when one of them is -Infinity. */
export function logAdd(a: number, b: number): number {
  if (a < b) return a === -Infinity ? b : b + log1p(exp(a - b));
  return b === -Infinity ? a : a + log1p(exp(b - a));
}

/** `eliminateLinear` on logarithms of weights, for sums that a Float64 cannot hold. About 20 times slower. */
export function eliminateLog(work: Workspace, depth: number): void {
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
    let sum = singleRoot ? -Infinity : root[roots + k];
    for (let h = from; h < to; h++) sum = logAdd(sum, matrix[rowK + h]);
    total += sum;
    if (sum > -Infinity) for (let h = from; h < to; h++) matrix[rowK + h] = matrix[rowK + h] - sum;
    else matrix[rowK + from] = 0;
    const keep = singleRoot ? sum : 0;
    pivot[roots + k] = keep;
    if (!singleRoot && sum > -Infinity) root[roots + k] = root[roots + k] - sum;
    const rootK = root[roots + k];
    for (let m = from; m < to; m++) {
      const row = base + m * size;
      const weight = matrix[row + k];
      root[roots + m] = logAdd(keep + root[roots + m], weight + rootK);
      if (weight === -Infinity) continue;
      for (let h = from; h < to; h++) matrix[row + h] = logAdd(matrix[row + h], weight + matrix[rowK + h]);
    }
  }
  product[depth] = total;
}

/** `hittingLinear` on logarithms. */
export function hittingLog(work: Workspace, depth: number): void {
  const { n, matrix, root, pivot, reach } = work;
  let later = 0;
  reach[work.low[depth]] = -Infinity;
  for (let d = depth; d > 0; d--) {
    const size = work.size[d];
    const base = work.offset[d];
    const first = work.origin[d];
    if (work.high[d] - first < size) {
      for (let h = work.high[d] - first; h < size; h++) {
        const row = base + h * size;
        let sum = root[d * n + h] + later;
        for (let g = 0; g < h; g++) sum = logAdd(sum, matrix[row + g] + reach[first + g]);
        reach[first + h] = sum;
        later += pivot[d * n + h];
      }
    } else {
      for (let h = work.low[d] - first - 1; h >= 0; h--) {
        const row = base + h * size;
        let sum = root[d * n + h] + later;
        for (let g = h + 1; g < size; g++) sum = logAdd(sum, matrix[row + g] + reach[first + g]);
        reach[first + h] = sum;
        later += pivot[d * n + h];
      }
    }
  }
  work.rootReach = later;
}
