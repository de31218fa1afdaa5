import { exponential } from "@arcwise/neural";
import { describe, expect, test } from "vitest";
import { sigmoid, tanh } from "../src/functions.ts";

/** The largest absolute value of a function from `low` to `high`. */
function largest(low: number, high: number, step: number, error: (x: number) => number): number {
  let most = 0;
  for (let x = low; x <= high; x += step) most = Math.max(most, Math.abs(error(x)));
  return most;
}

describe("functions made of arithmetic", () => {
  test("tanh is within 1e-8, odd, and 1 at infinity", () => {
    expect(largest(-12, 12, 0.01, (x) => tanh(x) - Math.tanh(x))).toBeLessThan(1e-8);
    expect(tanh(-0.3)).toBe(-tanh(0.3));
    expect(tanh(Infinity)).toBeCloseTo(1, 8);
  });

  test("sigmoid is within 1e-8", () => {
    expect(largest(-30, 30, 0.01, (x) => sigmoid(x) - 1 / (1 + Math.exp(-x)))).toBeLessThan(1e-8);
  });

  test("exponential has a relative error below 1e-9 from -64 to 0, and is 0 below", () => {
    expect(largest(-63, 0, 0.01, (x) => exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-9);
    expect(exponential(-65)).toBe(0);
    expect(exponential(-Infinity)).toBe(0);
  });
});
