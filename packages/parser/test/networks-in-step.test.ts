import { describe, expect, it } from "vitest";
import { NetworksInStep } from "../src/node/networks-in-step.ts";
import type { NetworkState } from "../src/training/network-state.ts";

/** A state of networks whose parameters, and state of the optimiser, are a number each. */
const stateOf = (epoch: number, ...numbers: number[]): NetworkState => ({
  epoch,
  steps: 10 * epoch,
  parameters: Float32Array.from(numbers),
  memory: { means: Float32Array.from(numbers, (n) => -n), squares: Float32Array.from(numbers, (n) => n * n) },
});

describe("NetworksInStep", () => {
  it("joins the states of an epoch once all places have reached it, in their order", async () => {
    const found: NetworkState[] = [];
    const together = new NetworksInStep([2, 1], { onEpoch: (state) => void found.push(state) });
    await together.reached(1, stateOf(1, 3));
    await together.reached(1, stateOf(2, 6));
    expect(found).toEqual([]);
    await together.reached(0, stateOf(1, 1, 2));
    expect(found).toEqual([stateOf(1, 1, 2, 3)]);
    await together.reached(0, stateOf(2, 4, 5));
    expect(found[1]).toEqual(stateOf(2, 4, 5, 6));
    expect(await together.last([stateOf(3, 7, 8), stateOf(3, 9)])).toEqual(stateOf(3, 7, 8, 9));
  });

  it("keeps one state after the other, and ends when the last one is kept", async () => {
    const events: string[] = [];
    const together = new NetworksInStep([1], {
      onEpoch: async ({ epoch }) => {
        events.push(`begin ${epoch}`);
        await new Promise((resolve) => setTimeout(resolve, 10 / epoch));
        events.push(`end ${epoch}`);
      },
    });
    void together.reached(0, stateOf(1, 1));
    void together.reached(0, stateOf(2, 2));
    await together.last([stateOf(2, 2)]);
    expect(events).toEqual(["begin 1", "end 1", "begin 2", "end 2"]);
  });

  it("fails at the end when a state could not be kept", async () => {
    const together = new NetworksInStep([1], { onEpoch: () => Promise.reject(new Error("disk full")) });
    await expect(together.reached(0, stateOf(1, 1))).rejects.toThrow("disk full");
    await expect(together.last([stateOf(1, 1)])).rejects.toThrow("disk full");
  });

  it("tells how far the slowest place is, once, with the mean loss of all networks", () => {
    const told: unknown[] = [];
    const together = new NetworksInStep([2, 1], { onProgress: (progress) => void told.push(progress) });
    together.progress(0, { epoch: 1, done: 4, loss: 1 });
    expect(told).toEqual([]);
    together.progress(1, { epoch: 1, done: 2, loss: 4 });
    together.progress(0, { epoch: 1, done: 9, loss: 1 });
    together.progress(1, { epoch: 2, done: 1, loss: 1 });
    expect(told).toEqual([
      { epoch: 1, done: 2, loss: 2 },
      { epoch: 1, done: 9, loss: 1 },
    ]);
  });
});
