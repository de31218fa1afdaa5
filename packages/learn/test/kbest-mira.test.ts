import { kBestMira, mira, type StructuredTask } from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hildreth } from "../src/online/hildreth.ts";
import { MissingMethod } from "../src/task.ts";
import { dot, listTask, randomTask } from "./list-task.ts";

const problems = fc.record({
  // An output with the features of the gold one moves no weights, whatever its multiplier.
  gaps: fc.array(
    fc
      .array(fc.integer({ min: -3, max: 3 }), { minLength: 4, maxLength: 4 })
      .filter((gap) => gap.some((x) => x !== 0)),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  losses: fc.array(fc.integer({ min: -4, max: 8 }), { minLength: 4, maxLength: 4 }),
  most: fc.constantFrom(0.05, 0.3, 2),
});

function gramOf(gaps: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(gaps.flatMap((a) => gaps.map((b) => dot(a, b))));
}

describe("hildreth", () => {
  it("finds the best multipliers of the box: none can be moved uphill", () => {
    fc.assert(
      fc.property(problems, ({ gaps, losses, most }) => {
        const count = gaps.length;
        const gram = gramOf(gaps);
        const found = new Float64Array(count);
        hildreth(gram, Float64Array.from(losses), count, most, found);
        for (const [j, value] of found.entries()) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(most);
          const derivative = losses[j] - found.reduce((sum, m, i) => sum + gram[j * count + i] * m, 0);
          if (value < most) expect(derivative).toBeLessThan(1e-4);
          if (value > 0) expect(derivative).toBeGreaterThan(-1e-4);
        }
      }),
    );
  });

  it("meets every margin without slack", () => {
    const gaps = [
      [1, 0, 2],
      [0, 1, 2],
      [1, 1, 0],
    ];
    const losses = Float64Array.of(1, 2, 3);
    const found = new Float64Array(3);
    hildreth(gramOf(gaps), losses, 3, Infinity, found);
    const change = [0, 1, 2].map((i) => gaps.reduce((sum, gap, j) => sum + found[j] * gap[i], 0));
    for (const [j, gap] of gaps.entries()) expect(dot(gap, change)).toBeGreaterThan(losses[j] - 1e-6);
  });

  it("is the closed form for one constraint, after one step and one to see it", () => {
    const found = new Float64Array(1);
    expect(hildreth(Float64Array.of(8), Float64Array.of(2), 1, 1, found)).toBeLessThanOrEqual(2);
    expect(found[0]).toBe(0.25);
  });

  it("ends on constraints that cannot be met together", () => {
    const found = new Float64Array(2);
    hildreth(gramOf([[1], [-1]]), Float64Array.of(1, 1), 2, Infinity, found);
    expect(found.every((value) => value > 0 && value < Infinity)).toBe(true);
  });
});

describe("kBestMira", () => {
  it("is mira when k is 1", () => {
    const task = randomTask(5, 12, 6, 8);
    const one = mira(8, { aggressiveness: 0.05 });
    const best = kBestMira(8, { aggressiveness: 0.05, k: 1 });
    for (let step = 0; step < 60; step++) {
      expect(best.update(task, step % 12)).toEqual(one.update(task, step % 12));
    }
    for (let i = 0; i < 8; i++) expect(best.weights.values[i]).toBeCloseTo(one.weights.values[i], 4);
  });

  it("gives all k outputs their margins at once where that is possible", () => {
    const one = [1, 0, 0, 0];
    const features = [one, [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]].map((row) => Float64Array.from(row));
    const task = listTask([{ features, costs: [0, 1, 2, 3] }], 4);
    const learner = kBestMira(4, { k: 4, aggressiveness: Infinity });
    expect(learner.update(task, 0)).toEqual({ cost: 3, loss: 3 });
    const scores = features.map((row) => dot(row, learner.weights.values));
    for (const [y, cost] of [0, 1, 2, 3].entries())
      expect(scores[0] - scores[y]).toBeGreaterThan(cost - 1e-5);
    // The least change: the last two margins are tight, the first is met with the help of them.
    expect([...learner.weights.values].map((value) => Math.round(value * 1000) / 1000)).toEqual([
      1.667, 0, -0.333, -1.333,
    ]);
  });

  it("accepts fewer outputs than requested, and more than the initial capacity", () => {
    const few = randomTask(1, 1, 2, 3);
    expect(() => kBestMira(3, { k: 5 }).update(few, 0)).not.toThrow();
    const many = randomTask(2, 4, 40, 12);
    const learner = kBestMira(12, { k: 39, aggressiveness: 1 });
    for (let step = 0; step < 8; step++) learner.update(many, step % 4);
    expect(learner.weights.values.some((value) => value !== 0)).toBe(true);
  });

  it("requires a task with kBest", () => {
    const { kBest: _, ...rest } = randomTask(1, 1, 2, 3);
    const task: StructuredTask<number> = rest;
    expect(() => kBestMira(3).update(task, 0)).toThrow(new MissingMethod("kbest-mira", "kBest"));
  });

  it.each([{ k: 0 }, { k: 1.5 }, { k: Number.NaN }, { aggressiveness: 0 }])("refuses %j", (options) => {
    expect(() => kBestMira(3, options)).toThrow(RangeError);
  });
});
