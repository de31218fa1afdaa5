import { type Arcs, completeArcs, random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { arcMarginals } from "./support.ts";

/** Returns the determinant of an integer matrix without rounding (Bareiss 1968). Overwrites it. */
function determinant(matrix: bigint[][]): bigint {
  let sign = 1n;
  let previous = 1n;
  for (let k = 0; k < matrix.length - 1; k++) {
    const pivot = matrix.findIndex((row, i) => i >= k && row[k] !== 0n);
    if (pivot < 0) return 0n;
    if (pivot !== k) {
      [matrix[k], matrix[pivot]] = [matrix[pivot], matrix[k]];
      sign = -sign;
    }
    const top = matrix[k];
    for (let i = k + 1; i < matrix.length; i++) {
      const row = matrix[i];
      for (let j = k + 1; j < matrix.length; j++) {
        row[j] = (row[j] * top[k] - row[k] * top[j]) / previous;
      }
    }
    previous = top[k];
  }
  return sign * matrix.at(-1)!.at(-1)!;
}

/**
 * Returns the sum over trees as the determinant of the Laplacian; with a single root, its first row has the
 * root weights.
 */
function exactPartition(arcs: Arcs, weights: readonly bigint[], singleRoot: boolean): bigint {
  const laplacian = Array.from({ length: arcs.n }, () => new Array<bigint>(arcs.n).fill(0n));
  weights.forEach((weight, a) => {
    const h = arcs.head[a] - 1;
    const m = arcs.modifier[a] - 1;
    if (h >= 0 || !singleRoot) laplacian[m][m] += weight;
    if (h >= 0) laplacian[h][m] -= weight;
  });
  if (singleRoot) {
    laplacian[0].fill(0n);
    weights.forEach((weight, a) => {
      if (arcs.head[a] === 0) laplacian[0][arcs.modifier[a] - 1] = weight;
    });
  }
  return determinant(laplacian);
}

/** Returns part / whole as a number with full precision. */
function ratio(part: bigint, whole: bigint): number {
  if (part === 0n) return 0;
  const shift = BigInt(64 + Math.max(0, whole.toString(2).length - part.toString(2).length));
  return Number((part << shift) / whole) / 2 ** Number(shift);
}

describe.each([true, false])("against exact integers, single root: %s", (singleRoot) => {
  test.each([
    ["any powers of two", 10, (r: () => number) => Math.floor(80 * r())],
    ["ties and gaps of 2^50", 10, (r: () => number) => (r() < 0.3 ? 50 : 0)],
    [
      "groups of three that hold together at 2^40",
      9,
      (r: () => number, h: number, m: number) =>
        Math.floor(3 * r()) + (h > 0 && Math.floor((h - 1) / 3) === Math.floor((m - 1) / 3) ? 40 : 0),
    ],
    [
      "groups within groups",
      8,
      (r: () => number, h: number, m: number) =>
        Math.floor(2 * r()) + (h === 0 ? 0 : 25 * (3 - Math.ceil(Math.log2(1 + ((h - 1) ^ (m - 1))))) + 20),
    ],
  ])("%s: every marginal to a relative 1e-13", (_, n, exponent) => {
    for (let seed = 0; seed < 3; seed++) {
      const stream = random(seed);
      const arcs = completeArcs(n);
      const powers = Array.from(arcs.head, (h, a) => exponent(() => stream.next(), h, arcs.modifier[a]));
      const weights = powers.map((power) => 1n << BigInt(power));
      const scores = Float64Array.from(powers, (power) => power * Math.LN2);
      const { logPartition, marginals } = arcMarginals(arcs, scores, { singleRoot });
      const whole = exactPartition(arcs, weights, singleRoot);
      const digits = whole.toString(2).length;
      const exact = Math.log(ratio(whole, 1n << BigInt(digits))) + digits * Math.LN2;
      expect(Math.abs(logPartition / exact - 1)).toBeLessThan(1e-14);
      let worst = 0;
      weights.forEach((weight, a) => {
        const without = exactPartition(arcs, weights.with(a, 0n), singleRoot);
        expect(weight).toBeGreaterThan(0n);
        worst = Math.max(worst, Math.abs(marginals[a] / ratio(whole - without, whole) - 1));
      });
      expect(worst).toBeLessThan(1e-13);
    }
  });
});
