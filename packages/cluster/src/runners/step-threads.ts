import { Worker } from "node:worker_threads";
import { errorFromData } from "@arcwise/core/errors";
import { threadFailure } from "@arcwise/core/node";
import type { StepOutcome } from "../steps/executor.ts";
import type { StepOrder } from "../steps/order.ts";
import type { ThreadAnswer, ThreadData } from "./step-thread.ts";

/** A thread, which runs the steps of one caller at a time. */
interface Thread {
  readonly worker: Worker;
  /** Rejects when the thread ends. */
  readonly end: Promise<never>;
}

/**
 * Threads that run steps, each thread one at a time. The calling thread stays free. A thread that has ended is
 * replaced by the next step.
 */
export class StepThreads {
  readonly #data: ThreadData;
  readonly #count: number;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /** @throws RangeError when `count` is no integer >= 1 */
  constructor(data: ThreadData, count: number) {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`threads must be an integer >= 1, got ${count}`);
    this.#data = data;
    this.#count = count;
  }

  /**
   * Runs steps, one after the other, on the next thread that is free.
   *
   * @throws the error of the first step that fails; those after it are not run
   * @throws ArcwiseError `thread-lost` when the thread ends before
   * @throws the reason of the signal once that is aborted, which ends the thread
   */
  async run(orders: readonly StepOrder[], signal?: AbortSignal): Promise<readonly StepOutcome[]> {
    while (this.#busy >= this.#count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy++;
    try {
      signal?.throwIfAborted();
      return await this.#runOn(this.#idle.pop() ?? this.#start(), orders, signal);
    } finally {
      this.#busy--;
      this.#waiting.shift()?.();
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
    try {
      const answer = new Promise<ThreadAnswer>((resolve) => worker.once("message", resolve));
      worker.postMessage(orders);
      const { outcomes, error } = await Promise.race([answer, end]);
      this.#idle.push(thread);
      if (error !== undefined) throw errorFromData(error);
      return outcomes!;
    } catch (error) {
      if (!this.#idle.includes(thread)) this.#all.delete(thread);
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  #start(): Thread {
    const worker = new Worker(new URL("./step-thread.js", import.meta.url), { workerData: this.#data });
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
