import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NetworkMean } from "../src/training/network-mean.ts";
import type { NetworkState } from "../src/training/network-state.ts";

/** Powers of two and their sums are exact in 32 bits. */
const entry = fc.integer({ min: -64, max: 64 }).map((k) => k / 8);
const SIZE = 4;
const vector = fc.array(entry, { minLength: SIZE, maxLength: SIZE }).map((all) => Float32Array.from(all));
const state: fc.Arbitrary<NetworkState> = fc.record({
  epoch: fc.constant(3),
  steps: fc.nat(100),
  parameters: vector,
  memory: fc.record({ means: vector, squares: vector }),
});

describe("NetworkMean", () => {
  it("is, entry by entry, the mean of the shards that changed it", () => {
    fc.assert(
      fc.property(state, fc.array(state, { minLength: 1, maxLength: 5 }), (from, shards) => {
        const before = structuredClone(from);
        const mean = new NetworkMean(from);
        for (const shard of shards) mean.add(shard);
        const found = mean.take();
        const expected = (read: (of: NetworkState) => Float32Array) =>
          Float32Array.from(read(from), (first, i) => {
            const changed = shards.map((shard) => read(shard)[i]!).filter((value) => value !== first);
            return changed.length === 0
              ? first
              : changed.reduce((sum, value) => sum + value) / changed.length;
          });
        expect(found.parameters).toEqual(expected(({ parameters }) => parameters));
        expect(found.memory!.means).toEqual(expected(({ memory }) => memory!.means));
        expect(found.memory!.squares).toEqual(expected(({ memory }) => memory!.squares));
        expect(found.steps).toBe(Math.max(...shards.map(({ steps }) => steps)));
        expect(found.epoch).toBe(3);
        expect(from).toEqual(before);
      }),
    );
  });
});
