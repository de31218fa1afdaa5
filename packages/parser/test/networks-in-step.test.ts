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
    void together.reached(1, stateOf(1, 3));
    void together.reached(1, stateOf(2, 6));
    await new Promise((resolve) => setTimeout(resolve));
    expect(found).toEqual([]);
    await together.reached(0, stateOf(1, 1, 2));
    expect(found).toEqual([stateOf(1, 1, 2, 3)]);
    await together.reached(0, stateOf(2, 4, 5));
    expect(found[1]).toEqual(stateOf(2, 4, 5, 6));
  });

  it("lets no place go on before all have reached its epoch, and the state is kept", async () => {
    const events: string[] = [];
    const together = new NetworksInStep([1, 1], {
      onEpoch: async ({ epoch }) => {
        events.push(`begin ${epoch}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
        events.push(`end ${epoch}`);
      },
    });
    const first = together.reached(0, stateOf(1, 1)).then(() => void events.push("place 0 goes on"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    events.push("place 1 comes");
    await Promise.all([first, together.reached(1, stateOf(1, 2))]);
    expect(events).toEqual(["place 1 comes", "begin 1", "end 1", "place 0 goes on"]);
  });

  it("fails in all places when a state could not be kept", async () => {
    const together = new NetworksInStep([1, 1], { onEpoch: () => Promise.reject(new Error("disk full")) });
    const all = [0, 1].map((place) => together.reached(place, stateOf(1, 1)));
    for (const { status } of await Promise.allSettled(all)) expect(status).toBe("rejected");
    await expect(all[0]).rejects.toThrow("disk full");
  });

  it("tells how far the slowest place is, once, with the mean loss of all networks in its epoch", () => {
    const told: unknown[] = [];
    const together = new NetworksInStep([2, 1], { onProgress: (progress) => void told.push(progress) });
    together.progress(0, { epoch: 1, done: 4, loss: 1 });
    expect(told).toEqual([]);
    together.progress(1, { epoch: 1, done: 2, loss: 4 });
    together.progress(0, { epoch: 1, done: 9, loss: 2 });
    together.progress(0, { epoch: 2, done: 3, loss: 0.5 });
    together.progress(1, { epoch: 1, done: 9, loss: 5 });
    together.progress(1, { epoch: 2, done: 3, loss: 2 });
    expect(told).toEqual([
      { epoch: 1, done: 2, loss: 2 },
      { epoch: 1, done: 9, loss: 3 },
      { epoch: 2, done: 3, loss: 1 },
    ]);
  });
});
