import {
  localRunner,
  type Mixing,
  mixShards,
  mixStates,
  type OnlineState,
  type ShardResult,
  type ShardRunner,
  trainShard,
} from "@arcwise/learn";
import { WrongAnswer } from "../checks.ts";
import { UsageError } from "../errors.ts";
import type { Subject } from "./subjects.ts";

/** Where training stands after an epoch. */
export interface EpochPoint {
  readonly epoch: number;
  /** On the development split, in percent, by the subject's metrics. */
  readonly scores: readonly number[];
  /** Seconds of training until here when one thread does all shards, mixing included, evaluation not. */
  readonly oneThread: number;
  /** Seconds of training with a machine a shard: the slowest shard of each epoch, and mixing. Computed, not measured. */
  readonly machineAShard: number;
}

export const STRATEGIES = ["serial", "sub-sampled", "once", "iterative"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** One way of training a subject. */
export interface MixingRun {
  readonly strategy: Strategy;
  /** 1 when all examples are learned from one by one. */
  readonly shards: number;
  /** Absent where nothing is mixed. */
  readonly mixing?: Mixing;
  readonly points: readonly EpochPoint[];
}

/** Iterative mixing in worker threads: measured, from the first step to the last mixing, without evaluation. */
export interface ThreadRun {
  readonly shards: number;
  readonly threads: number;
  readonly seconds: number;
}

export interface SubjectResult {
  readonly subject: string;
  readonly learner: string;
  readonly metrics: readonly string[];
  readonly examples: number;
  readonly weights: number;
  readonly runs: readonly MixingRun[];
  readonly threaded: readonly ThreadRun[];
}

export interface ExperimentOptions {
  readonly shards: readonly number[];
  readonly epochs: number;
  readonly seed: number;
  /** Worker threads of a second pass of iterative mixing; 0 for none. */
  readonly threads: number;
  /** Makes a runner with worker threads, and what ends them. */
  readonly runThreads: (subject: Subject, threads: number) => ShardRunner & { close(): Promise<void> };
  readonly tell: (text: string) => void;
}

const MIXINGS: readonly Mixing[] = ["uniform", "error"];

/** McDonald, Hall and Mann 2010, section 4, on a subject: accuracy against time of each way of training. */
export async function runExperiment(subject: Subject, options: ExperimentOptions): Promise<SubjectResult> {
  const { shards, threads, tell } = options;
  const { size } = subject.task;
  for (const count of shards) {
    if (count > size) throw new UsageError(`expected at most one shard a sentence, got ${count} of ${size}`);
  }
  // So that the code is compiled before the first measurement.
  await iterative(subject, 1, "uniform", { ...options, epochs: 1 });
  const runs: MixingRun[] = [];
  const threaded: ThreadRun[] = [];
  tell(`${subject.name}: serial`);
  runs.push(await iterative(subject, 1, "uniform", options));
  for (const count of shards) {
    tell(`${subject.name}: once, ${count} shards`);
    runs.push(...(await once(subject, count, options)));
    for (const mixing of MIXINGS) {
      tell(`${subject.name}: iterative, ${count} shards, ${mixing}`);
      runs.push(await iterative(subject, count, mixing, options));
    }
    if (threads === 0) continue;
    tell(`${subject.name}: iterative, ${count} shards, ${threads} threads`);
    threaded.push(await inThreads(subject, count, options));
  }
  const { name, learner, metrics, task } = subject;
  const order = (run: MixingRun) => STRATEGIES.indexOf(run.strategy);
  return {
    subject: name,
    learner,
    metrics,
    examples: task.size,
    weights: task.dimension,
    runs: runs.sort((a, b) => order(a) - order(b) || a.shards - b.shards),
    threaded,
  };
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

async function iterative(
  subject: Subject,
  shards: number,
  mixing: Mixing,
  { epochs, seed }: ExperimentOptions,
): Promise<MixingRun> {
  const runner = localRunner(subject.task, subject.create());
  const points: EpochPoint[] = [];
  let oneThread = 0;
  let machineAShard = 0;
  let begin = performance.now();
  await mixShards(runner, {
    shards,
    epochs,
    seed,
    mixing,
    onMixed: async (state, round) => {
      const all = seconds(begin);
      const times = round.shards.map(({ milliseconds }) => milliseconds / 1000);
      oneThread += all;
      machineAShard += all - sum(times) + Math.max(...times);
      const scores = subject.evaluate(await runner.result(state));
      points.push({ epoch: state.epoch, scores, oneThread, machineAShard });
      begin = performance.now();
    },
  });
  if (shards === 1) return { strategy: "serial", shards, points };
  return { strategy: "iterative", shards, mixing, points };
}

/** The first shard alone, and what all come to when they are mixed after so many epochs, without going on from there. */
async function once(
  subject: Subject,
  shards: number,
  { epochs, seed }: ExperimentOptions,
): Promise<MixingRun[]> {
  const { task } = subject;
  const learner = subject.create();
  const runner = localRunner(task, learner);
  const { state: fresh } = await runner.start();
  const results: Omit<ShardResult, "done" | "loss" | "cost">[] = Array.from(
    { length: shards },
    (_, shard) => ({
      shard,
      mistakes: 0,
      milliseconds: 0,
      state: fresh,
    }),
  );
  const points: Record<"alone" | Mixing, EpochPoint[]> = { alone: [], uniform: [], error: [] };
  for (let epoch = 1; epoch <= epochs; epoch++) {
    for (const [shard, before] of results.entries()) {
      const step = { shard, shards, epoch, epochs: 1, seed };
      const { state, mistakes, milliseconds } = await trainShard(task, learner, step, before.state);
      results[shard] = {
        shard,
        mistakes: before.mistakes + mistakes,
        milliseconds: before.milliseconds + milliseconds,
        state: keep(state, epoch === 1 ? undefined : before.state),
      };
    }
    const times = results.map(({ milliseconds }) => milliseconds / 1000);
    const [first] = results;
    const alone = subject.evaluate(await runner.result(first!.state));
    points.alone.push({ epoch, scores: alone, oneThread: times[0]!, machineAShard: times[0]! });
    for (const mixing of MIXINGS) {
      const begin = performance.now();
      const mixed = mixStates(results, mixing);
      const ofMixing = seconds(begin);
      points[mixing].push({
        epoch,
        scores: subject.evaluate(await runner.result(mixed)),
        oneThread: sum(times) + ofMixing,
        machineAShard: Math.max(...times) + ofMixing,
      });
    }
  }
  return [
    { strategy: "sub-sampled", shards, points: points.alone },
    ...MIXINGS.map((mixing): MixingRun => ({ strategy: "once", shards, mixing, points: points[mixing] })),
  ];
}

/** A copy of a state, in the memory of an old one if there is one. */
function keep(state: OnlineState, old: OnlineState | undefined): OnlineState {
  if (old === undefined) return structuredClone(state);
  old.values.set(state.values);
  old.weighted.set(state.weighted);
  for (const [name, vector] of Object.entries(state.memory ?? {})) old.memory![name]!.set(vector);
  return { ...old, epoch: state.epoch, steps: state.steps };
}

/** Trains in worker threads, and checks that one thread comes to the same weights. */
async function inThreads(subject: Subject, shards: number, options: ExperimentOptions): Promise<ThreadRun> {
  const { epochs, seed, threads, runThreads } = options;
  const here = localRunner(subject.task, subject.create());
  const two = { shards, epochs: Math.min(2, epochs), seed };
  const expected = await mixShards(here, two);
  const runner = runThreads(subject, threads);
  try {
    // The first pass makes the work of all threads, and is checked.
    const found = await mixShards(runner, two);
    if (found.values.some((value, i) => value !== expected.values[i])) {
      throw new WrongAnswer(`${subject.name}: ${threads} threads came to other weights than one thread`);
    }
    const begin = performance.now();
    await mixShards(runner, { shards, epochs, seed });
    return { shards, threads, seconds: seconds(begin) };
  } finally {
    await runner.close();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
