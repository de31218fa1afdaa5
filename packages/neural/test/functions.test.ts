import { exponential } from "@arcwise/neural";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { logarithm, power, sigmoid, tanh } from "../src/functions.ts";

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

  test("logarithm equals Math.log to 1e-15", () => {
    const property = fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
      const expected = Math.log(x);
      expect(Math.abs(logarithm(x) - expected)).toBeLessThan(1e-15 * Math.max(1, Math.abs(expected)));
    });
    fc.assert(property, { numRuns: 300 });
    expect(largest(0.5, 2, 0.001, (x) => logarithm(x) - Math.log(x))).toBeLessThan(5e-16);
  });

  test("power equals the product of its factors", () => {
    expect(largest(0, 500, 1, (k) => power(0.9, k) / 0.9 ** k - 1)).toBeLessThan(1e-13);
    expect(power(2, 10)).toBe(1024);
    expect(power(0.9, 2 ** 40)).toBe(0);
  });

  test.each([
    [0, -Infinity],
    [Infinity, Infinity],
    [-1, Number.NaN],
    [Number.NaN, Number.NaN],
    [1, 0],
  ])("the logarithm of %s is %s", (x, expected) => expect(logarithm(x)).toBe(expected));
});
