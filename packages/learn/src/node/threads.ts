import { ArcwiseError, type ArcwiseErrorOptions, errorFromData } from "@arcwise/core/errors";
import type { ShardRunner } from "../distributed/mixing.ts";
import type { ShardCounts, ShardResult, ShardStep, ShardStepOptions } from "../distributed/mixing-shard.ts";
import { vectorsOf } from "../distributed/mixing-state.ts";
import { copyState, type OnlineState } from "../online/train-online.ts";
import { Crew } from "./crew.ts";
import type { WorkSource } from "./work.ts";
import { COUNTS, sharedIndices, sharedVector, type WorkerAnswer, type WorkerTask } from "./worker.ts";

/** Options of training on worker threads. */
export interface ThreadOptions {
  /** Number of worker threads. More than the number of shards are not used. */
  readonly threads: number;
  /** Maximum number of attempts at a step when threads end early. Default: 3. */
  readonly attempts?: number | undefined;
  /** Called when a thread has ended early, before its step is repeated. */
  readonly onLost?: ((lost: LostWorker) => void) | undefined;
  /** Options of Node for the threads. Default: the options of the process. */
  readonly execArgv?: readonly string[] | undefined;
}

/** A thread that ended before its step. */
export interface LostWorker {
  readonly error: Error;
  /** The shard that it worked on. */
  readonly shard: number;
  /** Number of attempts at the step so far. */
  readonly attempt: number;
}

/** Worker threads ended early at each of the allowed attempts. `cause` is the error of the last one. */
export class WorkerLost extends ArcwiseError {
  override readonly name = "WorkerLost";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("thread-lost", message, options);
  }
}

/** A runner with worker threads, which run until it is closed. */
export interface ThreadRunner extends ShardRunner {
  allocate(length: number): Float32Array;
  /** Ends the threads. Steps in progress fail. */
  close(): Promise<void>;
}

/**
 * Makes a runner that does the steps of shards in worker threads. Weights are in shared memory: threads read
 * the initial state of a step in place, and write the final state, or the changes of a sparse learner, to
 * shared memory.
 *
 * The results are the same as on one thread, bit for bit. A thread that ends early (out of memory,
 * `process.exit`, an uncaught error) is replaced, and its step is repeated from the beginning; an error that
 * the task or learner throws ends training, since it would be thrown again. Aborting ends the threads at
 * once.
 *
 * Memory, besides the tasks: a learner per thread, and one state, or its changes, for each of min(shards,
 * threads + 1) results.
 *
 * @throws RangeError when `threads` or `attempts` is not an integer >= 1
 */
export function threadRunner(source: WorkSource, options: ThreadOptions): ThreadRunner {
  for (const name of ["threads", "attempts"] as const) {
    const value = options[name] ?? 1;
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`${name} must be an integer >= 1, got ${value}`);
  }
  return new Threads(source, options);
}

class Threads implements ThreadRunner {
  readonly #source: WorkSource;
  readonly #options: ThreadOptions;
  #crew: Crew | undefined;
  /** The states that results are written to, reused from one run to the next. */
  #slots: OnlineState[] = [];
  #sparse = false;
  #training = 0;

  constructor(source: WorkSource, options: ThreadOptions) {
    this.#source = source;
    this.#options = options;
  }

  allocate(length: number): Float32Array {
    return sharedVector(length);
  }

  async start(): Promise<{ readonly size: number; readonly state: OnlineState }> {
    const answer = await this.#ask({ kind: "start" }, -1);
    if (answer.kind !== "start") throw new Error(`a worker answered with ${answer.kind}`);
    const { size, state, sparse } = answer;
    this.#sparse = sparse;
    this.#training++;
    return { size, state };
  }

  async result(state: OnlineState): Promise<Float32Array> {
    const into = sharedVector(state.values.length);
    await this.#ask({ kind: "result", state: inSharedMemory(state), into }, -1);
    return into;
  }

