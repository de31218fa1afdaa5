import { random } from "@arcwise/core";
import { logSumExponentials, matrix, softmaxLoss, softmaxLosses } from "@arcwise/neural";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** Loss and probabilities by the definition. */
function naive(scores: readonly number[], target: number, excluded: number) {
  const weights = scores.map((score, c) => (c === excluded ? 0 : Math.exp(score)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { loss: -Math.log(weights[target] / sum), shares: weights.map((weight) => weight / sum) };
}

const scores = fc
  .array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 2, maxLength: 12 })
  .map((list) => list.map(Math.fround));

describe("softmax cross-entropy", () => {
  test("is the target's negative log-probability; gradients are probabilities minus the target", () => {
    const property = fc.property(scores, fc.nat(), fc.option(fc.nat()), (list, first, second) => {
      const target = first % list.length;
      const excluded = second === null || second % list.length === target ? -1 : second % list.length;
      const values = new Float32Array(2 * list.length + 1).fill(9);
      values.set(list);
      const gradients = list.length;
      const choice = { scores: 0, gradients, choices: list.length, target, excluded };
      const { loss, shares } = naive(list, target, excluded);
      expect(softmaxLoss(values, choice)).toBeCloseTo(loss, 5);
      for (const [c, share] of shares.entries()) {
        expect(values[gradients + c]).toBeCloseTo(share - (c === target ? 1 : 0), 5);
      }
      // Nothing else is written.
      expect([...values.subarray(0, list.length)]).toEqual(list);
      expect(values.at(-1)).toBe(9);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("has the gradient of finite differences", () => {
    const stream = random(2);
    const list = Float32Array.from({ length: 6 }, () => stream.normal());
    const choice = { scores: 0, gradients: 6, choices: 6, target: 2, excluded: 4 };
    const values = new Float32Array(12);
    const lossAt = (c: number, step: number) => {
      values.set(list);
      values[c] += step;
      return softmaxLoss(values, choice);
    };
    lossAt(0, 0);
    const gradients = values.slice(6);
    // Losses are computed in 64 bits from 32-bit scores, and 2^-10 is exact: the error is the error of the series,
    // some 1e-7.
    for (let c = 0; c < 6; c++) {
      const difference = (lossAt(c, 2 ** -10) - lossAt(c, -(2 ** -10))) * 2 ** 9;
      expect(gradients[c]).toBeCloseTo(difference, 4);
    }
    expect(gradients[4]).toBe(0);
  });

  test("its normaliser is the logarithm of the sum of exponentials", () => {
    const property = fc.property(scores, (list) => {
      const values = Float32Array.from([100, ...list, 100]);
      const expected = Math.log(list.reduce((sum, score) => sum + Math.exp(score), 0));
      expect(logSumExponentials(values, 1, list.length)).toBeCloseTo(expected, 7);
    });
    fc.assert(property, { numRuns: 200 });
  });

  test("is finite for scores far apart", () => {
    const values = Float32Array.from([1e4, -1e4, 0, 0]);
    expect(softmaxLoss(values, { scores: 0, gradients: 2, choices: 2, target: 1 })).toBe(2e4);
    expect([...values.subarray(2)]).toEqual([1, -1]);
  });

  test("sums over rows that have a target", () => {
    const values = new Float32Array(32);
    const stream = random(7);
    for (let i = 0; i < 16; i++) values[i] = stream.normal();
    const targets = Int32Array.from([1, -1, 2, 0]);
    const loss = softmaxLosses(values, matrix(0, 4), matrix(16, 4), targets, 3);
    let expected = 0;
    for (const [r, target] of targets.entries()) {
      if (target >= 0) expected += naive([...values.subarray(4 * r, 4 * r + 3)], target, -1).loss;
    }
    expect(loss).toBeCloseTo(expected, 5);
    expect([...values.subarray(20, 24)]).toEqual([0, 0, 0, 0]);
    expect(values[19]).toBe(0);
  });
});
