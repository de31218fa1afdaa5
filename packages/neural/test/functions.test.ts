import { exponential, logarithm, sigmoid, tanh } from "@arcwise/neural";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("functions made of arithmetic", () => {
  test("tanh is within 1e-8, odd, and 1 at infinity", () => {
    for (let x = -12; x <= 12; x += 0.01) expect(Math.abs(tanh(x) - Math.tanh(x))).toBeLessThan(1e-8);
    expect(tanh(-0.3)).toBe(-tanh(0.3));
    expect(tanh(Infinity)).toBeCloseTo(1, 8);
  });

  test("sigmoid is within 1e-8", () => {
    for (let x = -30; x <= 30; x += 0.01) {
      expect(Math.abs(sigmoid(x) - 1 / (1 + Math.exp(-x)))).toBeLessThan(1e-8);
    }
  });

  test("exponential has a relative error below 1e-9 from -64 to 0, and is 0 below", () => {
    for (let x = -63; x <= 0; x += 0.01) {
      expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-9);
    }
    expect(exponential(-65)).toBe(0);
    expect(exponential(-Infinity)).toBe(0);
  });

  test("logarithm is that of Math.log to 1e-15 beside it", () => {
    const property = fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
      const expected = Math.log(x);
      expect(Math.abs(logarithm(x) - expected)).toBeLessThan(1e-15 * Math.max(1, Math.abs(expected)));
    });
    fc.assert(property, { numRuns: 1000 });
    for (let x = 0.5; x <= 2; x += 0.001) expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(5e-16);
  });

  test.each([
    [0, -Infinity],
    [Infinity, Infinity],
    [-1, Number.NaN],
    [Number.NaN, Number.NaN],
    [1, 0],
  ])("the logarithm of %s is %s", (x, expected) => expect(logarithm(x)).toBe(expected));
});
