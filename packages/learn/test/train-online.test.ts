import {
  crf,
  kBestMira,
  mira,
  type OnlineLearner,
  type OnlineProgress,
  type OnlineState,
  perceptron,
  svm,
  trainOnline,
  yieldToEventLoop,
} from "@arcwise/learn";
import { describe, expect, it } from "vitest";
import { type ListTask, randomTask } from "./list-task.ts";

const DIMENSION = 40;
const EPOCHS = 5;

/** The tests' task with few features a step, so that weights wait between their changes. */
function sparseTask(seed: number): ListTask {
  const task = randomTask(seed, 30, 4, DIMENSION);
  for (const [e, { features }] of task.examples.entries()) {
    for (const row of features) for (let i = 0; i < DIMENSION; i++) if ((i + e) % 6 !== 0) row[i] = 0;
  }
  return task;
}

const learners: readonly (readonly [string, () => OnlineLearner])[] = [
  ["perceptron", () => perceptron(DIMENSION)],
  ["mira", () => mira(DIMENSION)],
  ["kbest-mira", () => kBestMira(DIMENSION, { k: 3 })],
  ["crf", () => crf(DIMENSION)],
  ["crf with a penalty", () => crf(DIMENSION, { l2: 0.01 })],
  ["crf by plain steps", () => crf(DIMENSION, { optimizer: "sgd", l2: 0.01 })],
  ["crf by Adam", () => crf(DIMENSION, { optimizer: "adam", l2: 0.01 })],
  ["svm", () => svm(DIMENSION, { l2: 0.1 })],
  ["crf that does not average", () => crf(DIMENSION, { l2: 0.01, averaged: false })],
];

describe.each(learners)("training with %s", (_name, create) => {
  const task = sparseTask(7);

  async function train(seed: number, resume?: OnlineState) {
    const states: OnlineState[] = [];
    const learner = create();
    await trainOnline(task, learner, {
      epochs: EPOCHS,
      seed,
      onEpoch: (state) => void states.push(structuredClone(state)),
      ...(resume && { resume }),
    });
    return { states, weights: learner.result() };
  }

  it("gives the same weights for the same seed, and others for another", async () => {
    const { weights } = await train(1);
    expect(weights.some((value) => value !== 0)).toBe(true);
    expect((await train(1)).weights).toEqual(weights);
    expect((await train(2)).weights).not.toEqual(weights);
  });

  it("resumes after any epoch to the same weights", async () => {
    const whole = await train(1);
    expect(whole.states.map(({ epoch, steps }) => [epoch, steps])).toEqual(
      Array.from({ length: EPOCHS }, (_, index) => [index + 1, (index + 1) * task.size]),
    );
    for (const state of whole.states) {
      const resumed = await train(1, state);
      expect(resumed.weights).toEqual(whole.weights);
      expect(resumed.states).toEqual(whole.states.slice(state.epoch));
    }
  });
});

