import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { here, type Place, share } from "@arcwise/jobs";
import { folderStore, stored, type ThreadOptions } from "@arcwise/jobs/node";
import {
  mixShards,
  type OnlineState,
  perceptron,
  runShardsAt,
  runShardsHere,
  type ShardRunner,
} from "@arcwise/learn";
import { describe, expect, it } from "vitest";
import type { MixingOptions } from "../src/distributed/mixing.ts";
import type { MixingProgress } from "../src/distributed/mixing-progress.ts";
import { StateReader, wholeState } from "../src/distributed/state-changes.ts";
import { randomTask } from "./list-task.ts";
import { classes, createWork } from "./shard-jobs.mjs";

// Threads run what was built.
const isBuilt = existsSync(new URL("../dist/index.js", import.meta.url));

const SIZE = 60;
const OUTPUTS = 4;
const DIMENSION = 20;
const numbers = randomTask(3, SIZE, OUTPUTS, DIMENSION).examples.flatMap(({ features }) =>
  features.flatMap((row) => [...row]),
);
const features = new Float64Array(new SharedArrayBuffer(8 * numbers.length));
features.set(numbers);

const data = { size: SIZE, outputs: OUTPUTS, dimension: DIMENSION, features };
const options: MixingOptions = { shards: 5, epochs: 4, seed: 8, mixing: "error" };

const folder = mkdtempSync(join(tmpdir(), "arcwise-threads-"));
let files = 0;
const freshFile = () => join(folder, `${++files}`);

/** Runs at a place of threads, which end whatever happens. */
async function withThreads<T>(
  threads: number,
  more: object,
  use: (runner: Required<ShardRunner>) => Promise<T>,
  threadOptions: ThreadOptions = {},
): Promise<T> {
  const work: unknown = await import("../node_modules/@arcwise/jobs/dist/node/index.js");
  const { onThreads } = work as typeof import("@arcwise/jobs/node");
  // Vitest's own options of Node have no meaning in threads that run what was built.
  const place = onThreads(threads, { execArgv: [], ...threadOptions });
  try {
    return await use(runShardsAt(place, classes, { ...data, ...more }));
  } finally {
    await place.close();
  }
}

function local(more: object = {}): ShardRunner {
  const { task, learner } = createWork({ ...data, ...more });
  return runShardsHere(task, learner);
}

async function train(runner: ShardRunner, more: Partial<MixingOptions> = {}) {
  const states: OnlineState[] = [];
  const state = await mixShards(runner, {
    ...options,
    onMixed: (mixed) => void states.push(plain(mixed)),
    ...more,
  });
  return { states, weights: [...(await runner.result(state))] };
}

/** Copies a state to memory that is not shared. */
function plain({ values, weighted, memory, ...rest }: OnlineState): OnlineState {
  const copied = Object.entries(memory ?? {}).map(([name, vector]) => [name, Float32Array.from(vector)]);
  return {
    ...rest,
    values: Float32Array.from(values),
    weighted: Float32Array.from(weighted),
    ...(memory && { memory: Object.fromEntries(copied) as Record<string, Float32Array> }),
  };
}

/** A place of two workers in turn, which share a store. */
async function storing(): Promise<Place> {
  const workers = [here(), here()];
  let turn = 0;
  const place: Place = { ...here(), width: 2, do: (...job) => workers[turn++ % 2]!.do(...job) };
  return stored(place, await folderStore(freshFile()));
}

const LEARNERS = ["mira", "perceptron", "crf"];

it("a whole state has no weights of the state that a learner began with", async () => {
  const learner = perceptron(2);
  learner.weights.values[0] = 1;
  const reader = new StateReader(learner);
  const state = { epoch: 1, steps: 1, values: Float32Array.of(0, 2), weighted: new Float32Array(2) };
  expect(await reader.read([share(wholeState(state, true))])).toMatchObject(state);
});

describe.each([
  ["here", here],
  ["of workers with a store", storing],
])("shards at a place %s", (_, placed) => {
  it.each(LEARNERS)("learn what one learner does, bit for bit: %s", async (learner) => {
    const sparse = learner === "crf" ? {} : { averageAfter: 2 };
    for (const more of [{}, { mixing: "changed", mixes: 4 }, { mixes: 3, ...sparse }] as const) {
      const alone = await train(local({ learner }), more);
      const place = await placed();
      const found = [1, 2].map(() => train(runShardsAt(place, classes, { ...data, learner }), more));
      // The second one finds outputs of the first one, where there is a store.
      expect(await found[0]).toEqual(alone);
      expect(await found[1]).toEqual(alone);
      expect(alone.weights.some((weight) => weight !== 0)).toBe(true);
    }
  });

  it("belong to one of several trainings from the same data", async () => {
    const place = await placed();
    const both = [1, 2].map((seed) => ({ seed, mixes: 3 }));
    const found = await Promise.all(both.map((more) => train(runShardsAt(place, classes, data), more)));
    for (const [k, more] of both.entries()) expect(found[k]).toEqual(await train(local(), more));
  });

  it("continue from a state", async () => {
    for (const learner of LEARNERS) {
      const whole = await train(local({ learner }));
      const runner = runShardsAt(await placed(), classes, { ...data, learner });
      const rest = await train(runner, { resume: whole.states[1] });
      expect(rest.weights).toEqual(whole.weights);
    }
  });
});

