import { random } from "@arcwise/core";
import { type BatchLoss, fallingRate, MatrixMemory, Parameters, Trainer } from "@arcwise/neural";
import { describe, expect, test } from "vitest";

/** A trainer of an embedding of 5 rows of 4 units, and 8 parameters of layers. */
function setUp() {
  const parameters = new Parameters(new MatrixMemory(), 28, true);
  parameters.values.set(Float32Array.from(parameters.values, (_, i) => i / 8));
  return { parameters, trainer: new Trainer(parameters, { entries: 5, units: 4 }, { rateFactor: 3 }) };
}

test("steps as in Kingma and Ba 2015, algorithm 1: the layers, and the rows that were looked up", () => {
  const { parameters, trainer } = setUp();
  const stream = random(4);
  const expected = Float64Array.from(parameters.values);
  const [means, squares] = [new Float64Array(28), new Float64Array(28)];
  for (let step = 1; step <= 5; step++) {
    const gradients = Float32Array.from(expected, () => stream.normal());
    parameters.gradients.set(gradients);
    trainer.step(0.01, { count: 2, rows: [3, 0, 3] });
    for (const i of expected.keys()) {
      const row = Math.floor(i / 4);
      if (row === 1 || row === 2 || row === 4) continue;
      const gradient = gradients[i] / 2;
      means[i] = 0.9 * means[i] + 0.1 * gradient;
      squares[i] = 0.9 * squares[i] + 0.1 * gradient ** 2;
      const correction = 1 - 0.9 ** step;
      const rate = row < 5 ? 0.03 : 0.01;
      expected[i] -= (rate * (means[i] / correction)) / (Math.sqrt(squares[i] / correction) + 1e-8);
      // The gradients that a step used are cleared.
      gradients[i] = 0;
    }
    expect(parameters.gradients).toEqual(gradients);
  }
  for (const [i, value] of parameters.values.entries()) expect(value).toBeCloseTo(expected[i], 5);
});

test.each([
  [0, 2],
  [0.5, 1.05],
  [1, 0.1],
])("the rate of a step after the share %f of a training is %f", (progress, rate) => {
  expect(fallingRate(2, progress)).toBeCloseTo(rate, 12);
});

describe("an epoch", () => {
  const batches = [[0, 1], [2], [3, 4]];

  function addGradients({ parameters }: ReturnType<typeof setUp>, rows: readonly number[]): BatchLoss {
    for (const row of rows) parameters.gradients.fill(row - 1.5, 4 * row, 4 * row + 4);
    parameters.gradients.fill(1 + rows.length, 20);
    return { loss: 6, count: 3 * rows.length, rows };
  }

  /** Trains for some of three epochs; returns what was learned and reported. */
  async function train(epochs: readonly number[], own = setUp()) {
    const steps: number[] = [];
    const reports: number[][] = [];
    const learn = (rows: readonly number[], step: number) => {
      steps.push(step);
      return addGradients(own, rows);
    };
    const onStep = (...report: number[]) => void reports.push(report);
    const run = { epochs: 3, rate: 0.1, batches, learn, onStep, pause: () => {} };
    for (const epoch of epochs) reports.push([await own.trainer.learnEpoch({ ...run, epoch })]);
    return { steps, reports, state: own.trainer.state };
  }

  test("makes a step per batch, with a rate that falls over all epochs, and reports the mean loss", async () => {
    const { steps, reports, state } = await train([1, 2, 3]);
    expect(steps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(reports.slice(0, 4)).toEqual([[0.4, 1], [0.6, 12 / 9], [1, 18 / 15], [18 / 15]]);
    const own = setUp();
    for (const done of [0, 5, 10]) {
      for (const [b, rows] of batches.entries()) {
        const rate = fallingRate(0.1, (done + [0, 2, 3][b]) / 15);
        own.trainer.step(rate, addGradients(own, rows));
      }
    }
    expect(state).toEqual(own.trainer.state);
  });

  test("resumes from a state to the same bits, also after another training", async () => {
    const { state: whole } = await train([1, 2, 3]);
    const own = setUp();
    await train([1], own);
    own.trainer.restore((await train([1])).state);
    expect((await train([2, 3], own)).state).toEqual(whole);
    own.trainer.restore({ steps: 0, parameters: setUp().parameters.values });
    expect((await train([1, 2, 3], own)).state).toEqual(whole);
  });

  test("ends when its pause throws", async () => {
    const { trainer } = setUp();
    const pause = () => Promise.reject(new Error("stopped"));
    const run = { epoch: 1, epochs: 1, rate: 0.1, batches, learn: () => ({ loss: 1, count: 1 }), pause };
    await expect(trainer.learnEpoch(run)).rejects.toThrow("stopped");
    expect(trainer.state.steps).toBe(1);
  });
});
