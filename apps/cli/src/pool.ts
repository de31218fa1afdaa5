import { type ResourceLimits, Worker } from "node:worker_threads";
import { errorFromData } from "@arcwise/core/errors";
import type { ColumnShares } from "@arcwise/parser";
import type { BatchInput, ParsedBlock } from "./batch.ts";
import type { BlockSettings } from "./block-analysis.ts";
import { DataError, EXIT, explain } from "./errors.ts";
import { ThreadDied } from "./salvage.ts";
import type { WorkerAnswer, WorkerData, WorkerResult, WorkerTask } from "./worker.ts";

/** A task, and the callbacks for its result. */
interface Job {
  readonly task: WorkerTask;
  resolve(result: WorkerResult): void;
  reject(error: Error): void;
}

interface Slot {
  readonly worker: Worker;
  /** Shared with the thread: the index of the sentence that is under way, -1 before the first one. */
  readonly reached: Int32Array;
  job: Job | undefined;
}

/**
 * Worker threads that are started as blocks come: another one when each of those that run has a block
 * waiting, since loading the model takes longer than parsing a block. A thread that dies takes its block with
 * it; the next one is parsed in a new thread.
 */
export class Pool {
  readonly capacity: number;
  readonly #settings: BlockSettings;
  readonly #threads: number;
  readonly #code: URL;
  readonly #limits: ResourceLimits;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Job[] = [];
  #closed: Error | undefined;

  /**
   * @param code the module that threads run: it answers each `WorkerTask` by a `WorkerAnswer`
   * @param limits the memory of each thread, where it is not that of the process
   */
  constructor(settings: BlockSettings, threads: number, code: URL, limits: ResourceLimits = {}) {
    this.#settings = settings;
    this.#threads = threads;
    this.#code = code;
    this.#limits = limits;
    this.capacity = 3 * threads;
  }

  /** Threads that run. */
  get size(): number {
    return this.#slots.size;
  }

  /** Loads the model in one thread. Returns what it was trained with. */
  async load(): Promise<ColumnShares> {
    try {
      const { columns } = await this.#submit({ settings: this.#settings });
      return columns;
    } catch (error) {
      await this.close();
      throw error instanceof ThreadDied ? this.#notLoaded(error) : error;
    }
  }

  /** Parses a block. @throws ThreadDied when its thread ends without an answer */
  async parse(input: BatchInput): Promise<ParsedBlock> {
    const { parsed } = await this.#submit({ settings: this.#settings, input });
    if (parsed === undefined) throw new Error("a worker answered without a result");
    return parsed;
  }

  /** Ends all threads; what is under way or comes later fails by `reason`. */
  async close(reason: Error = new Error("the pool is closed")): Promise<void> {
    this.#closed ??= reason;
    const jobs = [...this.#waiting.splice(0), ...[...this.#slots].map(({ job }) => job)];
    for (const job of jobs) job?.reject(this.#closed);
    await Promise.all([...this.#slots].map(({ worker }) => worker.terminate()));
  }

  #submit(task: WorkerTask): Promise<WorkerResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      this.#waiting.push({ task, resolve, reject });
      this.#assign();
    });
  }

  /** Gives waiting jobs to idle threads, and starts a thread when there are too many. */
  #assign(): void {
    for (const slot of this.#slots) {
      if (slot.job === undefined) this.#give(slot);
    }
    const backlog = this.#waiting.length;
    if (backlog > 0 && backlog >= this.#slots.size && this.#slots.size < this.#threads)
      this.#give(this.#start());
  }

  #give(slot: Slot): void {
    slot.job = this.#waiting.shift();
    if (slot.job === undefined) return;
    Atomics.store(slot.reached, 0, -1);
    slot.worker.postMessage(slot.job.task);
  }

  #start(): Slot {
    const reached = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: WorkerData = { reached };
    const worker = new Worker(this.#code, { workerData, resourceLimits: this.#limits });
    const slot: Slot = { worker, reached, job: undefined };
    this.#slots.add(slot);
    let cause: Error | undefined;
    worker.on("message", (answer: WorkerAnswer) => {
      const { job } = slot;
      slot.job = undefined;
      if (this.#closed === undefined) this.#assign();
      if ("failure" in answer) job?.reject(errorFromData(answer.failure));
      else job?.resolve(answer);
    });
    worker.on("error", (error: Error) => {
      cause = error;
    });
    worker.on("exit", () => this.#bury(slot, cause));
    return slot;
  }

  /** Takes a thread that has ended out of the pool. */
  #bury(slot: Slot, cause: Error | undefined): void {
    const { job } = slot;
    this.#slots.delete(slot);
    if (job === undefined || this.#closed !== undefined) return;
    const reached = Atomics.load(slot.reached, 0);
    job.reject(new ThreadDied(deathOf(cause), reached < 0 ? undefined : reached, { cause }));
    this.#assign();
  }

  /** The error of a model of which a thread died. */
  #notLoaded(death: ThreadDied): Error {
    const { cause } = death;
    if (!(cause instanceof Error)) return death;
    const { code, message } = explain(cause);
    return code === EXIT.data ? new DataError(`${this.#settings.model}: ${message}`, { cause }) : cause;
  }
}

function deathOf(cause: Error | undefined): string {
  return cause === undefined ? "its thread ended" : `its thread ended: ${explain(cause).message}`;
}
