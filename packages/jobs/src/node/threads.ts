import { Worker } from "node:worker_threads";
import { ArcwiseError, counted, errorFromData, errorToData } from "@arcwise/core/errors";
import {
  accepting,
  type Complete,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  integer,
  list,
  notNegative,
  type OptionsOf,
  positive,
  string,
  threadCount,
  withMembers,
} from "@arcwise/core/options";
import { type Channel, openChannel } from "../channel.ts";
import {
  checkJob,
  type Job,
  type JobRun,
  type Place,
  type Shared,
  sharedMembers,
  withoutShared,
} from "../job.ts";
import type { SharedToken, ThreadCalls, ThreadData } from "./messages.ts";

const LIMITS = defineOptions({
  maxOldGenerationSizeMb: { check: positive, help: "memory of the heap in MB" },
  maxYoungGenerationSizeMb: { check: positive, help: "memory of young objects in MB" },
  codeRangeSizeMb: { check: notNegative, help: "memory of generated code in MB" },
  stackSizeMb: { check: positive, help: "memory of the stack in MB" },
});

const OPTIONS = defineOptions({
  attempts: {
    check: threadCount,
    help: "maximum number of attempts at a job whose threads end early",
    default: 3,
  },
  onLost: {
    check: accepting<(lost: LostThread) => void>(callback),
    help: "called when a thread has ended early",
  },
  limits: {
    options: LIMITS,
    help: "memory of each thread, where it differs from the memory of the process",
  },
  execArgv: {
    check: list(string),
    help: "options of Node for the threads",
    defaultHelp: "the options of the process",
  },
  keeps: {
    check: integer(1),
    help: "number of shared data that each thread keeps, such as models of jobs of several models",
    default: 4,
  },
});

/**
 * Options of `onThreads`.
 *
 * @example
 * const options: ThreadOptions = { limits: { maxOldGenerationSizeMb: 2048 } };
 * const place = onThreads(4, options);
 */
export interface ThreadOptions extends OptionsOf<typeof OPTIONS> {}

/** A thread that ended before its job. */
export interface LostThread {
  readonly error: Error;
  /** Name of the job. */
  readonly job: string;
  /** Number of attempts at the job so far. */
  readonly attempt: number;
}

/**
 * A place of worker threads.
 *
 * @example
 * const place: ThreadPlace = onThreads(4);
 * console.log(place.width, place.size); // 4 0: threads start as they are needed
 */
export interface ThreadPlace extends Place {
  /** Threads that run. */
  readonly size: number;
}

/**
 * Returns a place that does jobs in worker threads, which start as they are needed. The calling thread stays free.
 * Inputs and outputs are copied (structured clone), shared data once per thread; memory in a SharedArrayBuffer is not.
 *
 * If a thread ends early (out of memory, `process.exit`, an uncaught error), its job is done again in another one. A
 * job whose signal is aborted ends its thread. Idle threads do not keep the process alive.
 *
 * @param threads maximum number of threads
 * @throws ArcwiseError `invalid-argument` unless `threads` is a number of threads; `unknown-option`, `invalid-option`
 * @throws from `do`, ArcwiseError `thread-lost` when threads have ended early at each attempt
 *
 * @example
 * const place = onThreads(4);
 * const model = await trainPipeline(treebank, { place });
 * await place.close();
 */
export function onThreads(threads: number, options?: ThreadOptions): ThreadPlace {
  checkArgument(threadCount, threads, "onThreads: threads");
  return new Threads(threads, checkOptions(OPTIONS, options, "onThreads"));
}

/** A job that waits for a thread, or is done by one. */
interface Task {
  readonly job: Job<object, unknown>;
  readonly input: object;
  readonly run: JobRun<object>;
  attempt: number;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  readonly channel: Channel<ThreadCalls>;
  /** The numbers of the data that it was sent. */
  readonly seen: Set<number>;
  task: Task | undefined;
}

class Threads implements ThreadPlace {
  readonly width: number;
  readonly #options: Complete<typeof OPTIONS>;
  readonly #threads = new Set<Thread>();
  #waiting: Task[] = [];
  #isClosed = false;
  readonly #numbers = new WeakMap<Shared<object>, number>();
  #lastNumber = 0;

  constructor(threads: number, options: Complete<typeof OPTIONS>) {
    this.width = threads;
    this.#options = options;
  }

  get size(): number {
    return this.#threads.size;
  }