describe("trainOnline", () => {
  const task = sparseTask(3);

  it("visits each example once per epoch, in another order each time", async () => {
    const visits: number[] = [];
    const counting = { ...task, decode: (example: number) => visits.push(example) * 0 };
    await trainOnline(counting, perceptron(DIMENSION), { epochs: 3, seed: 9 });
    const orders = [0, 1, 2].map((epoch) => visits.slice(epoch * task.size, (epoch + 1) * task.size));
    for (const order of orders) expect(order.toSorted((a, b) => a - b)).toEqual([...task.examples.keys()]);
    expect(new Set(orders.map(String)).size).toBe(3);
  });

  it("reports progress: at the end of each epoch, with the sums of the epoch", async () => {
    const reports: OnlineProgress[] = [];
    const constant: OnlineLearner = {
      ...perceptron(DIMENSION),
      update: () => ({ cost: 2, loss: 0.5 }),
    };
    await trainOnline(task, constant, { epochs: 2, seed: 1, onProgress: (report) => reports.push(report) });
    const ends = reports.filter(({ done }) => done === task.size);
    expect(ends).toEqual([1, 2].map((epoch) => ({ epoch, done: 30, cost: 60, loss: 15 })));
  });

  it("reports progress within an epoch that takes long", async () => {
    const slow: OnlineLearner = {
      ...perceptron(DIMENSION),
      update() {
        const until = performance.now() + 20;
        while (performance.now() < until);
        return { cost: 1, loss: 0 };
      },
    };
    const done: number[] = [];
    await trainOnline(task, slow, { epochs: 1, seed: 1, onProgress: (report) => done.push(report.done) });
    expect(done.length).toBeGreaterThan(3);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(task.size);
  });

  it("awaits the callback after an epoch", async () => {
    const events: string[] = [];
    await trainOnline(task, perceptron(DIMENSION), {
      epochs: 2,
      seed: 1,
      onEpoch: async ({ epoch }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        events.push(`saved ${epoch}`);
      },
      onProgress: ({ epoch, done }) => void (done === task.size && events.push(`done ${epoch}`)),
    });
    expect(events).toEqual(["done 1", "saved 1", "done 2", "saved 2"]);
  });

  it("ends by the reason of a signal: before the first example, or between two", async () => {
    const reason = new Error("enough");
    let updates = 0;
    const controller = new AbortController();
    const learner: OnlineLearner = {
      ...perceptron(DIMENSION),
      update() {
        if (++updates === 11) controller.abort(reason);
        return { cost: 0, loss: 0 };
      },
    };
    const run = () => trainOnline(task, learner, { epochs: 1, seed: 1, signal: controller.signal });
    await expect(run()).rejects.toBe(reason);
    expect(updates).toBe(11);
    await expect(run()).rejects.toBe(reason);
    expect(updates).toBe(11);
  });

  it("yields to timers, which may abort it", async () => {
    const reason = new Error("too slow");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 10);
    const options = { epochs: 10_000, seed: 1, signal: controller.signal };
    await expect(trainOnline(task, mira(DIMENSION), options)).rejects.toBe(reason);
  });

  it("trains on no examples at all", async () => {
    const states: number[] = [];
    const nothing = { ...task, size: 0 };
    await trainOnline(nothing, mira(DIMENSION), {
      epochs: 2,
      seed: 1,
      onEpoch: (s) => void states.push(s.steps),
    });
    expect(states).toEqual([0, 0]);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %d epochs", async (epochs) => {
    await expect(trainOnline(task, mira(DIMENSION), { epochs, seed: 1 })).rejects.toThrow(RangeError);
  });

  it("refuses a learner or a state of another dimension, and the state of another learner", async () => {
    await expect(trainOnline(task, mira(3), { epochs: 1, seed: 1 })).rejects.toThrow(/40 weights.*3/);
    const vector = new Float32Array(DIMENSION);
    const state = { epoch: 1, steps: 1, values: vector, weighted: vector };
    const resumed = (learner: OnlineLearner, resume: OnlineState) =>
      trainOnline(task, learner, { epochs: 2, seed: 1, resume });
    await expect(resumed(mira(DIMENSION), { ...state, values: new Float32Array(3) })).rejects.toThrow(
      RangeError,
    );
    await expect(resumed(mira(DIMENSION), { ...state, weighted: new Float32Array(3) })).rejects.toThrow(
      RangeError,
    );
    await expect(resumed(crf(DIMENSION), state)).rejects.toThrow(
      /must have the vectors \[squares\], got \[\]/,
    );
    await expect(resumed(mira(DIMENSION), { ...state, memory: { squares: vector } })).rejects.toThrow(
      RangeError,
    );
  });
});

describe("yieldToEventLoop", () => {
  it("returns false until some time has passed, then true once", async () => {
    const pause = yieldToEventLoop();
    expect(pause()).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 70));
    expect(await pause()).toBe(true);
    expect(pause()).toBe(false);
  });

  it("throws at once when the signal is aborted already", () => {
    expect(() => yieldToEventLoop(AbortSignal.abort(new Error("never mind")))).toThrow("never mind");
  });
});
