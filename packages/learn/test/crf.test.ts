import { SparseVector } from "@arcwise/core";
import { AveragedWeights, crf, type StructuredTask, trainOnline } from "@arcwise/learn";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdaGrad } from "../src/online/adagrad.ts";
import { MissingMethod } from "../src/task.ts";
import { randomTask, separableTask } from "./list-task.ts";

/** The same steps, with every weight shrunk at every step, and the weights of all steps added up. */
class EagerAdaGrad {
  readonly values: Float64Array;
  readonly sum: Float64Array;
  readonly #squares: Float64Array;
  readonly #rate: number;
  readonly #l2: number;
  readonly #damping: number;

  constructor(dimension: number, rate: number, l2: number, damping: number) {
    this.values = new Float64Array(dimension);
    this.sum = new Float64Array(dimension);
    this.#squares = new Float64Array(dimension);
    this.#rate = rate;
    this.#l2 = l2;
    this.#damping = damping;
  }

  step(gradient: SparseVector): void {
    for (let i = 0; i < this.values.length; i++) {
      const derivative = gradient.get(i);
      this.#squares[i] += derivative ** 2;
      const h = this.#damping + Math.sqrt(this.#squares[i]);
      this.values[i] = (h * this.values[i] + this.#rate * derivative) / (h + this.#rate * this.#l2);
      this.sum[i] += this.values[i];
    }
  }
}

const sparseSteps = fc.array(
  fc.array(fc.tuple(fc.nat(19), fc.integer({ min: -8, max: 8 })), { maxLength: 3 }),
  { minLength: 1, maxLength: 60 },
);

describe("AdaGrad", () => {
  it.each([
    { l2: 0, damping: 0.1 },
    { l2: 0.02, damping: 0.01 },
    { l2: 1, damping: 1 },
  ])("shrinks waiting weights as if it shrunk all at every step: %j", ({ l2, damping }) => {
    fc.assert(
      fc.property(sparseSteps, (steps) => {
        const weights = new AveragedWeights(20);
        const lazy = new AdaGrad(weights, { rate: 0.5, l2, damping });
        const eager = new EagerAdaGrad(20, 0.5, l2, damping);
        for (const entries of steps) {
          const gradient = new SparseVector();
          for (const [index, value] of entries) gradient.add(index, value / 8);
          lazy.step(gradient);
          eager.step(gradient);
        }
        lazy.flush();
        const average = weights.average();
        for (let i = 0; i < 20; i++) {
          expect(weights.values[i]).toBeCloseTo(eager.values[i], 4);
          expect(average[i]).toBeCloseTo(eager.sum[i] / steps.length, 4);
        }
      }),
    );
  });

  it("shrinks a weight over many postponed steps without losing accuracy", () => {
    const weights = new AveragedWeights(2);
    const lazy = new AdaGrad(weights, { rate: 0.1, l2: 1e-4, damping: 0.5 });
    const eager = new EagerAdaGrad(2, 0.1, 1e-4, 0.5);
    const first = new SparseVector();
    first.add(0, 1);
    const none = new SparseVector();
    lazy.step(first);
    eager.step(first);
    for (let step = 1; step < 100_003; step++) {
      lazy.step(none);
      eager.step(none);
    }
    lazy.flush();
    expect(weights.values[0] / eager.values[0]).toBeCloseTo(1, 5);
    expect((weights.average()[0] * weights.steps) / eager.sum[0]).toBeCloseTo(1, 4);
  });

  it("updates all weights after as many gradient entries as there are weights", () => {
    const weights = new AveragedWeights(3);
    const adagrad = new AdaGrad(weights, { rate: 1, l2: 1, damping: 1 });
    const gradient = (index: number) => {
      const vector = new SparseVector();
      vector.add(index, 1);
      return vector;
    };
    adagrad.step(gradient(0));
    const once = weights.values[0];
    adagrad.step(gradient(1));
    expect(weights.values[0]).toBe(once);
    adagrad.step(gradient(2));
    expect(weights.values[0]).toBeCloseTo(once * (2 / 3) ** 2, 6);
  });
});

describe("crf", () => {
  it("converges to 0 with a strong penalty", async () => {
    const { task } = separableTask(11, 40, 3, 6, 0.1);
    const norms = [];
    for (const l2 of [0, 0.1, 10]) {
      const learner = crf(6, { l2 });
      await trainOnline(task, learner, { epochs: 30, seed: 2 });
      norms.push(Math.hypot(...learner.result()));
    }
    expect(norms).toEqual(norms.toSorted((a, b) => b - a));
    expect(norms[2]).toBeLessThan(0.2);
  });

  it("keeps the weights of the last step when it does not average", async () => {
    const task = randomTask(4, 10, 3, 6);
    const last = crf(6, { averaged: false });
    const averaged = crf(6);
    for (const learner of [last, averaged]) await trainOnline(task, learner, { epochs: 3, seed: 1 });
    expect([...last.result()]).toEqual([...averaged.weights.values]);
    expect([...last.result()]).not.toEqual([...averaged.result()]);
    const into = new Float32Array(6);
    expect(last.result(into)).toBe(into);
  });

  it("requires a task with expectations", () => {
    const { expectations: _, ...rest } = randomTask(1, 1, 2, 3);
    const task: StructuredTask<number> = rest;
    expect(() => crf(3).update(task, 0)).toThrow(new MissingMethod("crf", "expectations"));
  });

  it.each([
    { rate: 0 },
    { rate: Infinity },
    { damping: 0 },
    { damping: Number.NaN },
    { l2: -1 },
    { l2: Number.NaN },
  ])("refuses %j", (options) => {
    expect(() => crf(3, options)).toThrow(RangeError);
  });
});
