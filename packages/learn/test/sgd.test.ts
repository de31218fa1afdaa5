import { SparseVector } from "@arcwise/core";
import { AveragedWeights, crf, svm, trainOnline } from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Adam } from "../src/online/adam.ts";
import { Sgd } from "../src/online/sgd.ts";
import { randomTask } from "./list-task.ts";

const sparseSteps = fc.array(
  fc.array(fc.tuple(fc.nat(19), fc.integer({ min: -8, max: 8 })), { maxLength: 3 }),
  { minLength: 1, maxLength: 60 },
);

const DIMENSION = 20;

function gradientOf(entries: readonly (readonly [number, number])[]): SparseVector {
  const gradient = new SparseVector();
  for (const [index, value] of entries) gradient.add(index, value / 8);
  return gradient;
}

/** The same steps, with penalties on every weight at every step, and the weights of all steps added up. */
function eagerSteps(
  steps: readonly (readonly (readonly [number, number])[])[],
  { rate, decay, l2 }: { rate: number; decay: number; l2: number },
) {
  const values = new Float64Array(DIMENSION);
  const sum = new Float64Array(DIMENSION);
  for (const [t, entries] of steps.entries()) {
    const gradient = gradientOf(entries);
    const length = rate / (1 + decay * t);
    for (let i = 0; i < DIMENSION; i++) {
      values[i] = (1 - length * l2) * values[i] + length * gradient.get(i);
      sum[i] += values[i];
    }
  }
  return { values, average: sum.map((value) => value / steps.length) };
}

describe("Sgd", () => {
  it.each([
    { rate: 0.5, decay: 0, l2: 0 },
    { rate: 0.5, decay: 0.1, l2: 1e-3 },
    { rate: 0.5, decay: 0.25, l2: 0.5 },
    { rate: 2, decay: 1, l2: 0.5 },
  ])("penalises waiting weights as if it did all at every step: %j", (options) => {
    fc.assert(
      fc.property(sparseSteps, (steps) => {
        const weights = new AveragedWeights(DIMENSION);
        const lazy = new Sgd(weights, options);
        for (const entries of steps) lazy.step(gradientOf(entries));
        lazy.flush();
        const eager = eagerSteps(steps, options);
        const average = weights.average();
        for (let i = 0; i < DIMENSION; i++) {
          expect(weights.values[i]).toBeCloseTo(eager.values[i], 4);
          expect(average[i]).toBeCloseTo(eager.average[i], 4);
        }
      }),
    );
  });

  it("postpones at most one percent of shrinking", () => {
    const weights = new AveragedWeights(1000);
    const sgd = new Sgd(weights, { rate: 1, decay: 0, l2: 0.004 });
    sgd.step(gradientOf([[0, 8]]));
    const wait = gradientOf([[1, 8]]);
    for (let step = 1; step <= 100; step++) {
      sgd.step(wait);
      const exact = 0.996 ** step;
      expect(weights.values[0] / exact).toBeLessThan(1 / 0.985);
      expect(weights.values[0] / exact).toBeGreaterThan(0.9999);
    }
  });

  it("accumulates its sums over many steps without an update", () => {
    const weights = new AveragedWeights(100_000);
    const sgd = new Sgd(weights, { rate: 0.1, decay: 0, l2: 1e-6 });
    sgd.step(gradientOf([[0, 80]]));
    const none = new SparseVector();
    for (let step = 1; step < 70_000; step++) sgd.step(none);
    sgd.flush();
    expect(weights.values[0]).toBeCloseTo((1 - 1e-7) ** 69_999, 4);
    expect(weights.average()[0]).toBeCloseTo((1 + (1 - 1e-7) ** 69_999) / 2, 4);
  });

  it.each([{ rate: 0 }, { decay: -1 }, { l2: Number.NaN }, { rate: 2, l2: 1 }])("refuses %j", (options) => {
    expect(() => crf(3, { ...options, optimizer: "sgd" })).toThrow(RangeError);
  });
});

describe("Adam", () => {
  it("makes the steps of the paper where every weight has a gradient at every step", () => {
    const options = { rate: 0.1, damping: 1e-3, l2: 0.3, decay: 0.5 };
    const weights = new AveragedWeights(1);
    const adam = new Adam(weights, options);
    let [w, mean, square, sum] = [0, 0, 0, 0];
    for (let t = 1; t <= 30; t++) {
      const derivative = Math.sin(t * t);
      const one = new SparseVector();
      one.add(0, derivative);
      adam.step(one);
      const gradient = derivative - 0.3 * w;
      mean = 0.9 * mean + 0.1 * gradient;
      square = 0.999 * square + 0.001 * gradient ** 2;
      const length = 0.1 / Math.sqrt(1 + 0.5 * (t - 1));
      w += (length * (mean / (1 - 0.9 ** t))) / (Math.sqrt(square / (1 - 0.999 ** t)) + 1e-3);
      sum += w;
      expect(weights.values[0]).toBeCloseTo(w, 5);
      expect(weights.average()[0]).toBeCloseTo(sum / t, 4);
    }
  });

  it("applies the penalty of all steps since the last update of a weight", () => {
    const weights = new AveragedWeights(2);
    weights.values[0] = 1;
    const adam = new Adam(weights, { l2: 0.25 });
    const zero = new SparseVector();
    for (let step = 0; step < 3; step++) adam.step(zero);
    const gradient = new SparseVector();
    gradient.add(0, 0);
    adam.step(gradient);
    expect(adam.memory.means![0]).toBeCloseTo(-0.1 * 4 * 0.25, 6);
    expect(adam.memory.seen![0]).toBe(4);
  });

  it.each([{ rate: 0 }, { damping: 0 }, { l2: -1 }, { decay: -1 }])("refuses %j", (options) => {
    expect(() => crf(3, { ...options, optimizer: "adam" })).toThrow(RangeError);
  });
});

describe("svm", () => {
  it("steps along the hinge loss, and only shrinks where the margin is met", () => {
    const task = randomTask(2, 1, 3, 4);
    const learner = svm(4, { l2: 0.5 });
    const first = learner.update(task, 0);
    // The first step is 1 / l2 long and forgets what was before.
    const output = task.decode(0, new Float32Array(4), true);
    const difference = new SparseVector();
    expect(task.difference(0, output, difference)).toBe(first.cost);
    expect(first.loss).toBe(first.cost);
    for (let i = 0; i < 4; i++) expect(learner.weights.values[i]).toBeCloseTo(2 * difference.get(i), 6);
  });

  it("has steps that shrink as 1 / t", async () => {
    const task = { ...randomTask(2, 4, 3, 4), decode: () => 0 };
    const learner = svm(4, { l2: 0.5, averaged: false });
    learner.weights.steps = 1;
    learner.weights.values.fill(1);
    await trainOnline(task, learner, { epochs: 1, seed: 1 });
    // (1 - 1/2) (1 - 1/3) (1 - 1/4) (1 - 1/5)
    for (const value of learner.result()) expect(value).toBeCloseTo(1 / 5, 6);
  });

  it("requires a penalty, and a known optimizer", () => {
    expect(() => svm(3, { l2: 0 })).toThrow(RangeError);
    const unknown = { optimizer: "newton" } as unknown as { optimizer: "sgd" };
    expect(() => svm(3, unknown)).toThrow(/"?newton/);
  });
});