  async *run(
    steps: readonly ShardStep[],
    from: OnlineState,
    { onProgress, signal, since }: ShardStepOptions,
  ): AsyncGenerator<ShardResult> {
    signal?.throwIfAborted();
    const shared = inSharedMemory(from);
    const free = this.#vacantSlots(shared, Math.min(steps.length, this.#options.threads + 1));
    const common = {
      kind: "step",
      training: this.#training,
      from: shared,
      since: since && { ...since, changed: since.changed && sharedIndices(since.changed) },
    } as const;
    const progress = steps.map(() => new Float64Array(new SharedArrayBuffer(8 * COUNTS.length)));
    const underWay = new Map<number, Promise<ShardResult>>();
    const stop = () => void this.close();
    signal?.addEventListener("abort", stop, { once: true });
    const watch = onProgress && watchProgress(steps, progress, onProgress);
    let next = 0;
    let done = false;
    try {
      for (let k = 0; k < steps.length; k++) {
        while (next < steps.length && free.length > 0) {
          const slot = free.pop();
          const step = {
            ...common,
            step: steps[next],
            progress: progress[next],
            into: slot,
          };
          const promise = this.#step(step);
          // Its error is thrown when its result is read.
          promise.catch(() => {});
          underWay.set(next++, promise);
        }
        const result = await underWay.get(k)!;
        underWay.delete(k);
        const { state, changed, milliseconds, ...counts } = result;
        onProgress?.(counts);
        yield result;
        free.push(changed ? undefined : state);
      }
      done = true;
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      watch?.();
      signal?.removeEventListener("abort", stop);
      // Threads that are still running must not continue to write.
      if (!done) await this.close();
    }
  }

  async close(): Promise<void> {
    const crew = this.#crew;
    this.#crew = undefined;
    await crew?.dismiss();
  }

  /**
   * Returns the given number of states like the given one; none for sparse learners. No thread writes to
   * them: a run that ends early ends its threads.
   */
  #vacantSlots(like: OnlineState, count: number): (OnlineState | undefined)[] {
    if (this.#sparse) return new Array<undefined>(count).fill(undefined);
    if (this.#slots[0]?.values.length !== like.values.length) this.#slots = [];
    while (this.#slots.length < count) this.#slots.push(copyState(like, sharedVector));
    return this.#slots.slice(0, count);
  }

  async #step(task: Extract<WorkerTask, { kind: "step" }>): Promise<ShardResult> {
    const answer = await this.#ask(task, task.step.shard);
    if (answer.kind !== "step") throw new Error(`a worker answered with ${answer.kind}`);
    const { state, ...result } = answer.result;
    return { ...result, state: task.into ? { ...task.into, epoch: state.epoch, steps: state.steps } : state };
  }

  /** Returns the answer of some worker; if it ends early, the answer of another worker. */
  async #ask(task: WorkerTask, shard: number): Promise<Exclude<WorkerAnswer, { kind: "failure" }>> {
    const { threads, attempts = 3, onLost, execArgv } = this.#options;
    this.#crew ??= new Crew(this.#source, threads, execArgv);
    const crew = this.#crew;
    for (let attempt = 1; ; attempt++) {
      const answer = await crew.ask(task);
      if (!(answer instanceof Error)) {
        if (answer.kind === "failure") throw errorFromData(answer.error);
        return answer;
      }
      if (crew.dismissed) throw answer;
      if (attempt === attempts) {
        const what = shard < 0 ? "its work" : `shard ${shard}`;
        throw new WorkerLost(`worker threads ended early ${attempts} times at ${what}: ${answer.message}`, {
          cause: answer,
        });
      }
      onLost?.({ error: answer, shard, attempt });
    }
  }
}

function inSharedMemory(state: OnlineState): OnlineState {
  const isShared = Object.values(vectorsOf(state)).every(({ buffer }) => buffer instanceof SharedArrayBuffer);
  return isShared ? state : copyState(state, sharedVector);
}

/** Milliseconds between two checks of the counts of running steps. */
const LOOK = 100;

/** Reports counts that have changed, until the returned function is called. */
function watchProgress(
  steps: readonly ShardStep[],
  progress: readonly Float64Array[],
  tell: (counts: ShardCounts) => void,
): () => void {
  const seen = steps.map(() => 0);
  const timer = setInterval(() => {
    for (const [k, { shard }] of steps.entries()) {
      const [done = 0, mistakes = 0, cost = 0, loss = 0] = progress[k];
      if (done === seen[k]) continue;
      seen[k] = done;
      tell({ shard, done, mistakes, cost, loss });
    }
  }, LOOK);
  return () => clearInterval(timer);
}