// `npm test` builds first; after `npm run build` the tests of one package run these as well.
describe.skipIf(!isBuilt)("shards on threads (skipped before npm run build)", () => {
  it.each([
    ["mira", 1],
    ["mira", 2],
    ["mira", 3],
    ["perceptron", 2],
    ["crf", 3],
  ])("learn what one thread does, bit for bit: %s, %d threads", async (learner, threads) => {
    for (const more of [{}, { mixing: "changed", mixes: 4 }] as const) {
      const alone = await train(local({ learner }), more);
      expect(await withThreads(threads, { learner }, (runner) => train(runner, more))).toEqual(alone);
    }
  });

  it("resume after any mixing to the same weights, and can be reused", async () => {
    await withThreads(2, {}, async (runner) => {
      const whole = await train(runner);
      for (const resume of whole.states.slice(0, -1)) {
        expect((await train(runner, { resume })).weights).toEqual(whole.weights);
      }
      // A training that ended at the same round says nothing of another one.
      for (const seed of [1, 2]) {
        const more = { seed, epochs: 1, mixes: 2 };
        expect(await train(runner, more)).toEqual(await train(local(), more));
      }
    });
  });

  it("share the weights: states are in shared memory, nothing is copied between mixings", async () => {
    await withThreads(2, { learner: "crf" }, async (runner) => {
      const buffers = new Set<unknown>();
      await train(runner, { epochs: 8, onMixed: ({ values }) => void buffers.add(values.buffer) });
      expect(buffers.size).toBe(2);
      // Results are written to a state each for the shards that threads work on, and one more.
      const results = new Set<unknown>();
      const watched: ShardRunner = {
        start: () => runner.start(),
        result: (state) => runner.result(state),
        allocate: (length) => runner.allocate(length),
        async *run(...step) {
          for await (const one of runner.run(...step)) {
            results.add(one.state.values.buffer);
            yield one;
          }
        },
      };
      await train(watched, { epochs: 8 });
      expect(results.size).toBe(3);
      for (const buffer of buffers) expect(buffer).toBeInstanceOf(SharedArrayBuffer);
    });
  });

  it("write only what a sparse learner changed, to one state in shared memory", async () => {
    await withThreads(2, {}, async (runner) => {
      const buffers = new Set<unknown>();
      await train(runner, { mixes: 3, onMixed: ({ values }) => void buffers.add(values.buffer) });
      expect(buffers.size).toBe(1);
      const { size, state } = await runner.start();
      const steps = [0, 1].map((shard) => ({ shard, shards: 2, epoch: 1, epochs: 1, seed: 1 }));
      expect(size).toBe(SIZE);
      for await (const { changed, state: end } of runner.run(steps, state, {})) {
        expect(changed!.buffer).toBeInstanceOf(SharedArrayBuffer);
        expect(end.values.buffer).toBeInstanceOf(SharedArrayBuffer);
        expect(end.values).toHaveLength(changed!.length);
      }
    });
  });

  it("are done again when a thread ends, to the same weights", async () => {
    const parts = { mixing: "changed", mixes: 3 } as const;
    const lost: number[] = [];
    const more = { accident: { kind: "exit", once: freshFile(), example: 17 } };
    const together = await withThreads(2, more, (runner) => train(runner, parts), {
      onLost: ({ attempt }) => lost.push(attempt),
    });
    expect(lost).toEqual([1]);
    expect(together).toEqual(await train(local(), parts));
  });

  it("end with an error of the task, which is not tried again, and can be restarted", async () => {
    const more = { accident: { kind: "throw", example: 3, once: freshFile() } };
    await withThreads(2, more, async (runner) => {
      const error = await train(runner).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toBe("a fault of the task");
      expect(await train(runner)).toEqual(await train(local()));
    });
  });

  it.each([
    ["whose work cannot be made", { broken: "wire" }, /expected sound data, got "wire"/],
    ["whose learner does not fit the task", { wrongDimension: 7 }, /20 weights.*7/],
  ])("refuse data %s", async (_, more, message) => {
    await expect(withThreads(2, more, (runner) => train(runner))).rejects.toThrow(message);
  });

  it("end at once with the reason of a signal, and can be restarted", async () => {
    const reason = new Error("enough");
    const more = { accident: { kind: "slow", milliseconds: 3000, example: 17, once: freshFile() } };
    await withThreads(2, more, async (runner) => {
      const controller = new AbortController();
      const begin = performance.now();
      setTimeout(() => controller.abort(reason), 500);
      await expect(train(runner, { epochs: 1e6, signal: controller.signal })).rejects.toBe(reason);
      expect(performance.now() - begin).toBeLessThan(2500);
      await expect(train(runner, { signal: controller.signal })).rejects.toBe(reason);
      expect(await train(runner)).toEqual(await train(local()));
    });
  });

  it("report progress, also within a shard", async () => {
    const reports: MixingProgress[] = [];
    const more = { accident: { kind: "slow", milliseconds: 10 } };
    await withThreads(2, more, (runner) =>
      train(runner, { epochs: 1, onProgress: (at) => reports.push(at) }),
    );
    expect(reports.at(-1)).toMatchObject({ epoch: 1, done: SIZE, total: SIZE });
    // Shards have 12 examples.
    expect(reports.some(({ done }) => done % 12 !== 0)).toBe(true);
    expect(reports.map(({ done }) => done)).toEqual(reports.map(({ done }) => done).sort((a, b) => a - b));
  });
});
