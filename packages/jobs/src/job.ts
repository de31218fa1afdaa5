import {
  callback,
  checkArgument,
  signal as isSignal,
  optional,
  satisfying,
  shaped,
  string,
  withMembers,
} from "@arcwise/core/options";

/**
 * A computation of plain data that any place can do: this thread, another one, another machine. The same input gives
 * the same output everywhere.
 *
 * @typeParam In plain data; members that are `Shared` arrive as their data
 *
 * @example
 * // square-jobs.ts
 * export const square: Job<{ readonly x: number }, number> = {
 *   name: "square",
 *   module: import.meta.url,
 *   run: ({ x }) => x * x,
 * };
 *
 * const place = onThreads(2);
 * console.log(await place.do(square, { x: 3 })); // 9
 */
export interface Job<In extends object, Out> {
  /** Unique among the jobs of a program. */
  readonly name: string;
  /** URL of the module that exports the job, from which threads import it. */
  readonly module: string;
  run(input: Resolved<In>, context: JobContext): Out | Promise<Out>;
}

/** Progress of a job: plain data. The report of the end of an epoch is never left out. */
export type JobProgress = object & { readonly epochDone?: boolean | undefined };

/** The means that a place offers a job. */
export interface JobContext {
  /** Reports progress. A place may leave out reports that follow another within 100 ms. */
  onProgress(progress: JobProgress): void;
  /** Ends the job. */
  readonly signal: AbortSignal | undefined;
  /**
   * Returns the result of a function, and keeps it for later jobs of the same name in this place, as long as the
   * place keeps the data: memory and tables that are worth keeping between jobs.
   *
   * @param data a member of the input that was shared
   */
  keep<Made>(data: object, make: () => Made): Made;
}

/** Callbacks of one job, and its end. */
export interface JobRun<Progress = never> {
  /** Receives what the job reports. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Rejects with the signal's reason once that is aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether a job that has begun is done to its end after its signal is aborted, and its thread keeps what it has
   * loaded; a number: the milliseconds that it has for that before its thread ends. Default: its thread ends.
   */
  readonly completes?: boolean | number | undefined;
}

/**
 * Does jobs.
 *
 * @example
 * const place: Place = text.length > 10_000 ? onThreads(4) : here();
 */
export interface Place {
  /** Maximum number of jobs at a time. */
  readonly width: number;
  /** Whether inputs and outputs must be plain data, without shared memory: in a store, on machines. Default: false. */
  readonly isPlain?: boolean | undefined;
  /**
   * Does a job. Jobs begin in the order of the calls.
   *
   * @throws what the job throws; from threads and machines with its name, code and members, not its class
   * @throws the reason of `run.signal` once that is aborted
   */
  do<In extends object, Out, Progress = never>(
    job: Job<In, Out>,
    input: In,
    run?: JobRun<Progress>,
  ): Promise<Out>;
  /** Ends what the place has started. Jobs that are not done reject. */
  close(): Promise<void>;
}

/** Accepts places. */
export const isPlace = withMembers<Place>("a place, such as here() or onThreads(4)", "do", "width");
const named = shaped<Job<object, unknown>>("a job", { name: string, run: callback });
// What has a function `then` would be awaited in place of the job, perhaps without end.
const inputOf = satisfying<object>(
  "an input: an object that is not a promise",
  (value) =>
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then !== "function",
);
const runOf = shaped<JobRun>("the callbacks of a job", {
  onProgress: optional(callback),
  signal: optional(isSignal),
  completes: optional(
    satisfying(
      "a boolean or milliseconds",
      (value) => value === true || value === false || (typeof value === "number" && value >= 0),
    ),
  ),
});

/**
 * Checks what is given to a place. Every `do` begins with it: what a place could not do would be waited for without end.
 */
export function checkJob(job: unknown, input: unknown, run: unknown = {}): void {
  checkArgument(named, job, "do: job");
  checkArgument(inputOf, input, "do: input");
  checkArgument(runOf, run, "do: run");
}

/** The facts of the option `place` of trainings. */
export const PLACE = {
  check: isPlace,
  help: "the place that does the jobs of the training; the model is the same everywhere",
  defaultHelp: "this thread",
  programmatic: true,
} as const;

/** Marks handles of shared data, of another copy of this module as well. */
const SHARED = Symbol.for("arcwise.shared");

/** The handle of data that is the input of several jobs: a place moves it once. The data must not change. */
export interface Shared<Data extends object> {
  readonly [SHARED]: true;
  readonly data: Data;
}

const known = new WeakMap<object, Shared<object>>();

/** Returns the handle of data for the inputs of jobs: the same one for the same object. */
export function share<Data extends object>(data: Data): Shared<Data> {
  checkArgument(withMembers("an object"), data, "share: data");
  const shared = (known.get(data) as Shared<Data> | undefined) ?? { [SHARED]: true, data };
  known.set(data, shared);
  return shared;
}

/** Returns a handle of data that is fetched each time it is used. */
export function sharedElsewhere(fetch: () => Promise<object>): Shared<object> {
  return {
    [SHARED]: true,
    get data() {
      return fetch();
    },
  };
}

/**
 * Returns the data of a handle in a list of handles: a list arrives as it is, for jobs that need few of its data. In
 * a place, handles of the same data are the same object.
 */
export async function sharedData<Data extends object>(shared: Shared<Data>): Promise<Data> {
  checkArgument(satisfying("a handle of shared data", isShared), shared, "sharedData");
  return shared.data;
}

/** Returns whether a member of an input is a handle of shared data. */
export function isShared(member: unknown): member is Shared<object> {
  return typeof member === "object" && member !== null && SHARED in member;
}

/** The input of a job with the data of its shared members. */
export type Resolved<In> = { readonly [Name in keyof In]: ResolvedMember<In[Name]> };
type ResolvedMember<Member> = Member extends Shared<infer Data> ? Data : Member;

/** Returns the handles of an input, also of its lists. */
export function sharedMembers(input: object): Shared<object>[] {
  return Object.values(input).flat().filter(isShared);
}

/** Returns an input in which other values stand for its handles, also of its lists. */
export function withoutShared(input: object, of: (shared: Shared<object>) => unknown): object {
  const replaced = (member: unknown): unknown => {
    if (isShared(member)) return of(member);
    return Array.isArray(member) ? member.map(replaced) : member;
  };
  return Object.fromEntries(Object.entries(input).map(([name, member]) => [name, replaced(member)]));
}

/** Returns an input with the data of its shared members. */
export async function resolved<In extends object>(input: In): Promise<Resolved<In>> {
  checkArgument(inputOf, input, "resolved: input");
  const entries = Object.entries(input).map(async ([name, member]) => [
    name,
    isShared(member) ? await member.data : member,
  ]);
  return Object.fromEntries(await Promise.all(entries)) as Resolved<In>;
}
