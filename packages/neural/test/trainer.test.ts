import { Adam, type BatchLoss, fallingRate, MatrixMemory, Parameters, Trainer } from "@arcwise/neural";
import { describe, expect, test } from "vitest";

/** An embedding of 5 rows of 4 units, and 8 parameters of layers. */
const EMBEDDING = { entries: 5, units: 4 };

function setUp(options?: { rateFactor: number }) {
  const parameters = new Parameters(new MatrixMemory(), 28, true);
  parameters.values.set(Float32Array.from(parameters.values, (_, i) => i));
  return { parameters, trainer: new Trainer(parameters, EMBEDDING, options) };
}

test("a step updates the layers, and of the embedding the rows that were looked up, by the mean gradient", () => {
  const { parameters, trainer } = setUp({ rateFactor: 3 });
  parameters.gradients.fill(1);
  trainer.step(0.1, { count: 2, rows: [3, 0, 3] });
  const { parameters: expected } = setUp();
  expected.gradients.fill(1);
  const adam = new Adam(expected);
  const step = adam.begin(0.1);
  for (const row of [0, 3]) adam.update({ ...step, rate: 3 * step.rate }, 4 * row, 4 * row + 4, 0.5);
  adam.update(step, 20, 28, 0.5);
  expect(parameters.values).toEqual(expected.values);
  expect([...parameters.values.subarray(4, 12)]).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
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
  /** Trains for some epochs; returns what was learned and reported. */
  async function train(epochs: readonly number[], { parameters, trainer } = setUp()) {
    const steps: number[] = [];
    const reports: number[][] = [];
    const learn = (rows: readonly number[], step: number): BatchLoss => {
      steps.push(step);
      for (const row of rows) parameters.gradients.fill(row - 1.5, 4 * row, 4 * row + 4);
      parameters.gradients.fill(1 + rows.length, 20);
      return { loss: 6, count: 3 * rows.length, rows };
    };
    const onStep = (...report: number[]) => void reports.push(report);
    let loss = 0;
    for (const epoch of epochs)
      loss = await trainer.learnEpoch({
        epoch,
        epochs: 3,
        rate: 0.1,
        batches,
        learn,
        onStep,
        pause: () => {},
      });
    return { steps, reports, loss, state: trainer.state };
  }

  test("makes a step per batch, and reports the share that is done and the mean loss", async () => {
    const { steps, reports, loss } = await train([1, 2]);
    expect(steps).toEqual([0, 1, 2, 3, 4, 5]);
    expect(reports.slice(3)).toEqual([
      [0.4, 1],
      [0.6, 12 / 9],
      [1, 18 / 15],
    ]);
    expect(loss).toBe(18 / 15);
  });

  test("has steps whose rate falls over all epochs", async () => {
    const { parameters, trainer } = setUp();
    const learned = setUp();
    await train([1, 2, 3], learned);
    for (let epoch = 1; epoch <= 3; epoch++) {
      for (const [b, rows] of batches.entries()) {
        for (const row of rows) parameters.gradients.fill(row - 1.5, 4 * row, 4 * row + 4);
        parameters.gradients.fill(1 + rows.length, 20);
        const progress = (5 * (epoch - 1) + [0, 2, 3][b]) / 15;
        trainer.step(fallingRate(0.1, progress), { count: 3 * rows.length, rows });
      }
    }
    expect(trainer.state).toEqual(learned.trainer.state);
  });

  test("resumes from a state to the same bits, also after another training", async () => {
    const whole = await train([1, 2, 3]);
    const other = setUp();
    await train([1], other);
    other.trainer.restore((await train([1])).state);
    expect((await train([2, 3], other)).state).toEqual(whole.state);
    const { steps, parameters } = setUp().trainer.state;
    other.trainer.restore({ steps, parameters });
    expect((await train([1, 2, 3], other)).state).toEqual(whole.state);
  });

  test("ends when its pause throws", async () => {
    const { trainer, parameters } = setUp();
    const pause = () => {
      throw new Error("stopped");
    };
    const learn = () => ({ loss: 1, count: 1, rows: [] });
    const run = { epoch: 1, epochs: 1, rate: 0.1, batches, learn, pause };
    await expect(trainer.learnEpoch(run)).rejects.toThrow("stopped");
    expect(trainer.state.steps).toBe(1);
    expect(parameters.values).toHaveLength(28);
  });
});
