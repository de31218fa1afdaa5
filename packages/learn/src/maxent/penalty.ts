import type { MaxentDesign } from "./design.ts";

/** Returns the part of the objective without the totals: |w|² / (2 variance) - counts · w. */
export function penalty({ counts }: MaxentDesign, weights: Float64Array, variance: number): number {
  let sum = 0;
  for (let t = 0; t < counts.length; t++) sum += weights[t] * (weights[t] / (2 * variance) - counts[t]);
  return sum;
}
