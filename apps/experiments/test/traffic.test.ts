import {
  mixShards,
  type OnlineState,
  perceptron,
  runShardsHere,
  type ShardRunner,
  type StructuredTask,
} from "@arcwise/learn";
import { expect, test } from "vitest";
import { countedRunner } from "../src/mixing/traffic.ts";

/** A runner of two shards of ten weights whose steps change given weights, or any if undefined. */
function fixedRunner(changes: readonly (readonly number[] | undefined)[]): ShardRunner {
  const state = (length: number, epoch: number): OnlineState => ({
    values: new Float32Array(length),
    weighted: new Float32Array(length),
    epoch,
    steps: epoch,
  });
  return {
    start: async () => ({ size: 4, state: state(10, 0) }),
    result: async ({ values }) => values,
    *run(steps) {
      for (const { shard, epoch } of steps) {
        const own = changes[shard];
        yield {
          shard,
          done: 2,
          mistakes: 1,
          cost: 1,
          loss: 1,
          milliseconds: 1,
          state: state(own?.length ?? 10, epoch),
          changed: own && Int32Array.from(own),
        };
      }
    },
  };
}

const options = { shards: 2, epochs: 3, seed: 1 } as const;

test.each([
  // A weight is an index and entries of two vectors: 12 bytes. Up: 3 rounds of 2 + 3 weights. Down: 2 rounds of
  // the union {1, 2, 3, 4} to both shards.
  [
    "changes",
    [
      [1, 2],
      [2, 3, 4],
    ],
    12 * (3 * (2 + 3) + 2 * 2 * 4),
  ],
  ["no changes of one shard", [[], [7]], 12 * (3 * 1 + 2 * 2 * 1)],
  // Ten entries of two vectors: 80 bytes, 3 rounds up and 2 down, both shards.
  ["whole states", [undefined, undefined], 80 * (3 * 2 + 2 * 2)],
])("counts the bytes of %s", async (_what, changes, bytes) => {
  const { runner, traffic } = countedRunner(fixedRunner(changes));
  await mixShards(runner, options);
  expect(traffic).toEqual({ bytes, rounds: 3 });
});

test("does not change the result of a training", async () => {
  const task: StructuredTask<boolean> = {
    size: 4,
    dimension: 4,
    decode: (example, weights) => (weights[example] ?? 0) > 0,
    difference(example, right, into) {
      if (!right) into.add(example, 1);
      return right ? 0 : 1;
    },
  };
  const plain = await mixShards(runShardsHere(task, perceptron(4)), options);
  const { runner, traffic } = countedRunner(runShardsHere(task, perceptron(4)));
  expect(await mixShards(runner, options)).toEqual(plain);
  expect(traffic.bytes).toBeGreaterThan(0);
});
