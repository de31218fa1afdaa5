import { EarlyStopping, lbfgs, logLossObjective, perceptron, trainOnline } from "@arcwise/learn";
import { expect, it } from "vitest";
import { randomTask } from "./list-task.ts";

it("ends training when the score has not risen for a while, and keeps the best weights", async () => {
  const scores = [0.5, 0.7, 0.7, 0.6, 0.9, 0.8];
  const stopping = new EarlyStopping(3);
  const learner = perceptron(6);
  const seen: Float32Array[] = [];
  await trainOnline(randomTask(1, 20, 3, 6), learner, {
    epochs: 100,
    seed: 1,
    onEpoch: ({ epoch }) => {
      seen.push(learner.result());
      return stopping.goesOn(scores[epoch - 1] ?? 0, learner.result());
    },
  });
  expect(seen).toHaveLength(8);
  expect(stopping.epoch).toBe(5);
  expect(stopping.score).toBe(0.9);
  expect(stopping.weights).toEqual(seen[4]);
});

it("supports learners with 64-bit weights, which it copies", () => {
  const stopping = new EarlyStopping<Float64Array>(1);
  const { iteration } = lbfgs(logLossObjective(randomTask(1, 20, 3, 6)), {
    onIteration: (state) => stopping.goesOn(-Math.abs(state.iteration - 2), state.weights),
  });
  expect(iteration).toBe(3);
  expect(stopping.epoch).toBe(2);
});

it("refuses NaN as a score, and a patience below 1", () => {
  expect(() => new EarlyStopping(0)).toThrow(RangeError);
  expect(() => new EarlyStopping(1).goesOn(Number.NaN, new Float32Array(1))).toThrow(RangeError);
});
