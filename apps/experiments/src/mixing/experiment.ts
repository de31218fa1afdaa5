import type { Keep } from "@arcwise/bench/command";
import { processorTime, WrongAnswer } from "@arcwise/bench/measures";
import { UsageError } from "@arcwise/cli/command";
import { onThreads } from "@arcwise/jobs/node";
import {
  type Mixing,
  mixShards,
  mixStates,
  type OnlineState,
  runShardsAt,
  runShardsHere,
  type ShardResult,
  type ShardRunner,
  trainShard,
} from "@arcwise/learn";
import { type Separation, SeparationCounts, separatingMargin } from "./separation.ts";
import { subjectShards } from "./subject-jobs.ts";
import type { Subject } from "./subjects.ts";
import { countedRunner } from "./traffic.ts";

/** The state of a training after an epoch. */
export interface EpochPoint {
  readonly epoch: number;
  /** Scores on the development split, in percent, by the subject's metrics. */
  readonly scores: readonly number[];
  /** The same on the test split, if requested. */
  readonly test?: readonly number[] | undefined;
  /**
   * Share of the training examples of this epoch whose output had a cost when the learner saw them, in
   * percent.
   */
  readonly mistakes: number;
  /** Seconds of processor time of training so far with one thread for all shards, including mixing, without evaluation. */
  readonly oneThread: number;
  /**
   * The same with one machine per shard, computed from the slowest shard of each epoch and mixing.
   */
  readonly machineAShard: number;
  /**
   * Bytes sent so far between the mixer and one machine per shard, in both directions, of iterative mixing:
   * see `countedRunner`.
   */
  readonly sent?: number | undefined;
  /** Number of mixings so far of iterative mixing. */
  readonly rounds?: number | undefined;
}

