import type { BootstrapResult } from "@arcwise/evaluate";
import { formatP, threeDigits } from "../results/format.ts";

/** p-values from here on show no difference. */
const LEVEL = 0.05;

/** Formats the size of a difference of shares in percentage points: `0.40`. */
export function unsigned(difference: number): string {
  return (100 * Math.abs(difference)).toFixed(2);
}

/** Returns interval and p-value of a difference, and whether it shows anything. */
export function verdictOf({ difference, interval, pValue }: BootstrapResult): string {
  const ends = interval.map((end) => 100 * (difference < 0 ? -end : end)).sort((a, b) => a - b);
  const range = ends.map((end) => end.toFixed(2).replace("-", "−")).join(" to ");
  const p = pValue < 0.001 ? "p < 0.001" : `p = ${formatP(pValue)}`;
  return `95 % interval ${range}; ${p}${pValue < LEVEL ? "" : ": no difference shown"}`;
}

/** Returns a ratio of speeds in words: `12.3 times as fast`. */
export function timesAsFast(ratio: number): string {
  return `${threeDigits(ratio)} times as fast`;
}
