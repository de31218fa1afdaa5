import { existsSync } from "node:fs";
import { readConllu, type SentenceView } from "@arcwise/conllu";
import type { TrainingProgress } from "@arcwise/core/training";
import { type PipelineTrainOptions, savePipeline, trainPipeline } from "@arcwise/pipeline";
import { beforeAll, describe, expect, it } from "vitest";
import { folderStore } from "../src/blobs/folder-store.ts";
import type { Store } from "../src/blobs/store.ts";
import { planOf } from "../src/plan.ts";
import { readPlan, TrainingPlanner } from "../src/planner.ts";
import { runProcess } from "../src/run-process.ts";
import { localRunner } from "../src/runners/local.ts";
import type { StepRunner } from "../src/runners/runner.ts";
import { StepExecutor } from "../src/steps/executor.ts";
import { type StepOrder, stepOrder } from "../src/steps/order.ts";
import { trainPipelineInSteps } from "../src/train-pipeline.ts";
import { freshFolder, treebank } from "./support.ts";

/** The made-up sentences as a treebank. */
const SENTENCES: SentenceView[] = treebank(40).flatMap(({ sentence, tree }) => {
  const rows = sentence.map(({ form, upos }, k) => {
    const columns = [k + 1, form, form, upos, "_", "_", tree.heads[k + 1], tree.labels[k + 1], "_", "_"];
    return columns.join("\t");
  });
  return [...readConllu(`${rows.join("\n")}\n\n`)];
});

const NETWORK = { units: 8, members: 2, epochs: 3 };

const OPTIONS: PipelineTrainOptions = {
  dev: SENTENCES.slice(0, 4),
  settings: {
    preset: "fast",
    seed: 3,
    jackknife: 2,
    tokenizer: { epochs: 2 },
    tagger: { epochs: 2 },
    parser: {
      epochs: 2,
      network: NETWORK,
      prune: false,
      shards: { count: 2, mixes: 2 },
    },
  },
};

/** A runner that notes the steps that it runs, each by a worker that knows nothing of those before. */
function notingRunner(store: Store, fails: (steps: readonly StepOrder[]) => boolean = () => false) {
  const steps: StepOrder[] = [];
  const runner: StepRunner = {
    async run(flow, { signal } = {}) {
      for (const step of [...flow.steps, flow.last]) {
        if (fails(steps)) throw new Error("killed");
        if ((await new StepExecutor(store).run(step, { signal })) === "run") steps.push(step);
      }
    },
    close: async () => {},
  };
  return { runner, steps };
}

const bytesOf = (model: Awaited<ReturnType<typeof trainPipeline>>) => Buffer.from(savePipeline(model));

