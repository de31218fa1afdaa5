import {
  crf,
  exponentiatedGradient,
  frankWolfe,
  hingeObjective,
  lbfgs,
  logLossObjective,
  type Objective,
  type OnlineLearner,
  type StructuredTask,
  svm,
  trainOnline,
} from "@arcwise/learn";
import { describe, expect, it } from "vitest";
import type { DualityGap } from "../src/batch/dual.ts";
import { type ListTask, randomTask } from "./list-task.ts";

const DIMENSION = 6;
const task = randomTask(5, 12, 4, DIMENSION);

/** Returns the objective's value at the weights. */
function valueAt(objective: Objective, weights: ArrayLike<number>): number {
  return objective.evaluate(Float64Array.from(weights), new Float64Array(objective.dimension));
}

/** Returns central differences of the value, one component at a time. */
function finiteDifferences(objective: Objective, weights: Float64Array): number[] {
  const step = 1e-5;
  return [...weights.keys()].map((i) => {
    const moved = (sign: number) => weights.map((weight, j) => weight + (i === j ? sign * step : 0));
    return (valueAt(objective, moved(1)) - valueAt(objective, moved(-1))) / (2 * step);
  });
}

describe.each([
  ["log-loss", logLossObjective],
  ["hinge", hingeObjective],
])("the gradient of the mean %s", (_name, create) => {
  it.each([0, 0.3])("is that of finite differences, with the penalty %d", (l2) => {
    for (let seed = 1; seed <= 8; seed++) {
      const objective = create(randomTask(seed, 7, 4, DIMENSION), { l2 });
      const weights = Float64Array.from({ length: DIMENSION }, (_, i) => Math.sin(seed + 3 * i));
      const gradient = new Float64Array(DIMENSION);
      objective.evaluate(weights, gradient);
      const differences = finiteDifferences(objective, weights);
      for (let i = 0; i < DIMENSION; i++) expect(gradient[i]).toBeCloseTo(differences[i], 6);
    }
  });
});

async function online(learner: OnlineLearner, on: ListTask, epochs: number): Promise<Float32Array> {
  await trainOnline(on, learner, { epochs, seed: 3 });
  return learner.result();
}

describe.each([0.05, 0.5])("learners of the log-loss with the penalty %d", (l2) => {
  const objective = logLossObjective(task, { l2 });
  const minimum = lbfgs(objective, { tolerance: 1e-10 });

  it("find the same minimum: L-BFGS", () => {
    expect(minimum.converged).toBe(true);
    expect(minimum.value).toBeLessThan(valueAt(objective, new Float64Array(DIMENSION)) - 0.01);
  });

  it.each([
    ["plain steps", () => crf(DIMENSION, { optimizer: "sgd", rate: 0.2, l2 }), 1e-3],
    ["Adam", () => crf(DIMENSION, { optimizer: "adam", rate: 0.02, decay: 0.01, l2 }), 1e-3],
    ["AdaGrad", () => crf(DIMENSION, { rate: 0.3, l2, damping: 0.1 }), 1e-3],
  ] as const)("come near it with %s", async (_name, create, within) => {
    const value = valueAt(objective, await online(create(), task, 2000));
    expect(value).toBeGreaterThan(minimum.value - 1e-9);
    expect(value).toBeLessThan(minimum.value + within);
  });
});

describe.each([0.05, 0.5])("learners of the hinge loss with the penalty %d", (l2) => {
  const objective = hingeObjective(task, { l2 });
  const tolerance = 1e-7;

  it("find the same minimum, and prove it", async () => {
    const { primal, dual, weights, converged } = await frankWolfe(task, { l2, tolerance, epochs: 500 });
    expect(converged).toBe(true);
    expect(primal - dual).toBeLessThanOrEqual(tolerance);
    expect(dual).toBeLessThanOrEqual(primal);
    expect(valueAt(objective, weights)).toBeCloseTo(primal, 10);
    expect(valueAt(objective, new Float64Array(DIMENSION))).toBeGreaterThan(primal + 0.01);
  });

  it.each([
    ["Pegasos", () => svm(DIMENSION, { l2 }), 2e-2],
    ["Adam", () => svm(DIMENSION, { optimizer: "adam", rate: 0.02, decay: 0.01, l2 }), 2e-2],
    ["AdaGrad", () => svm(DIMENSION, { optimizer: "adagrad", rate: 0.3, l2, damping: 0.1 }), 2e-2],
  ] as const)("come near it with %s", async (_name, create, within) => {
    const { primal, dual } = await frankWolfe(task, { l2, tolerance, epochs: 500 });
    const value = valueAt(objective, await online(create(), task, 4000));
    expect(value).toBeGreaterThan(dual - 1e-9);
    expect(value).toBeLessThan(primal + within);
  });
});

