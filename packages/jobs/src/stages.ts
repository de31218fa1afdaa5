import {
  accepting,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  flag,
  list,
  type OptionsOf,
  signal as signalCheck,
  withMembers,
} from "@arcwise/core/options";
import { isPlace, type Job, type Place } from "./job.ts";

/** The outputs of stages, as promises. */
export type StageOutputs<Outputs> = { readonly [Name in keyof Outputs]: Promise<Outputs[Name]> };

/**
 * A table of stages: each is a function of the outputs of others, of which it awaits those it needs.
 *
 * @typeParam Outputs the output of each stage
 */
export type StageTable<Outputs> = {
  readonly [Name in keyof Outputs]: (
    of: StageOutputs<Outputs>,
    signal: AbortSignal,
  ) => Outputs[Name] | Promise<Outputs[Name]>;
};

const STAGE_OPTIONS = defineOptions({
  inSequence: {
    check: flag,
    help: "whether a stage begins when the stage before it in the table has ended; otherwise all begin at once",
    required: true,
  },
  signal: { check: signalCheck, help: "ends the stages" },
});

/** Options of `runStages`. */
export interface StageOptions extends OptionsOf<typeof STAGE_OPTIONS> {}

/**
 * Runs a table of stages; returns the output of each. If one fails, the signal of the others is aborted, and they are
 * waited for.
 *
 * In sequence, a stage may await only stages before it in the table.
 *
 * @throws the error of the first stage that fails
 *
 * @example
 * const { sum } = await runStages<{ parts: number[]; sum: number }>(
 *   {
 *     parts: () => [1, 2, 3],
 *     sum: async ({ parts }) => (await parts).reduce((a, b) => a + b, 0),
 *   },
 *   { inSequence: true },
 * );
 * console.log(sum); // 6
 */
export async function runStages<Outputs extends object>(
  table: StageTable<Outputs>,
  options: StageOptions,
): Promise<Outputs> {
  checkArgument(withMembers("a table of stages"), table, "runStages: table");
  for (const stage of Object.values(table)) checkArgument(callback, stage, "runStages: a stage");
  const { inSequence, signal } = checkOptions(STAGE_OPTIONS, options, "runStages");
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const of: Partial<Record<keyof Outputs, Promise<unknown>>> = {};
  let last: Promise<unknown> = Promise.resolve();
  for (const name of Object.keys(table) as (keyof Outputs)[]) {
    const run = () => {
      either.throwIfAborted();
      return table[name](of as StageOutputs<Outputs>, either);
    };
    // A stage begins when all promises are there, in a table in any order.
    const output = (inSequence ? last : Promise.resolve()).then(run);
    output.catch((error: unknown) => stop.abort(error));
    last = output;
    of[name] = output;
  }
  const promises = Object.entries(of) as [string, Promise<unknown>][];
  const settled = await Promise.allSettled(promises.map(([, output]) => output));
  signal?.throwIfAborted();
  if (settled.some(({ status }) => status === "rejected")) throw stop.signal.reason;
  return Object.fromEntries(
    promises.map(([name], k) => [name, (settled[k] as PromiseFulfilledResult<unknown>).value]),
  ) as Outputs;
}

const JOBS_OPTIONS = defineOptions({
  onProgress: {
    check: accepting<(job: number, progress: never) => void>(callback),
    help: "receives what the jobs report, with the index of the input",
  },
  signal: { check: signalCheck, help: "ends the jobs" },
});

/** Options for observing and stopping the jobs of `doAll`. */
interface JobsRun<Progress = never> {
  /** Receives what the jobs report, with the index of the input. */
  readonly onProgress?: ((job: number, progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does a job for each of several inputs, as many at a time as the place does; returns their outputs. If one fails, the
 * others are stopped, and waited for.
 *
 * @throws the error of the first job that fails
 * @throws the reason of `signal` once that is aborted
 *
 * @example
 * const squares = await doAll(onThreads(2), square, [{ x: 1 }, { x: 2 }]); // [1, 4]
 */
export async function doAll<In extends object, Out, Progress = never>(
  place: Place,
  job: Job<In, Out>,
  inputs: readonly In[],
  options?: JobsRun<Progress>,
): Promise<Out[]> {
  checkArgument(isPlace, place, "doAll: place");
  checkArgument(list(withMembers("an object")), inputs, "doAll: inputs");
  const { signal, onProgress } = checkOptions(JOBS_OPTIONS, options, "doAll");
  const table = inputs.map((input, k) => (_: unknown, either: AbortSignal) => {
    const report = onProgress && ((progress: Progress) => onProgress(k, progress as never));
    return place.do(job, input, { onProgress: report, signal: either });
  });
  const outputs = await runStages<Record<number, Out>>({ ...table }, { inSequence: false, signal });
  return Object.values(outputs);
}