describe("a pipeline that is trained in steps", () => {
  let here: Buffer;
  const ends: TrainingProgress[] = [];
  const noteEnds = (into: TrainingProgress[]) => (at: TrainingProgress) => {
    if (at.epochDone) into.push({ ...at, trainingShare: 0 });
  };
  const inSteps = async (store: Store, runner: StepRunner, more: PipelineTrainOptions = {}) =>
    bytesOf(await trainPipelineInSteps(SENTENCES, { ...OPTIONS, ...more, store, runner }));

  beforeAll(async () => {
    here = bytesOf(await trainPipeline(SENTENCES, { ...OPTIONS, onProgress: noteEnds(ends) }));
  });

  it("has the bytes of one process, and reports the same epochs", async () => {
    const store = await folderStore(freshFolder());
    const found: TrainingProgress[] = [];
    const shares: number[] = [];
    const onProgress = (at: TrainingProgress) => {
      noteEnds(found)(at);
      shares.push(at.trainingShare);
    };
    expect((await inSteps(store, localRunner(store), { onProgress })).equals(here)).toBe(true);
    // A network that is trained beside the weights is not there when these are measured.
    const known = (all: readonly TrainingProgress[]) =>
      all.map(({ step, target, part, epoch }) => [step, target, part, epoch].join(" ")).sort();
    expect(known(found)).toEqual(known(ends));
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it("goes on with the steps that are there after it was stopped, and repeats none", async () => {
    const store = await folderStore(freshFolder());
    const isStopped = (steps: readonly StepOrder[]) =>
      steps.filter(({ step }) => step === "train-network").length >= 3;
    const first = notingRunner(store, isStopped);
    await expect(inSteps(store, first.runner)).rejects.toThrow("killed");
    const second = notingRunner(store);
    expect((await inSteps(store, second.runner)).equals(here)).toBe(true);
    const all = [...first.steps, ...second.steps].map((order) => JSON.stringify(order));
    expect(new Set(all).size).toBe(all.length);
    const count = (name: string) => all.filter((order) => JSON.parse(order).step === name).length;
    // A tokeniser, a tagger, and two taggers of parts; three epochs of two networks.
    expect([count("train-part"), count("train-network")]).toEqual([4, 6]);
    const third = notingRunner(store);
    await inSteps(store, third.runner);
    expect(third.steps).toEqual([]);
  });

  it("is stopped while one network waits for another", async () => {
    const store = await folderStore(freshFolder());
    const stop = new AbortController();
    let networks = 0;
    const runner: StepRunner = {
      async run({ steps, last }, { signal } = {}) {
        for (const step of [...steps, last]) {
          // The second network is never trained, and does not see that it is stopped.
          if (step.step === "train-network" && networks++ > 0) {
            setTimeout(() => stop.abort(new Error("stopped")), 50);
            await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
          }
          await new StepExecutor(store).run(step);
        }
      },
      close: async () => {},
    };
    const { signal } = stop;
    await expect(inSteps(store, runner, { signal, onCheckpoint: () => {} })).rejects.toThrow("stopped");
  });

  it("goes on from a checkpoint, with another store", async () => {
    const store = await folderStore(freshFolder());
    const states: Uint8Array[] = [];
    const stop = new AbortController();
    const stopped = inSteps(store, notingRunner(store).runner, {
      signal: stop.signal,
      onCheckpoint: (state) => void states.push(state),
      onProgress: ({ step, epoch, epochDone }) => {
        if (step === "network" && epoch === 2 && epochDone) stop.abort(new Error("stopped"));
      },
    });
    await expect(stopped).rejects.toThrow("stopped");
    const other = await folderStore(freshFolder());
    const { runner, steps } = notingRunner(other);
    expect((await inSteps(other, runner, { resume: states.at(-1)! })).equals(here)).toBe(true);
    expect(steps.filter(({ step }) => step === "train-network").length).toBeLessThan(6);
  });

  it("is done by plans: of what needs nothing else, then of the parser", async () => {
    const store = await folderStore(freshFolder());
    const network = { ...NETWORK, shards: { count: 2, mixes: 2 } };
    const parser = { ...OPTIONS.settings!.parser, network } as NonNullable<
      PipelineTrainOptions["settings"]
    >["parser"];
    const options = { ...OPTIONS, settings: { ...OPTIONS.settings, parser } };
    const whole = bytesOf(await trainPipeline(SENTENCES, options));
    const kinds: string[][] = [];
    let made: Buffer | undefined;
    while (made === undefined) {
      const planner = new TrainingPlanner(store);
      try {
        made = await inSteps(store, planner, options);
      } catch (error) {
        if (!planner.hasEnded(error)) throw error;
        const plan = await planner.write();
        const { processes } = await readPlan(store, plan);
        kinds.push(processes.map(({ work }) => work));
        await Promise.all(processes.map((_, index) => runProcess(store, { plan, index })));
      }
    }
    expect(made.equals(whole)).toBe(true);
    // A tokeniser, a tagger, two taggers of parts; two shards of each of two networks, and two of the weights.
    expect(kinds.map((all) => all.toSorted())).toEqual([
      ["part", "part", "part", "part"],
      ["network", "network", "network", "network", "shard", "shard"],
    ]);
  });

  it("is done by the rules of makefiles", async () => {
    const store = await folderStore(freshFolder());
    const counts: number[] = [];
    let made: Buffer | undefined;
    while (made === undefined) {
      const planner = new TrainingPlanner(store);
      try {
        made = await inSteps(store, planner);
      } catch (error) {
        if (!planner.hasEnded(error)) throw error;
        const makefile = await planOf(store, {
          format: "make",
          plan: await planner.write(),
          address: store.address,
        });
        const rules = [...makefile.matchAll(/^(\S+):(.*)\n\tarcwise step (.*)$/gm)];
        counts.push(rules.length);
        const files = rules.map(([, target]) => target!);
        for (const [k, [, target, needs, words]] of rules.entries()) {
          // What a step needs is the output of one before it.
          for (const need of needs!
            .trim()
            .split(" ")
            .filter((file) => file !== ""))
            expect(files.indexOf(need)).toSatisfy((at: number) => at >= 0 && at < k);
          await new StepExecutor(store).run(orderOf(words!));
          expect(existsSync(target!)).toBe(true);
        }
      }
    }
    expect(made.equals(here)).toBe(true);
    // Two epochs of two mixings of two shards, and three epochs of two networks.
    expect(counts).toEqual([4, 2 * 2 * 3 + 3 * 2]);
  });
});

/** Returns the order of a step by the words of its command. */
function orderOf(words: string): StepOrder {
  const [step, ...flags] = words.split(" ");
  const settings: Record<string, string | number> = {};
  for (let k = 0; k < flags.length; k += 2) {
    const value = flags[k + 1]!;
    if (flags[k] !== "--store")
      settings[flags[k]!.slice(2)] = /^\d{1,9}$/.test(value) ? Number(value) : value;
  }
  return stepOrder(step as StepOrder["step"], settings as never);
}
