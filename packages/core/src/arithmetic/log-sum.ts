import { exp } from "./exponentials.ts";
import { log } from "./logarithms.ts";

/** Returns log(exp(a) + exp(b) + ...) of the values `from .. to - 1`; -Infinity of none. O(values). */
export function logSum(values: Float64Array | Float32Array, from: number, to: number): number {
  let best = -Infinity;
  for (let k = from; k < to; k++) if (values[k] > best) best = values[k];
  if (best === -Infinity) return best;
  let sum = 0;
  for (let k = from; k < to; k++) sum += exp(values[k] - best);
  return best + log(sum);
}
