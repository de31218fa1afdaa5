import { Tinypool } from "tinypool";
import type { WorkSource } from "./work.ts";
import type { WorkerAnswer, WorkerTask } from "./worker.ts";

type Thread = Tinypool["threads"][number];

/** A pool of worker threads that reports threads that end early. */
export class Crew {
  readonly #pool: Tinypool;
  readonly #threads: number;
  readonly #watched = new WeakSet<Thread>();
  /** Threads that have failed and are about to end: the pool may still give them tasks. */
  readonly #ending = new Set<Promise<void>>();
  readonly #waiting = new Set<(error: Error) => void>();
  #dismissed = false;

  constructor(
    { module, name = "work", data }: WorkSource,
    threads: number,
    execArgv: readonly string[] | undefined,
  ) {
    this.#threads = threads;
    this.#pool = new Tinypool({
      filename: String(module),
      name,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      // A thread that fails while it waits for memory to change would never end.
      useAtomics: false,
      // Each thread receives it when it starts, including replacements.
      workerData: data,
      ...(execArgv && { execArgv: [...execArgv] }),
    });
    // An idle thread has ended. The pool replaces it, unless threads cannot even start.
    this.#pool.on("error", (error: Error) => {
      this.#watch();
      if (this.#pool.threads.length < this.#threads) this.#failAll(error);
    });
    this.#watch();
  }

  get dismissed(): boolean {
    return this.#dismissed;
  }

  /** Returns the answer of a thread, or rejects with the error that the thread ended with. */
  ask(task: WorkerTask): Promise<WorkerAnswer | Error> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      const settle = (answer: WorkerAnswer | Error): void => {
        this.#waiting.delete(resolve);
        this.#watch();
        resolve(answer);
      };
      this.#pool.run(task).then(settle, async (error: unknown) => {
        await Promise.all(this.#ending);
        settle(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  async dismiss(): Promise<void> {
    if (this.#dismissed) return;
    this.#dismissed = true;
    this.#watch();
    const threads = [...this.#pool.threads];
    // Rejected when a thread fails while it ends.
    await this.#pool.destroy().catch(() => {});
    await Promise.all(threads.map((thread) => thread.terminate()));
    this.#failAll(new Error("the worker threads were ended"));
  }

  #failAll(error: Error): void {
    for (const resolve of this.#waiting) resolve(error);
    this.#waiting.clear();
  }

  /** Turns every other early end of a thread into an error, since the pool only notices errors. */
  #watch(): void {
    for (const thread of this.#pool.threads) {
      if (this.#watched.has(thread)) continue;
      this.#watched.add(thread);
      addRemoveListener(thread);
      let failed = false;
      let ended = false;
      thread.once("error", () => {
        failed = true;
        if (ended) return;
        const end = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
        this.#ending.add(end);
        void end.then(() => this.#ending.delete(end));
      });
      thread.once("exit", (code: unknown) => {
        ended = true;
        if (failed || this.#dismissed) return;
        thread.emit("error", new Error(`a worker thread ended with exit code ${String(code)}`));
      });
    }
  }
}

/**
 * Adds `removeListener` to a thread. The pool awaits the exit of its threads with `once` of node:events. If a
 * thread fails instead, `once` calls that method, which the pool's threads lack, in a listener: nothing could
 * catch the error.
 */
function addRemoveListener(thread: Thread & { removeListener?: (() => void) | undefined }): void {
  thread.removeListener ??= () => {};
}
