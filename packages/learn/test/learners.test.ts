import {
  crf,
  crfLearner,
  exponentiatedGradient,
  exponentiatedGradientLearner,
  frankWolfe,
  frankWolfeLearner,
  hingeObjective,
  kBestMira,
  kBestMiraLearner,
  type Learner,
  type LearnerState,
  lbfgs,
  lbfgsLearner,
  logLossObjective,
  mira,
  miraLearner,
  type OnlineLearner,
  perceptron,
  perceptronLearner,
  type StructuredTask,
  svm,
  svmLearner,
  trainOnline,
  type WeightVector,
} from "@arcwise/learn";
import { describe, expect, it } from "vitest";
import { MissingMethod } from "../src/task.ts";
import { randomTask } from "./list-task.ts";

const task = randomTask(9, 15, 4, 8);
const l2 = 0.1;
const EPOCHS = 8;
const SEED = 3;

async function online(learner: OnlineLearner): Promise<WeightVector> {
  await trainOnline(task, learner, { epochs: EPOCHS, seed: SEED });
  return learner.result();
}

/** Each learner, and the weights of the function that it stands for. */
const LEARNERS: readonly { learner: Learner; expected: () => Promise<WeightVector> }[] = [
  { learner: perceptronLearner(), expected: () => online(perceptron(8)) },
  { learner: miraLearner({ aggressiveness: 0.2 }), expected: () => online(mira(8, { aggressiveness: 0.2 })) },
  { learner: kBestMiraLearner({ k: 2 }), expected: () => online(kBestMira(8, { k: 2 })) },
  { learner: svmLearner({ l2 }), expected: () => online(svm(8, { l2 })) },
  { learner: crfLearner({ l2 }), expected: () => online(crf(8, { l2 })) },
  {
    learner: frankWolfeLearner({ l2, tolerance: 0 }),
    expected: async () => (await frankWolfe(task, { l2, tolerance: 0, epochs: EPOCHS, seed: SEED })).weights,
  },
  {
    learner: exponentiatedGradientLearner({ l2, tolerance: 0 }),
    expected: async () =>
      (await exponentiatedGradient(task, { l2, tolerance: 0, epochs: EPOCHS, seed: SEED })).weights,
  },
  {
    learner: lbfgsLearner({ l2, tolerance: 0, history: 3 }),
    expected: async () =>
      lbfgs(logLossObjective(task, { l2 }), { tolerance: 0, history: 3, iterations: EPOCHS }).weights,
  },
  {
    learner: lbfgsLearner({ l2, tolerance: 0, history: 3, loss: "hinge" }),
    expected: async () =>
      lbfgs(hingeObjective(task, { l2 }), { tolerance: 0, history: 3, iterations: EPOCHS }).weights,
  },
];

it.each(LEARNERS.filter(({ learner }) => !learner.batch))(
  "$learner.name has one vector of weights",
  async ({ learner }) => {
    const found = new Set<WeightVector>();
    const onEpoch = (_: LearnerState, weights: () => WeightVector) => void found.add(weights());
    found.add(await learner.train(task, { epochs: EPOCHS, seed: SEED, onEpoch }));
    expect(found.size).toBe(1);
  },
);

describe.each(LEARNERS)("the learner $learner.name", ({ learner, expected }) => {
  const training = { epochs: EPOCHS, seed: SEED };

  it("finds the weights of the function that it wraps", async () => {
    const weights = await learner.train(task, training);
    expect(Array.from(weights)).toEqual(Array.from(await expected()));
    expect(weights.some((weight) => weight !== 0)).toBe(true);
  });

  it("resumes from each of its states", async () => {
    const states: LearnerState[] = [];
    const kept: WeightVector[] = [];
    const whole = await learner.train(task, {
      ...training,
      onEpoch: (state, weights) => {
        states.push(structuredClone(state));
        kept.push(weights().slice());
      },
    });
    expect(states.map(({ epoch }) => epoch)).toEqual(states.map((_, k) => k + 1));
    expect(kept.at(-1)).toEqual(whole);
    for (const resume of states.slice(0, -1)) {
      const rest = await learner.train(task, { ...training, resume });
      expect(rest).toEqual(whole);
    }
  });

  it("ends when onEpoch returns false", async () => {
    let epochs = 0;
    await learner.train(task, { ...training, onEpoch: async () => ++epochs < 2 });
    expect(epochs).toBe(2);
  });

  it("ends with the reason of its signal", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const onEpoch = () => stop.abort(reason);
    await expect(learner.train(task, { ...training, onEpoch, signal: stop.signal })).rejects.toBe(reason);
  });

  it("refuses the states of another kind of learner and of another task", async () => {
    const states: LearnerState[] = [{ epoch: 1, numbers: {}, vectors: { other: new Float64Array(8) } }];
    const onEpoch = (state: LearnerState) => states.push(structuredClone(state)) < 2;
    await learner.train(randomTask(9, 15, 4, 5), { ...training, onEpoch });
    for (const resume of states)
      await expect(learner.train(task, { ...training, resume })).rejects.toThrow(RangeError);
  });

  it("refuses tasks without the methods that it needs, and takes those without the others", async () => {
    const { size, dimension, decode, difference } = task;
    const bare: StructuredTask<number> = { size, dimension, decode, difference };
    const able = {
      ...bare,
      ...Object.fromEntries([...learner.needs].map((method) => [method, task[method as "parts"]])),
    };
    await expect(learner.train(able, training)).resolves.toHaveLength(8);
    if (learner.needs.size === 0) return;
    await expect(learner.train(bare, training)).rejects.toThrow(MissingMethod);
    await expect(learner.train(bare, training)).rejects.toMatchObject({ method: [...learner.needs][0] });
  });
});

it.each([frankWolfe, exponentiatedGradient])(
  "%o refuses to train without a penalty or epochs",
  async (train) => {
    await expect(train(task, { l2: 0 })).rejects.toThrow(RangeError);
    await expect(train(task, { l2, epochs: 0 })).rejects.toThrow(RangeError);
  },
);

it("L-BFGS works on the weights that parts have features of, and leaves the others at 0", async () => {
  const wide = { ...randomTask(4, 12, 3, 5), dimension: 100 };
  const learner = lbfgsLearner({ l2, tolerance: 1e-9 });
  let state: LearnerState | undefined;
  const weights = await learner.train(wide, {
    epochs: 200,
    seed: 1,
    onEpoch: (next) => {
      state = next;
    },
  });
  expect(state!.vectors.weights).toHaveLength(5);
  const { converged, weights: minimum } = lbfgs(logLossObjective(wide, { l2 }), { tolerance: 1e-9 });
  expect(converged).toBe(true);
  for (const [i, weight] of minimum.entries()) expect(weights[i]).toBeCloseTo(weight, 6);
  expect(weights.slice(5).every((weight) => weight === 0)).toBe(true);
});
