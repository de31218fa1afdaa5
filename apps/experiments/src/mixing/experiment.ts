import type { Keep } from "@arcwise/bench/command";
import { processorTime } from "@arcwise/bench/measures";
import { UsageError } from "@arcwise/cli/command";
import {
  type Mixing,
  mixShards,
  mixStates,
  type OnlineState,
  runShardsHere,
  type ShardResult,
  type ShardRunner,
  trainShard,
} from "@arcwise/learn";
import { type Separation, SeparationCounts, separatingMargin } from "./separation.ts";
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

const STRATEGIES = ["serial", "sub-sampled", "once", "iterative"] as const;

/** Results of one training method on a subject. */
export interface MixingRun {
  readonly strategy: (typeof STRATEGIES)[number];
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

export interface SubjectResult {
  readonly subject: string;
  readonly learner: string;
  readonly metrics: readonly string[];
  readonly examples: number;
  readonly weights: number;
  readonly runs: readonly MixingRun[];
}

/** The options of the command, with shards in ascending order. */
export interface ExperimentOptions {
  readonly shards: readonly number[];
  readonly epochs: number;
  readonly seed: number;
  readonly mixing: readonly Mixing[];
  readonly mixes: number;
  /** Also of a second run of serial training. */
  readonly averageAfter: number;
  readonly average: boolean;
  readonly once: boolean;
  readonly test: boolean;
  readonly separate: boolean;
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
  const { shards, tell, keep } = options;
  const { name, learner, metrics, task } = subject;
  for (const count of shards) {
    if (count > task.size)
      throw new UsageError(`expected at most ${task.size} shards, one per sentence, got ${count}`);
  }
  // Warm up, so that the code is compiled before the first measurement.
  await iterative(subject, { shards: 1 }, { ...options, epochs: 1, test: false, separate: false });
  const step = <Result>(what: string, measure: () => Promise<Result>): Promise<Result> =>
    keep(what, () => {
      tell(`${name}: ${what}`);
      return measure();
    });
  const runs: MixingRun[] = [];
  for (const way of waysOf(options))
    runs.push(await step(describe(way), () => iterative(subject, way, options)));
  for (const count of options.once ? shards : [])
    runs.push(...(await step(`once, ${count} shards`, () => once(subject, count, options))));
  const order = (run: MixingRun) => STRATEGIES.indexOf(run.strategy);
  return {
    subject: name,
    learner: options.average ? learner : `${learner}, last weights`,
    metrics,
    examples: task.size,
    weights: task.dimension,
    runs: runs.sort((a, b) => order(a) - order(b) || a.shards - b.shards),
  };
}

function waysOf({ shards, mixing: mixings, mixes, averageAfter, epochs }: ExperimentOptions): Way[] {
  const late = averageAfter > 0 && averageAfter < epochs ? { averageAfter } : {};
  const ways: Way[] = [{ shards: 1 }];
  if (late.averageAfter) ways.push({ shards: 1, ...late });
  for (const count of shards) {
    for (const mixing of mixings) ways.push({ shards: count, mixing, mixes: 1 });
    if (mixes > 0) ways.push({ shards: count, mixing: "changed", mixes, ...late });
  }
  return ways;
}

function describe({ shards, mixing, mixes, averageAfter }: Way): string {
  const late = averageAfter === undefined ? "" : `, average after ${averageAfter}`;
  return `${shards === 1 ? "serial" : `iterative, ${shards} shards, ${mixing}, ${mixes} an epoch`}${late}`;
}

async function scoresOf(
  subject: Subject,
  runner: ShardRunner,
  state: OnlineState,
  { average, test }: Pick<ExperimentOptions, "average" | "test">,
): Promise<Pick<EpochPoint, "scores" | "test">> {
  const weights = average ? await runner.result(state) : state.values;
  return {
    scores: subject.evaluate(weights),
    test: test ? subject.evaluate(weights, "test") : undefined,
  };
}

/** A training until no mistake is left has many epochs: those that are a multiple of this are measured, and the last. */
const SEPARATE_EVERY = 10;

async function iterative(subject: Subject, way: Way, options: ExperimentOptions): Promise<MixingRun> {
  const { epochs, seed, separate } = options;
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
        points.push({
          epoch: state.epoch,
          ...(await scoresOf(subject, runner, state, options)),
          mistakes,
          oneThread,
          machineAShard,
          ...(!isSerial && { sent: traffic.bytes, rounds: traffic.rounds }),
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

/** Mixing methods of mixing once. */
const MIXED_ONCE: readonly Mixing[] = ["uniform", "error"];

/**
 * Returns the results of the first shard alone, and of all shards mixed once after each epoch, without
 * continuing from the mixture.
 */
async function once(subject: Subject, shards: number, options: ExperimentOptions): Promise<MixingRun[]> {
  const { task } = subject;
  const { epochs, seed } = options;
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
    const point = async (state: OnlineState, of: readonly ShardSoFar[]) => ({
      epoch,
      ...(await scoresOf(subject, runner, state, options)),
      mistakes: mistakesOf(of.map(({ epochCounts }) => epochCounts)),
    });
    const [first] = results as [ShardSoFar];
    const [alone] = times as [number];
    points.alone.push({ ...(await point(first.state, [first])), oneThread: alone, machineAShard: alone });
    for (const mixing of MIXED_ONCE) {
      const begin = processorTime();
      const mixed = mixStates(results, mixing);
      const mixingSeconds = (processorTime() - begin) / 1000;
      points[mixing].push({
        ...(await point(mixed, results)),
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