describe.each([0.05, 0.5])("exponentiated gradient with the penalty %d", (l2) => {
  it.each([
    { loss: "log" as const, tolerance: 1e-8, epochs: 2000, within: 1e-6 },
    { loss: "hinge" as const, tolerance: 1e-4, epochs: 3000, within: 1e-4 },
  ])("finds the minimum of the loss $loss, which its dual rises to", async ({ within, ...options }) => {
    const gaps: DualityGap[] = [];
    const { converged, primal, weights } = await exponentiatedGradient(task, {
      ...options,
      l2,
      onCheck: (gap) => gaps.push({ primal: gap.primal, dual: gap.dual }) > 0,
    });
    expect(converged).toBe(true);
    const isHinge = options.loss === "hinge";
    const objective = (isHinge ? hingeObjective : logLossObjective)(task, { l2 });
    const minimum = isHinge
      ? (await frankWolfe(task, { l2, tolerance: 1e-7, epochs: 500 })).primal
      : lbfgs(objective, { tolerance: 1e-10 }).value;
    expect(Math.abs(primal - minimum)).toBeLessThan(within);
    expect(valueAt(objective, weights)).toBeCloseTo(primal, 12);
    for (const [k, gap] of gaps.entries()) {
      expect(gap.dual).toBeLessThanOrEqual(minimum + 1e-9);
      expect(gap.primal).toBeGreaterThanOrEqual(minimum - (isHinge ? 1e-7 : 1e-12));
      if (k > 0) expect(gap.dual).toBeGreaterThanOrEqual(gaps[k - 1].dual - 1e-9);
    }
  });
});

it.each(Array.from({ length: 8 }, (_, seed) => seed))(
  "pairwise Frank-Wolfe proves its minimum to 1e-7, its dual rising, on random problem %d",
  async (seed) => {
    const problem = randomTask(100 + seed, 4 + 2 * seed, 2 + (seed % 5), 3 + seed);
    const l2 = 10 ** -(seed % 4);
    const duals: number[] = [];
    const { converged, primal, weights } = await frankWolfe(problem, {
      l2,
      tolerance: 1e-7,
      epochs: 3000,
      onCheck: ({ dual }) => duals.push(dual) > 0,
    });
    expect(converged).toBe(true);
    const objective = hingeObjective(problem, { l2 });
    expect(valueAt(objective, weights)).toBeCloseTo(primal, 10);
    for (let k = 1; k < duals.length; k++) expect(duals[k]).toBeGreaterThanOrEqual(duals[k - 1] - 1e-12);
    // No point near the minimum, or on the way to it, is below the dual.
    for (let k = 0; k < 50; k++) {
      const other = weights.map((weight, i) => weight * (k / 25) + 0.1 * Math.sin(k + 3 * i));
      expect(valueAt(objective, other)).toBeGreaterThanOrEqual(duals.at(-1)! - 1e-12);
    }
  },
);

describe("a learner whose task lacks a method", () => {
  const { expectations: _, parts: __, ...bare } = task;
  const without: StructuredTask<number> = bare;
  it("says which", async () => {
    expect(() => logLossObjective(without)).toThrow(/"expectations"/);
    await expect(exponentiatedGradient(without, { l2: 1 })).rejects.toThrow(/"parts"/);
    const costless = {
      ...task,
      parts: { ...task.parts, costs: undefined },
    } as unknown as StructuredTask<number>;
    const hinge = exponentiatedGradient(costless, { l2: 1, loss: "hinge" });
    await expect(hinge).rejects.toMatchObject({
      code: "missing-method",
      message: expect.stringContaining("parts have costs"),
    });
  });
});
