import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRound, decodeSummary, encodeRound } from "../src/steps/round-blobs.ts";
import type { RoundState } from "../src/steps/round-state.ts";

const SHARDS = [{ shard: 0, done: 3, mistakes: 1, cost: 2, loss: 0.5, milliseconds: 1.25 }];

const changes = fc
  .uniqueArray(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 60 })
  .map((weights): RoundState & { readonly changed: Int32Array } => {
    const changed = Int32Array.from(weights).sort();
    const values = Float32Array.from(changed, (weight) => weight / 3);
    const weighted = Float32Array.from(changed, (weight) => -weight);
    return { state: { epoch: 2, steps: 7, values, weighted }, changed, shards: SHARDS };
  });

const weights = fc.array(
  fc.oneof(fc.constantFrom(0, -0), fc.float({ noNaN: true, noDefaultInfinity: true })),
  {
    minLength: 30,
    maxLength: 30,
  },
);

describe("the bytes of a state", () => {
  it("are read as they were written, with the sign of zeros, also into another state", () => {
    fc.assert(
      fc.property(weights, weights, weights, fc.boolean(), (first, second, third, hasMemory) => {
        // Containers have no -0.
        const vector = (entries: number[]) => Float32Array.from(entries, (x) => (hasMemory ? x + 0 : x));
        const memory = hasMemory ? { squares: vector(third) } : undefined;
        const vectors = { values: vector(first), weighted: vector(second) };
        const state = { epoch: 2, steps: 7, ...vectors, memory };
        const bytes = encodeRound("training-state", { state, shards: SHARDS });
        expect(decodeRound("training-state", bytes)).toEqual({ state, shards: SHARDS });
        const into = {
          epoch: 1,
          steps: 1,
          values: new Float32Array(30).fill(5),
          weighted: new Float32Array(3),
        };
        const found = decodeRound("training-state", bytes, into);
        expect(found.state).toEqual(state);
        if (!hasMemory) expect(found.state.values).toBe(into.values);
        expect(decodeSummary("training-state", bytes)).toEqual({ shards: SHARDS, isSparse: false });
      }),
    );
  });
});

describe("the bytes of changes", () => {
  it("are read as they were written, wherever they are in memory", () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 0, max: 7 }), (round, offset) => {
        const bytes = encodeRound("mixture", round);
        const moved = new Uint8Array(bytes.length + offset);
        moved.set(bytes, offset);
        expect(decodeRound("mixture", moved.subarray(offset))).toEqual(round);
        expect(decodeSummary("mixture", moved.subarray(offset))).toEqual({ shards: SHARDS, isSparse: true });
      }),
    );
  });

  it("are refused when they are another kind", () => {
    fc.assert(
      fc.property(changes, (round) => {
        expect(() => decodeRound("shard-result", encodeRound("mixture", round))).toThrow("mixture");
      }),
    );
  });

  it("are not written of weights in another order", () => {
    const [values, weighted] = [new Float32Array(2), new Float32Array(2)];
    const state = { epoch: 1, steps: 1, values, weighted };
    expect(() => encodeRound("mixture", { state, changed: Int32Array.of(2, 1), shards: [] })).toThrow(
      "ascending",
    );
  });
});