  do<In extends object, Out, Progress>(
    job: Job<In, Out>,
    input: In,
    run: JobRun<Progress> = {},
  ): Promise<Out> {
    return new Promise<unknown>((resolve, reject) => {
      checkJob(job, input, run);
      checkArgument(string, job.module, "do: job.module, the URL of the module that exports the job");
      const { signal } = run;
      if (this.#isClosed) return reject(closed());
      if (signal?.aborted) return reject(signal.reason);
      const task = { job, input, run, attempt: 1, resolve, reject } as unknown as Task;
      const stop = () => this.#stop(task, signal?.reason);
      signal?.addEventListener("abort", stop, { once: true });
      const leave = () => signal?.removeEventListener("abort", stop);
      task.resolve = (output) => {
        leave();
        resolve(output);
      };
      task.reject = (error) => {
        leave();
        reject(error);
      };
      this.#waiting.push(task);
      this.#assign();
    }) as Promise<Out>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#waiting.splice(0)) task.reject(closed());
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, closed())));
  }

  /** Gives waiting tasks to idle threads, and starts threads while there are too few. */
  #assign(): void {
    while (this.#waiting.length > 0) {
      const task = this.#waiting[0]!;
      try {
        const thread = this.#idleFor(task) ?? (this.#threads.size < this.width ? this.#start() : undefined);
        if (thread === undefined) return;
        this.#waiting.shift();
        void this.#give(thread, task);
      } catch (error) {
        // Node refuses the options of the threads, or the input throws.
        this.#waiting = this.#waiting.filter((other) => other !== task);
        task.reject(error);
      }
    }
  }

  /** Returns the idle thread that has most of the shared data of a task. */
  #idleFor({ input }: Task): Thread | undefined {
    const numbers = sharedMembers(input).map((shared) => this.#numberOf(shared));
    let best: Thread | undefined;
    let most = -1;
    for (const thread of this.#threads) {
      if (thread.task !== undefined) continue;
      const has = numbers.filter((number) => thread.seen.has(number)).length;
      if (has <= most) continue;
      most = has;
      best = thread;
    }
    return best;
  }

  #start(): Thread {
    const { limits, execArgv, keeps } = this.#options;
    const workerData: ThreadData = { keeps };
    const worker = new Worker(new URL("./job-worker.js", import.meta.url), {
      workerData,
      resourceLimits: limits,
      ...(execArgv && { execArgv: [...execArgv] }),
    });
    const channel = openChannel<ThreadCalls>(
      worker,
      { data: (number: number) => this.#dataFor(thread, number) },
      {
        lost: (reason, cause) => {
          const error = endOfThread(reason, cause);
          this.#lose(thread, error);
          return error;
        },
      },
    );
    const thread: Thread = { worker, channel, seen: new Set(), task: undefined };
    this.#threads.add(thread);
    return thread;
  }

  async #give(thread: Thread, task: Task): Promise<void> {
    const { job, input, run } = task;
    thread.task = task;
    thread.worker.ref();
    let settle = () => {};
    try {
      const tokens = withoutShared(input, (shared) => this.#tokenOf(shared));
      const order = { name: job.name, module: job.module, input: tokens };
      const what = `the job "${job.name}"`;
      const onProgress = (progress: never) => {
        try {
          run.onProgress?.(progress);
        } catch (error) {
          this.#stop(task, error);
        }
      };
      const output = await thread.channel.call("do", order, { what, onProgress });
      settle = () => task.resolve(output);
    } catch (error) {
      settle = () => task.reject(error);
    }
    // The task of a lost thread is done again.
    if (!this.#threads.has(thread)) return;
    this.#free(thread);
    settle();
  }

  /** Returns a token in place of shared data. */
  #tokenOf(shared: Shared<object>): SharedToken {
    return { arcwiseShared: this.#numberOf(shared) };
  }

  #numberOf(shared: Shared<object>): number {
    const number = this.#numbers.get(shared) ?? ++this.#lastNumber;
    this.#numbers.set(shared, number);
    return number;
  }

  /** Returns the data of a shared member of the input of a task. */
  #dataFor(thread: Thread, number: number): object {
    const members = thread.task === undefined ? [] : sharedMembers(thread.task.input);
    const shared = members.find((member) => this.#numberOf(member) === number);
    // A member of the input looks like shared data, and is not.
    checkArgument(withMembers<Shared<object>>("shared data"), shared, "do: input");
    thread.seen.add(number);
    return shared!.data;
  }

  #free(thread: Thread): void {
    thread.task = undefined;
    thread.worker.unref();
    this.#assign();
  }

  /** Takes a thread that has ended out of the place; its task is done again. */
  #lose(thread: Thread, error: Error): void {
    if (!this.#threads.delete(thread)) return;
    const { task } = thread;
    if (task === undefined) return;
    const { attempts, onLost } = this.#options;
    const { attempt, job } = task;
    try {
      onLost?.({ error, job: job.name, attempt });
    } catch (thrown) {
      task.reject(thrown);
      this.#assign();
      return;
    }
    if (task.run.signal?.aborted) task.reject(task.run.signal.reason);
    else if (attempt >= attempts) {
      const what = `the job "${job.name}" ended ${attempts === 1 ? "its thread" : counted(attempts, "thread")}`;
      task.reject(new ArcwiseError("thread-lost", `${what}: ${error.message}`, { cause: error }));
    } else {
      task.attempt++;
      this.#waiting.unshift(task);
    }
    this.#assign();
  }

  /** Ends a task whose signal is aborted, and the thread that does it unless that is to complete it. */
  #stop(task: Task, reason: unknown): void {
    this.#waiting = this.#waiting.filter((other) => other !== task);
    const thread = [...this.#threads].find((other) => other.task === task);
    const { completes = false } = task.run;
    const end = () => void this.#end(thread!, reason).then(() => this.#assign());
    if (thread !== undefined && completes === false) {
      end();
      return;
    }
    task.reject(reason);
    if (thread === undefined || completes === true) return;
    setTimeout(() => {
      if (thread.task === task) end();
    }, completes as number).unref();
  }

  /** Ends a thread; its task is rejected once it has ended. */
  async #end(thread: Thread, reason: unknown): Promise<void> {
    this.#threads.delete(thread);
    await thread.worker.terminate();
    thread.task?.reject(reason);
  }
}

/** Returns the error of a thread that has ended. The class of an error is lost between threads; its members are not. */
function endOfThread(reason: string, cause: unknown): Error {
  if (cause === undefined) return new ArcwiseError("thread-lost", `a thread ended early: ${reason}`);
  return errorFromData(errorToData(cause));
}

function closed(): ArcwiseError {
  return new ArcwiseError("interrupted", "the threads were closed");
}