export const STRATEGIES = ["serial", "sub-sampled", "once", "iterative"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Results of one training method on a subject. */
export interface MixingRun {
  readonly strategy: Strategy;
  /** Number of shards; 1 for serial training. */
  readonly shards: number;
  /** Absent without mixing. */
  readonly mixing?: Mixing | undefined;
  /** Mixings per epoch of iterative mixing. */
  readonly mixes?: number | undefined;
  /** Number of epochs before averaging of weights begins. */
  readonly averageAfter?: number | undefined;
  readonly points: readonly EpochPoint[];
  /** Scores on the test split after the best epoch on the development split, if requested. */
  readonly test?: readonly number[] | undefined;
  /** Of a training that ended with an epoch without a mistake, if requested. */
  readonly separation?: Separation | undefined;
}

/** Returns the first epoch with the best score on the development split. */
export function bestPoint({ points }: Pick<MixingRun, "points">): EpochPoint {
  return points.reduce((best, point) => (point.scores[0]! > best.scores[0]! ? point : best));
}

/**
 * Times of two epochs of iterative mixing in worker threads, from the first step to the last mixing, without
 * evaluation.
 */
export interface ThreadRun {
  readonly shards: number;
  readonly mixes: number;
  readonly threads: number;
  /** Seconds of each pass. */
  readonly seconds: readonly number[];
  /** Seconds of each pass with one thread, interleaved with the others. */
  readonly oneThread: readonly number[];
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
  /** Mixing methods of iterative mixing once per epoch, as in the paper. */
  readonly mixings: readonly Mixing[];
  /** Mixings per epoch of iterative mixing of changed weights; 0 to leave it out. */
  readonly mixes: number;
  /** Number of epochs before averaging begins, in this method and in a second run of serial training. */
  readonly averageAfter: number;
  /** Whether averages of the weights are scored, or the last weights. */
  readonly average: boolean;
  /** Whether mixing once and a single shard are measured. */
  readonly once: boolean;
  /** Whether to evaluate on the test split as well. */
  readonly test: boolean;
  /** Whether trainings by epochs end after an epoch without a mistake, and are compared with the bound of theorem 3. */
  readonly separate: boolean;
  /** Number of worker threads of a second run of iterative mixing; 0 for none. */
  readonly threads: number;
  readonly tell: (text: string) => void;
  /** Keeps what was measured of a subject. */
  readonly keep: Keep;
}

/** Settings of a training by iterative mixing; with one shard, of serial training. */
interface Way {
  readonly shards: number;
  readonly mixing?: Mixing | undefined;
  readonly mixes?: number | undefined;
  readonly averageAfter?: number | undefined;
}

/**
 * Runs the experiment of McDonald, Hall and Mann (2010, section 4) on a subject: accuracy against time of
 * each training method.
 */
export async function runExperiment(subject: Subject, options: ExperimentOptions): Promise<SubjectResult> {
  const { shards, threads, tell, keep } = options;
  const { size } = subject.task;
  for (const count of shards) {
    if (count > size) throw new UsageError(`expected at most ${size} shards, one per sentence, got ${count}`);
  }
  // Warm up, so that the code is compiled before the first measurement.
  await iterative(subject, { shards: 1 }, { ...options, epochs: 1, test: false, separate: false });
  const runs: MixingRun[] = [];
  const threaded: ThreadRun[] = [];
  for (const way of waysOf(options)) {
    const measure = (): Promise<MixingRun> => {
      tell(`${subject.name}: ${describe(way)}`);
      return iterative(subject, way, options);
    };
    runs.push(await keep(JSON.stringify(way), measure));
  }
  for (const count of shards) {
    if (options.once) {
      const measure = (): Promise<MixingRun[]> => {
        tell(`${subject.name}: once, ${count} shards`);
        return once(subject, count, options);
      };
      runs.push(...(await keep(`once, ${count} shards`, measure)));
    }
    if (threads === 0) continue;
    const measure = (): Promise<ThreadRun> => {
      tell(`${subject.name}: iterative, ${count} shards, ${threads} threads`);
      return inThreads(subject, count, options);
    };
    threaded.push(await keep(`${count} shards, ${threads} threads`, measure));
  }
  const { name, learner, metrics, task } = subject;
  const order = (run: MixingRun) => STRATEGIES.indexOf(run.strategy);
  return {
    subject: name,
    learner: options.average ? learner : `${learner}, last weights`,
    metrics,
    examples: task.size,
    weights: task.dimension,
    runs: runs.sort((a, b) => order(a) - order(b) || a.shards - b.shards),
    threaded,
  };
}

/** Returns serial training, and iterative mixing with all requested settings. */
function waysOf({ shards, mixings, mixes, averageAfter, epochs }: ExperimentOptions): Way[] {
  const late = averageAfter > 0 && averageAfter < epochs ? { averageAfter } : {};
  const ways: Way[] = [{ shards: 1 }];
  if (late.averageAfter) ways.push({ shards: 1, ...late });
  for (const count of shards) {
    for (const mixing of mixings) ways.push({ shards: count, mixing, mixes: 1 });
    if (mixes > 0) ways.push({ shards: count, mixing: "changed", mixes, ...late });
  }
  return ways;
}

function describe({ shards, mixing, mixes }: Way): string {
  return shards === 1 ? "serial" : `iterative, ${shards} shards, ${mixing}, ${mixes} an epoch`;
}

/** Returns the averaged weights of a state, or its last weights. */
async function weightsOf(runner: ShardRunner, state: OnlineState, average: boolean): Promise<Float32Array> {
  return average ? runner.result(state) : state.values;
}

/** Seconds of the wall clock. */
const seconds = (since: number): number => (performance.now() - since) / 1000;

/** A training until no mistake is left has many epochs: those that are a multiple of this are measured, and the last. */
const SEPARATE_EVERY = 10;

async function iterative(
  subject: Subject,
  way: Way,
  {
    epochs,
    seed,
    test,
    average,
    separate,
  }: Pick<ExperimentOptions, "epochs" | "seed" | "test" | "average" | "separate">,
): Promise<MixingRun> {
  const counts = new SeparationCounts(subject.task);
  const { runner, traffic } = countedRunner(
    runShardsHere(separate ? counts.task : subject.task, subject.create()),
  );
  const separated = new AbortController();
  let separation: Separation | undefined;
  const points: EpochPoint[] = [];
  const isSerial = way.shards === 1;
  let oneThread = 0;
  let machineAShard = 0;
  let begin = processorTime();
  const training = mixShards(runner, {
    ...way,
    epochs,
    seed,
    signal: separated.signal,
    onMixed: async (state, round) => {
      const all = (processorTime() - begin) / 1000;
      oneThread += all;
      machineAShard +=
        all + (round.slowest - sum(round.shards.map(({ milliseconds }) => milliseconds))) / 1000;
      const mistakes = mistakesOf(round.shards);
      counts.add(round.shards);
      const isSeparated = separate && mistakes === 0;
      if (!separate || isSeparated || state.epoch === epochs || state.epoch % SEPARATE_EVERY === 0) {
        const weights = await weightsOf(runner, state, average);
        points.push({
          epoch: state.epoch,
          scores: subject.evaluate(weights),
          test: test ? subject.evaluate(weights, "test") : undefined,
          mistakes,
          oneThread,
          machineAShard,
          sent: isSerial ? undefined : traffic.bytes,
          rounds: isSerial ? undefined : traffic.rounds,
        });
      }
      if (isSeparated) {
        separation = counts.result(separatingMargin(subject.task, state.values));
        separated.abort();
      }
      begin = processorTime();
    },
  });
  await training.catch((error: unknown) => {
    if (separation === undefined) throw error;
  });
  return withTest({ strategy: isSerial ? "serial" : "iterative", ...way, points, separation });
}

/** Returns a run with the score on the test split after the epoch that was best on the development split. */
function withTest(run: MixingRun): MixingRun {
  const { test } = bestPoint(run);
  return { ...run, test };
}

/** Returns the share of examples with a mistake, in percent. */
function mistakesOf(shards: readonly { readonly mistakes: number; readonly done: number }[]): number {
  const [mistakes, done] = [sum(shards.map((one) => one.mistakes)), sum(shards.map((one) => one.done))];
  return (100 * mistakes) / Math.max(1, done);
}

/** Number of timed passes with threads and with one thread. */
const PASSES = 3;

/** Mixing methods of mixing once. */
const MIXED_ONCE: readonly Mixing[] = ["uniform", "error"];

/**
 * Returns the results of the first shard alone, and of all shards mixed once after each epoch, without
 * continuing from the mixture.
 */
async function once(
  subject: Subject,
  shards: number,
  { epochs, seed, test, average }: ExperimentOptions,
): Promise<MixingRun[]> {
  const { task } = subject;
  const learner = subject.create();
  const runner = runShardsHere(task, learner);
  // A copy: the state has the vectors of the learner, which each shard changes.
  const fresh = structuredClone((await runner.start()).state);
  const results: ShardSoFar[] = Array.from({ length: shards }, (_, shard) => ({
    shard,
    mistakes: 0,
    epochCounts: { mistakes: 0, done: 0 },
    milliseconds: 0,
    state: fresh,
  }));
  const scoresOf = (weights: Float32Array) => ({
    scores: subject.evaluate(weights),
    test: test ? subject.evaluate(weights, "test") : undefined,
  });
  const points: Record<"alone" | Mixing, EpochPoint[]> = { alone: [], uniform: [], error: [], changed: [] };
  for (let epoch = 1; epoch <= epochs; epoch++) {
    for (const [shard, before] of results.entries()) {
      const step = { shard, shards, epoch, epochs: 1, seed };
      const begin = processorTime();
      const { state, changed, mistakes, done } = await trainShard(task, learner, step, before.state);
      const milliseconds = processorTime() - begin;
      results[shard] = {
        shard,
        mistakes: before.mistakes + mistakes,
        epochCounts: { mistakes, done },
        milliseconds: before.milliseconds + milliseconds,
        state: keep({ state, changed }, epoch === 1 ? structuredClone(fresh) : before.state),
      };
    }
    const times = results.map(({ milliseconds }) => milliseconds / 1000);
    const [first] = results;
    points.alone.push({
      epoch,
      ...scoresOf(await weightsOf(runner, first!.state, average)),
      mistakes: mistakesOf([first!.epochCounts]),
      oneThread: times[0]!,
      machineAShard: times[0]!,
    });
    for (const mixing of MIXED_ONCE) {
      const begin = processorTime();
      const mixed = mixStates(results, mixing);
      const mixingSeconds = (processorTime() - begin) / 1000;
      points[mixing].push({
        epoch,
        ...scoresOf(await weightsOf(runner, mixed, average)),
        mistakes: mistakesOf(results.map(({ epochCounts }) => epochCounts)),
        oneThread: sum(times) + mixingSeconds,
        machineAShard: Math.max(...times) + mixingSeconds,
      });
    }
  }
  return [
    withTest({ strategy: "sub-sampled", shards, points: points.alone }),
    ...MIXED_ONCE.map((mixing) => withTest({ strategy: "once", shards, mixing, points: points[mixing] })),
  ];
}

/** A shard that is trained without mixing: sums over all epochs, and counts of the last one. */
interface ShardSoFar extends Pick<ShardResult, "shard" | "mistakes" | "milliseconds" | "state"> {
  readonly epochCounts: Pick<ShardResult, "mistakes" | "done">;
}

/** Copies the state at the end of a step into the arrays of the state at its beginning. */
function keep({ state, changed }: Pick<ShardResult, "state" | "changed">, old: OnlineState): OnlineState {
  const write = (into: Float32Array, vector: Float32Array): void => {
    if (changed === undefined) into.set(vector);
    else for (const [k, i] of changed.entries()) into[i] = vector[k]!;
  };
  write(old.values, state.values);
  write(old.weighted, state.weighted);
  for (const [name, vector] of Object.entries(state.memory ?? {})) write(old.memory![name]!, vector);
  return { ...old, epoch: state.epoch, steps: state.steps };
}

/** Trains in worker threads, and checks that one thread gives the same weights. */
async function inThreads(subject: Subject, shards: number, options: ExperimentOptions): Promise<ThreadRun> {
  const { epochs, seed, threads } = options;
  const mixes = Math.max(1, options.mixes);
  const way = { shards, seed, mixing: options.mixes > 0 ? "changed" : "uniform", mixes } as const;
  const here = runShardsHere(subject.task, subject.create());
  const place = onThreads(threads);
  const runner = runShardsAt(place, subjectShards, subject.data);
  try {
    // The first pass creates the tasks of all threads, and is checked.
    const two = { ...way, epochs: Math.min(2, epochs) };
    const expected = await mixShards(here, two);
    const found = await mixShards(runner, two);
    if (found.values.some((value, i) => value !== expected.values[i])) {
      throw new WrongAnswer(`${subject.name}: ${threads} threads gave other weights than one thread`);
    }
    const times = { threads: [] as number[], oneThread: [] as number[] };
    // Interleaved, so that other load on the machine affects both.
    for (let pass = 0; pass < PASSES; pass++) {
      times.threads.push(await timeOf(runner, two));
      times.oneThread.push(await timeOf(runShardsHere(subject.task, subject.create()), two));
    }
    return { shards, mixes, threads, seconds: times.threads, oneThread: times.oneThread };
  } finally {
    await place.close();
  }
}

async function timeOf(runner: ShardRunner, options: Parameters<typeof mixShards>[1]): Promise<number> {
  const begin = performance.now();
  await mixShards(runner, options);
  return seconds(begin);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
