import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localRunner, mixShards, type OnlineState, type ShardRunner } from "@arcwise/learn";
import { type LostWorker, type ThreadRunner, threadRunner } from "@arcwise/learn/node";
import { afterAll, describe, expect, it } from "vitest";
import type { MixingOptions } from "../src/distributed/mixing.ts";
import type { MixingProgress } from "../src/distributed/mixing-progress.ts";
import { type ThreadOptions, WorkerLost } from "../src/node/threads.ts";
import { randomTask } from "./list-task.ts";
import { createWork } from "./thread-work.mjs";

// Threads run what was built.
const built = existsSync(new URL("../dist/node/index.js", import.meta.url));
const module = new URL("./thread-work.mjs", import.meta.url);

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
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const freshFile = () => join(folder, `${++files}`);

/** Runs with threads, which end whatever happens. */
async function withThreads<T>(
  more: object,
  threadOptions: ThreadOptions,
  use: (runner: ThreadRunner) => Promise<T>,
): Promise<T> {
  // Vitest's own options of Node have no meaning in threads that run what was built.
  const runner = threadRunner({ module, data: { ...data, ...more } }, { execArgv: [], ...threadOptions });
  try {
    return await use(runner);
  } finally {
    await runner.close();
  }
}

function local(more: object = {}): ShardRunner {
  const { task, learner } = createWork({ ...data, ...more });
  return localRunner(task, learner);
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

/** A copy of a state that tells nothing of shared memory. */
function plain({ values, weighted, memory, ...rest }: OnlineState): OnlineState {
  const copied = Object.entries(memory ?? {}).map(([name, vector]) => [name, Float32Array.from(vector)]);
  return {
    ...rest,
    values: Float32Array.from(values),
    weighted: Float32Array.from(weighted),
    ...(memory && { memory: Object.fromEntries(copied) as Record<string, Float32Array> }),
  };
}

// `npm test` builds first; after `npm run build` the tests of one package run these as well.
describe.skipIf(!built)("worker threads (skipped before npm run build)", () => {
  it.each([
    ["mira", 1],
    ["mira", 2],
    ["mira", 3],
    ["perceptron", 2],
    ["crf", 3],
  ])("learn what one thread does, bit for bit: %s, %d threads", async (learner, threads) => {
    for (const more of [{}, { mixing: "changed", mixes: 4 }] as const) {
      const alone = await train(local({ learner }), more);
      const together = await withThreads({ learner }, { threads }, (runner) => train(runner, more));
      expect(together).toEqual(alone);
      expect(alone.weights.some((weight) => weight !== 0)).toBe(true);
    }
  });

  it("resume after any mixing to the same weights, and can be reused", async () => {
    await withThreads({}, { threads: 2 }, async (runner) => {
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
    await withThreads({ learner: "crf" }, { threads: 2 }, async (runner) => {
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
    await withThreads({}, { threads: 2 }, async (runner) => {
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

  it.each([
    ["exits", { kind: "exit" }],
    ["throws what nobody catches", { kind: "uncaught" }],
  ])("do a shard again when a thread %s, to the same weights", async (_what, accident) => {
    const parts = { mixing: "changed", mixes: 3 } as const;
    const alone = await train(local(), parts);
    for (const threads of [1, 2]) {
      const lost: LostWorker[] = [];
      const once = freshFile();
      const more = { accident: { ...accident, once, example: 17 } };
      const together = await withThreads(more, { threads, onLost: (one) => lost.push(one) }, (r) =>
        train(r, parts),
      );
      expect(existsSync(once)).toBe(true);
      // One; or two, where the pool gave the next shard to the thread before it heard of the error.
      expect(lost.length).toBeGreaterThanOrEqual(1);
      expect(lost.length).toBeLessThanOrEqual(accident.kind === "exit" ? 1 : 2);
      for (const one of lost) expect(one).toMatchObject({ attempt: 1, error: expect.any(Error) });
      expect(together).toEqual(alone);
    }
  });

  it("fail on a shard at which every thread ends", async () => {
    const lost: number[] = [];
    const more = { accident: { kind: "exit", example: 17 } };
    const threadOptions: ThreadOptions = {
      threads: 2,
      attempts: 2,
      onLost: ({ attempt }) => lost.push(attempt),
    };
    const error = await withThreads(more, threadOptions, (r) => train(r)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkerLost);
    expect((error as Error).message).toMatch(/early 2 times at shard \d.*exit code 7/);
    expect(lost).toEqual([1]);
  });

  it("rethrow the errors of the task with their class, without another attempt", async () => {
    const lost: LostWorker[] = [];
    const more = { accident: { kind: "throw", example: 3 } };
    const error = await withThreads(more, { threads: 2, onLost: (one) => lost.push(one) }, (r) =>
      train(r),
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe("a fault of the task");
    expect(lost).toEqual([]);
  });

  it.each([
    ["whose work cannot be made", { broken: "wire" }, {}, /expected sound data, got "wire"/],
    ["whose learner does not fit the task", { wrongDimension: 7 }, {}, /20 weights.*7/],
  ])("refuse a source %s", async (_what, more, _source, message) => {
    await expect(withThreads(more, { threads: 2 }, (r) => train(r))).rejects.toThrow(message);
  });

  it.each([
    ["the module", { module: new URL("./missing.mjs", import.meta.url) }, /missing\.mjs/],
    ["what it should export", { module, name: "play" }, /"play"/],
  ])("refuse a source without %s", async (_what, source, message) => {
    const runner = threadRunner(source, { threads: 2, execArgv: [] });
    const error = await train(runner).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkerLost);
    expect((error as Error).message).toMatch(message);
    await runner.close();
  });

  it("end at once with the reason of a signal, and can be restarted", async () => {
    const reason = new Error("enough");
    const more = { accident: { kind: "slow", milliseconds: 3000, example: 17, once: freshFile() } };
    await withThreads(more, { threads: 2 }, async (runner) => {
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
    await withThreads(more, { threads: 2 }, (r) =>
      train(r, { epochs: 1, onProgress: (at) => reports.push(at) }),
    );
    expect(reports.at(-1)).toMatchObject({ epoch: 1, done: SIZE, total: SIZE });
    // Shards have 12 examples.
    expect(reports.some(({ done }) => done % 12 !== 0)).toBe(true);
    expect(reports.map(({ done }) => done)).toEqual(reports.map(({ done }) => done).sort((a, b) => a - b));
  });

  it.each([{ threads: 0 }, { threads: 1.5 }, { threads: 1, attempts: 0 }])("refuse %j", (wrong) => {
    expect(() => threadRunner({ module }, wrong)).toThrow(RangeError);
  });
});
