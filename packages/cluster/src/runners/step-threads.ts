import { Worker } from "node:worker_threads";
import { errorFromData } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import { threadFailure } from "@arcwise/core/node";
import { checkArgument, threadCount } from "@arcwise/core/options";
import type { StepOutcome } from "../steps/executor.ts";
import type { StepOrder } from "../steps/order.ts";
import { THREAD_ANSWER, THREAD_ORDERS, type ThreadAnswer, type ThreadData } from "./serve-orders.ts";

/** A thread, which runs the steps of one caller at a time. */
interface Thread {
  readonly worker: Worker;
  /** Rejects when the thread ends. */
  readonly end: Promise<never>;
}

function startThread(workerData: ThreadData): Worker {
  return new Worker(new URL("./step-thread.js", import.meta.url), { workerData });
}

/**
 * Threads that run steps, each thread one at a time. The calling thread stays free. A thread that has ended is
 * replaced by the next step.
 */
export class StepThreads {
  readonly #data: ThreadData;
  readonly #count: number;
  readonly #startThread: (data: ThreadData) => Worker;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /**
   * @param start starts a thread that serves orders
   * @throws ArcwiseError `invalid-argument` unless `count` is a number of threads
   */
  constructor(data: ThreadData, count: number, start: (data: ThreadData) => Worker = startThread) {
    checkArgument(threadCount, count, "threads");
    this.#data = data;
    this.#count = count;
    this.#startThread = start;
  }

  /**
   * Runs steps, one after the other, on the next thread that is free.
   *
   * @throws the error of the first step that fails; those after it are not run
   * @throws ArcwiseError `thread-lost` when the thread ends before
   * @throws the reason of the signal once that is aborted, which ends the thread
   */
  async run(orders: readonly StepOrder[], signal?: AbortSignal): Promise<readonly StepOutcome[]> {
    while (this.#busy >= this.#count) await this.#turn(signal);
    this.#busy++;
    try {
      signal?.throwIfAborted();
      return await this.#runOn(this.#idle.pop() ?? this.#start(), orders, signal);
    } finally {
      this.#busy--;
      this.#waiting.shift()?.();
    }
  }

  /** Waits until a thread may be free. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    let wake = () => {};
    const turn = new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.push(wake);
    });
    try {
      await abortable(turn, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(wake);
      if (at >= 0) this.#waiting.splice(at, 1);
      // The turn had come: it is another caller's.
      else this.#waiting.shift()?.();
      throw error;
    }
  }

  async #runOn(
    thread: Thread,
    orders: readonly StepOrder[],
    signal: AbortSignal | undefined,
  ): Promise<readonly StepOutcome[]> {
    const { worker, end } = thread;
    const stop = () => void worker.terminate();
    signal?.addEventListener("abort", stop, { once: true });
    let hear = (_: ThreadAnswer) => {};
    const answered = new Promise<ThreadAnswer>((resolve) => {
      hear = resolve;
    });
    const leave = THREAD_ANSWER.listen(worker, hear);
    try {
      worker.postMessage(THREAD_ORDERS.seal(orders));
      const answer = await Promise.race([answered, end]);
      this.#idle.push(thread);
      if ("error" in answer) throw errorFromData(answer.error);
      return answer.outcomes;
    } catch (error) {
      if (!this.#idle.includes(thread)) this.#all.delete(thread);
      throw signal?.aborted ? signal.reason : error;
    } finally {
      leave();
      signal?.removeEventListener("abort", stop);
    }
  }

  #start(): Thread {
    const worker = this.#startThread(this.#data);
    const end = threadFailure(worker, "a thread that runs steps");
    const thread: Thread = { worker, end };
    // Who waits for the thread sees its end; an idle one is not used again.
    end.catch(() => {
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#all.delete(thread);
    });
    this.#all.add(thread);
    return thread;
  }

  /** Ends all threads. Steps that are running fail. */
  async close(): Promise<void> {
    const ended = [...this.#all].map(({ worker }) => worker.terminate());
    await Promise.all(ended);
  }
}
