import { exponentiatedGradient, frankWolfe, lbfgs, logLossObjective } from "@arcwise/learn";
import { describe, expect, it } from "vitest";
import type { ExponentiatedGradientState } from "../src/batch/exponentiated-gradient.ts";
import type { FrankWolfeState } from "../src/batch/frank-wolfe.ts";
import type { LbfgsState } from "../src/batch/lbfgs-search.ts";
import { randomTask } from "./list-task.ts";

const task = randomTask(9, 15, 4, 8);
const l2 = 0.1;

/** Keeps copies of the states that a callback is given. */
function recorder<State>(): { readonly states: State[]; keep(state: State): boolean } {
  const states: State[] = [];
  return { states, keep: (state) => states.push(structuredClone(state)) > 0 };
}

describe("training that goes on from a state ends at the same weights, bit for bit", () => {
  it("with L-BFGS", () => {
    const objective = logLossObjective(task, { l2 });
    const options = { iterations: 9, tolerance: 0, history: 3 };
    const { states, keep } = recorder<LbfgsState>();
    const whole = lbfgs(objective, { ...options, onIteration: keep });
    expect(states).toHaveLength(9);
    for (const resume of states) {
      const rest = lbfgs(objective, { ...options, resume });
      expect(rest.weights).toEqual(whole.weights);
      expect(rest.evaluations).toBe(whole.evaluations);
    }
  });

  it("with Frank-Wolfe", async () => {
    const options = { l2, epochs: 12, checkEvery: 3, tolerance: 0 };
    const { states, keep } = recorder<FrankWolfeState>();
    const whole = await frankWolfe(task, { ...options, onCheck: keep });
    expect(states.map(({ epoch }) => epoch)).toEqual([3, 6, 9, 12]);
    for (const resume of states.slice(0, 3)) {
      expect(await frankWolfe(task, { ...options, resume })).toEqual(whole);
    }
  });

  it("with exponentiated gradient", async () => {
    const options = { l2, epochs: 8, checkEvery: 2, tolerance: 0 };
    const { states, keep } = recorder<ExponentiatedGradientState>();
    const whole = await exponentiatedGradient(task, { ...options, onCheck: keep });
    for (const resume of states.slice(0, 3)) {
      expect(await exponentiatedGradient(task, { ...options, resume })).toEqual(whole);
    }
  });
});

it("learners stop when a callback returns false, and by a signal", async () => {
  const never = { l2, tolerance: 0, checkEvery: 1, onCheck: () => false };
  expect((await frankWolfe(task, never)).epochs).toBe(1);
  expect((await exponentiatedGradient(task, never)).epochs).toBe(1);
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  for (const train of [frankWolfe, exponentiatedGradient]) {
    await expect(train(task, { l2, signal })).rejects.toBe(reason);
    await expect(train(task, { l2: 0 })).rejects.toThrow(RangeError);
    await expect(train(task, { l2, epochs: 0 })).rejects.toThrow(RangeError);
  }
});

it("states of other tasks are refused", async () => {
  const other = randomTask(9, 15, 4, 5);
  const blocks = recorder<FrankWolfeState>();
  const parts = recorder<ExponentiatedGradientState>();
  await frankWolfe(other, { l2, epochs: 1, onCheck: blocks.keep });
  await exponentiatedGradient(other, { l2, epochs: 1, onCheck: parts.keep });
  await expect(frankWolfe(task, { l2, resume: blocks.states[0] })).rejects.toThrow(RangeError);
  await expect(exponentiatedGradient(task, { l2, resume: parts.states[0] })).rejects.toThrow(RangeError);
});
