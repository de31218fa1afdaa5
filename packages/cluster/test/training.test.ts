import { writeFileSync } from "node:fs";
import { saveParser, type TrainOptions } from "@arcwise/parser";
import { describe, expect, it, test } from "vitest";
import { blobFile, folderStore } from "../src/blobs/folder-store.ts";
import type { Hash } from "../src/blobs/hash.ts";
import type { Store } from "../src/blobs/store.ts";
import { PLAN_FORMATS, planOf } from "../src/plan.ts";
import { readPlan, TrainingPlanner } from "../src/planner.ts";
import { runProcess } from "../src/run-process.ts";
import { localRunner } from "../src/runners/local.ts";
import type { Flow, StepRunner } from "../src/runners/runner.ts";
import { StepExecutor } from "../src/steps/executor.ts";
import { type StepOrder, stepOrder } from "../src/steps/order.ts";
import { StepOutputs } from "../src/steps/step-outputs.ts";
import { trainParserInSteps } from "../src/train-parser.ts";
import { freshFolder, TRAINING, trainedHere, treebank } from "./support.ts";

const EXAMPLES = treebank(40, { labelled: false });

async function trained(store: Store, runner: StepRunner, options: TrainOptions): Promise<Buffer> {
  return Buffer.from(saveParser(await trainParserInSteps(EXAMPLES, { ...options, store, runner })));
}

/** Workers that take turns, each with its own state. */
function workers(store: Store, count: number, more: Partial<StepRunner> = {}): StepRunner {
  const executors = Array.from({ length: count }, () => new StepExecutor(store));
  let turn = 0;
  const next = () => executors[turn++ % count]!;
  return {
    async run({ steps, last }) {
      // The last shard first: the order of steps does not matter.
      for (const step of steps.toReversed()) await next().run(step);
      await next().run(last);
    },
    close: async () => {},
    ...more,
  };
}

describe("training in steps gives the bytes of trainParser", () => {
  test.each<TrainOptions>([
    {},
    { epochs: 1, shards: { count: 2, mixing: "error", mixes: 8 } },
    { epochs: 2, learner: "perceptron", shards: { count: 4, mixing: "uniform", mixes: 1 } },
    { epochs: 1, learner: "crf", shards: { count: 2 } },
  ])("%j", async (changes) => {
    const options = { ...TRAINING, ...changes };
    const here = await trainedHere(EXAMPLES, options);
    const store = await folderStore(freshFolder());
    expect((await trained(store, workers(store, 2), options)).equals(here)).toBe(true);
  });
});

