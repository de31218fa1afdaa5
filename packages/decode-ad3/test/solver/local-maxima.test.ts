import { random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { AT_MOST_ONE, KNAPSACK, OR, OR_WITH_OUTPUT, PAIR, XOR } from "../../src/solver/kinds.ts";
import { allows, localMaximum, localValue } from "../../src/solver/local-maxima.ts";
import { assignments, fractionalKnapsack, LOGIC, type Logic, logicPoints } from "./truth-tables.ts";

const KINDS: readonly (readonly [Logic, number])[] = [
  ["xor", XOR],
  ["atMostOne", AT_MOST_ONE],
  ["or", OR],
  ["orWithOutput", OR_WITH_OUTPUT],
];
const NONE = new Float64Array(8);
const dot = (a: readonly number[], b: ArrayLike<number>) =>
  a.reduce((sum, value, i) => sum + value * b[i], 0);

describe.each(KINDS)("%s", (logic, kind) => {
  test.each([2, 3, 5])("of %d inputs allows the assignments of its truth table", (k) => {
    for (const on of assignments(k)) {
      expect(allows(kind, Float64Array.from(on), k, NONE, 0, 0), on.join("")).toBe(LOGIC[logic](on));
    }
  });

  test.each([2, 3, 5])("of %d inputs has the highest value of its truth table", (k) => {
    const next = random(k);
    const points = logicPoints(logic, k);
    for (let round = 0; round < 100; round++) {
      const x = Float64Array.from({ length: k }, () => next.normal());
      const best = new Float64Array(k);
      const expected = Math.max(...points.map((on) => dot(on, x)));
      expect(localMaximum(kind, x, k, 0, NONE, 0, 0, best)).toBeCloseTo(expected, 12);
      expect(LOGIC[logic]([...best])).toBe(true);
      expect(dot([...best], x)).toBeCloseTo(expected, 12);
      expect(localValue(kind, x, k, 0, NONE, 0, 0, best)).toBeCloseTo(expected, 12);
    }
  });
});

describe("knapsacks", () => {
  const next = random(3);
  const cases = Array.from({ length: 100 }, () => ({
    x: Float64Array.from({ length: 4 }, () => next.normal()),
    costs: Array.from({ length: 4 }, () => (next.next() < 0.2 ? 0 : next.next())),
    budget: next.next() * 2,
  }));

  test("allow the sets within their budgets", () => {
    for (const { costs, budget } of cases) {
      for (const on of assignments(4)) {
        const isAllowed = allows(KNAPSACK, Float64Array.from(on), 4, Float64Array.from(costs), 0, budget);
        expect(isAllowed).toBe(dot(on, costs) <= budget);
      }
    }
  });

  test("have the highest value of fractional knapsacks", () => {
    for (const { x, costs, budget } of cases) {
      const best = new Float64Array(4);
      const expected = fractionalKnapsack([...x], costs, budget);
      const limits = Float64Array.from(costs);
      expect(localMaximum(KNAPSACK, x, 4, 0, limits, 0, budget, best)).toBeCloseTo(expected, 12);
      expect(dot([...best], x)).toBeCloseTo(expected, 12);
      expect(dot([...best], costs)).toBeLessThan(budget + 1e-12);
      expect(localValue(KNAPSACK, x, 4, 0, limits, 0, budget, best)).toBeCloseTo(expected, 12);
    }
    expect(localMaximum(KNAPSACK, new Float64Array(2), 2, 0, NONE, 0, -1, new Float64Array(2))).toBe(
      -Infinity,
    );
  });
});

test("a pair scores when both are on", () => {
  const next = random(4);
  for (let round = 0; round < 200; round++) {
    const x = Float64Array.of(next.normal(), next.normal());
    const potential = 2 * next.normal();
    const best = new Float64Array(2);
    const value = ([a, b]: readonly number[]) => a! * x[0] + b! * x[1] + a! * b! * potential;
    const expected = Math.max(...assignments(2).map(value));
    expect(localMaximum(PAIR, x, 2, potential, NONE, 0, 0, best)).toBeCloseTo(expected, 12);
    expect(value([...best])).toBeCloseTo(expected, 12);
  }
});