describe("a training that is repeated", async () => {
  const here = await trainedHere(EXAMPLES, TRAINING);

  it("runs no step again, whatever the number of epochs before", async () => {
    const store = await folderStore(freshFolder());
    const runs: Flow[] = [];
    const counted = (runner: StepRunner): StepRunner => ({
      ...runner,
      run: (flow, run) => {
        runs.push(flow);
        return runner.run(flow, run);
      },
    });
    await trained(store, counted(localRunner(store)), { ...TRAINING, epochs: 3 });
    expect(runs).toHaveLength(3 * 2);
    const longer = await trained(store, counted(localRunner(store)), TRAINING);
    expect(runs).toHaveLength(4 * 2);
    expect(longer.equals(here)).toBe(true);
    expect((await trained(store, counted(localRunner(store)), TRAINING)).equals(longer)).toBe(true);
    expect(runs).toHaveLength(4 * 2);
  });

  it("goes on with what is there after it was stopped in the middle", async () => {
    const store = await folderStore(freshFolder());
    const executor = new StepExecutor(store);
    let left = 5;
    const stopped = workers(store, 2, {
      async run({ steps, last }) {
        for (const step of [...steps, last]) {
          if (left-- === 0) throw new Error("killed");
          await executor.run(step);
        }
      },
    });
    await expect(trained(store, stopped, TRAINING)).rejects.toThrow("killed");
    const outcomes: string[] = [];
    const second = new StepExecutor(store);
    const going = workers(store, 1, {
      async run({ steps, last }) {
        for (const step of [...steps, last]) outcomes.push(await second.run(step));
      },
    });
    const model = await trained(store, going, TRAINING);
    expect(model.equals(here)).toBe(true);
    expect(outcomes.filter((outcome) => outcome === "present")).toHaveLength(1);
  });

  it("makes results and mixtures again that a loss of power has damaged", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const damages = ["", "arcwise+", "no blob at all"];
    const damage = (name: Hash) =>
      writeFileSync(blobFile(folder, name), damages[damaged++ % damages.length]!);
    let damaged = 0;
    const outcomes: string[] = [];
    const failing: StepRunner = {
      async run({ steps, last }) {
        // Each round by a worker that knows nothing, and finds the mixture before damaged.
        const executor = new StepExecutor(store);
        const { run, round } = last.settings as { readonly run: Hash; readonly round: number };
        const { names } = await new StepOutputs(store).run(run);
        if (round > 0 && outcomes.at(-1) !== "run again") damage(names.mixture(round - 1));
        for (const step of steps) await executor.run(step);
        damage(names.shard(round, 1));
        await new StepExecutor(store).run(last);
        outcomes.push(outcomes.length % 3 === 0 ? "damaged" : "run again");
        if (outcomes.at(-1) === "damaged") damage(names.mixture(round));
      },
      close: async () => {},
    };
    const options = { ...TRAINING, store, runner: failing };
    expect(Buffer.from(saveParser(await trainParserInSteps(EXAMPLES, options))).equals(here)).toBe(true);
    expect(outcomes.length).toBeGreaterThan(4 * 2);
  });

  it("ends when what it reads is damaged again and again", async () => {
    const folder = freshFolder();
    const store = await folderStore(folder);
    const broken: Store = {
      ...store,
      address: store.address,
      has: (name) => store.has(name),
      write: (name, bytes, options) => store.write(name, bytes, options),
      setAside: (name) => store.setAside(name),
      read: async (name) => {
        const bytes = await store.read(name);
        return bytes?.[23] === "+".charCodeAt(0) ? bytes.subarray(0, 20) : bytes;
      },
    };
    const options = { ...TRAINING, store: broken, runner: localRunner(store) };
    await expect(trainParserInSteps(EXAMPLES, options)).rejects.toMatchObject({ code: "invalid-data" });
  });

  it("resumes from a checkpoint, with other workers", async () => {
    const states: Uint8Array[] = [];
    const onCheckpoint = (state: Uint8Array) => void states.push(state.slice());
    const first = await folderStore(freshFolder());
    await trained(first, localRunner(first), { ...TRAINING, epochs: 2, onCheckpoint });
    const second = await folderStore(freshFolder());
    const resumed = await trained(second, workers(second, 2), { ...TRAINING, resume: states.at(-1)! });
    expect(resumed.equals(here)).toBe(true);
  });
});

describe("a training without a queue", () => {
  it("is done by the processes of its plan, which wait for each other", async () => {
    const store = await folderStore(freshFolder());
    const planner = new TrainingPlanner(store);
    const end = await trained(store, planner, TRAINING).catch((error: unknown) => error);
    expect(planner.hasEnded(end)).toBe(true);
    const plan = await planner.write();
    expect((await readPlan(store, plan)).processes).toHaveLength(3);
    await Promise.all([2, 0, 1].map((index) => runProcess(store, { plan, index })));
    const nothing: StepRunner = { run: () => Promise.reject(new Error("not done")), close: async () => {} };
    const model = await trained(store, nothing, TRAINING);
    expect(model.equals(await trainedHere(EXAMPLES, TRAINING))).toBe(true);
    await expect(runProcess(store, { plan, index: 3 })).rejects.toMatchObject({ code: "invalid-argument" });
    const texts = await Promise.all(
      PLAN_FORMATS.map((format) => planOf(store, { format, plan, address: "/a b/$store" })),
    );
    const [kubernetes, slurm, make] = texts;
    expect(kubernetes).toContain("completions: 3");
    expect(slurm).toContain("--array=0-2");
    expect(slurm).toContain(`--store '/a b/$store' --plan ${plan} --index "$SLURM_ARRAY_TASK_ID"`);
    expect(make!.match(/^\tarcwise step /gm)).toHaveLength(4 * 2 * (3 + 1));
    expect(make).toContain("--store '/a b/$$store'");
  });
});

describe("a step", () => {
  it("of another version is refused", async () => {
    const executor = new StepExecutor(await folderStore(freshFolder()));
    const order = { ...stepOrder("mix", { run: "0".repeat(64), round: 0 }), program: "0.0.0" } as StepOrder;
    await expect(executor.run(order)).rejects.toMatchObject({ code: "other-version" });
  });

  it("that runs several times at once writes the same", async () => {
    const store = await folderStore(freshFolder());
    const both = [new StepExecutor(store), new StepExecutor(store)];
    const twice: StepRunner = {
      async run({ steps, last }) {
        for (const step of steps) await Promise.all(both.map((executor) => executor.run(step)));
        await Promise.all(both.map((executor) => executor.run(last)));
      },
      close: async () => {},
    };
    const model = await trained(store, twice, { ...TRAINING, epochs: 2 });
    expect(model.equals(await trainedHere(EXAMPLES, { ...TRAINING, epochs: 2 }))).toBe(true);
  });
});
