import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ColumnShares } from "@arcwise/parser";
import { type BatchInput, type ParsedBlock, parseBlock } from "./batch.ts";
import { explain, ThreadError } from "./errors.ts";
import { loadAnalyser, type ParserSettings } from "./parser.ts";
import type { WorkerAnswer, WorkerResult, WorkerTask } from "./worker.ts";

/** Parses blocks of sentences, several at a time when it has several threads. */
export interface BlockParser {
  /** How many blocks may be under way at a time, so that no thread waits and memory stays bounded. */
  readonly capacity: number;
  /** Shares of the words that had tags, features and lemmas when the model was trained. */
  readonly columns: ColumnShares;
  /** @throws ThreadDied when the thread of the block ended twice without an answer */
  parse(input: BatchInput): Promise<ParsedBlock>;
  close(): Promise<void>;
}

/** A thread ended without an answer, as when its memory ran out. */
export class ThreadDied extends Error {
  override readonly name = "ThreadDied";
}

/**
 * Returns the number of threads to use: as many as were asked for, at most one a core unless that is forced.
 */
export function threadsToUse(asked: number, forced: boolean): number {
  return forced ? asked : Math.min(asked, availableParallelism());
}

/**
 * A parser in this thread (`threads` = 1), or in worker threads. Resolves when the model is loaded once, so
 * that what is wrong with it is known before any sentence is read.
 *
 * @throws ModelError, a file error, UsageError, or a ThreadError that reports one, when it cannot be loaded
 */
export async function blockParser(settings: ParserSettings, threads: number): Promise<BlockParser> {
  if (threads > 1) {
    const pool = new Pool(settings, threads, new URL("./worker.js", import.meta.url));
    const columns = await pool.load();
    return {
      capacity: pool.capacity,
      columns,
      parse: (input) => pool.parse(input),
      close: () => pool.close(),
    };
  }
  const analyser = await loadAnalyser(settings);
  return {
    capacity: 1,
    columns: analyser.profile.columns,
    parse: (input) => parseBlock(analyser, input, settings),
    close: async () => {},
  };
}

/** A task, and the callbacks for its result. */
interface Job {
  readonly task: WorkerTask;
  /** Threads that have died of it. */
  deaths: number;
  resolve(result: WorkerResult): void;
  reject(error: Error): void;
}

interface Slot {
  readonly worker: Worker;
  job: Job | undefined;
}

/**
 * Worker threads that are started as blocks come: another one when each of those that run has a block
 * waiting, since loading the model takes longer than parsing a block. A thread that dies costs its block one
 * attempt of two.
 */
export class Pool {
  readonly capacity: number;
  readonly #settings: ParserSettings;
  readonly #threads: number;
  readonly #code: URL;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Job[] = [];
  #closed = false;

  /** @param code the module that threads run: it answers each `WorkerTask` by a `WorkerAnswer` */
  constructor(settings: ParserSettings, threads: number, code: URL) {
    this.#settings = settings;
    this.#threads = threads;
    this.#code = code;
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
      throw error;
    }
  }

  async parse(input: BatchInput): Promise<ParsedBlock> {
    const { parsed } = await this.#submit({ settings: this.#settings, input });
    if (parsed === undefined) throw new Error("a worker answered without a result");
    return parsed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#slots].map(({ worker }) => worker.terminate()));
  }

  #submit(task: WorkerTask): Promise<WorkerResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, deaths: 0, resolve, reject });
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
    if (slot.job !== undefined) slot.worker.postMessage(slot.job.task);
  }

  #start(): Slot {
    const slot: Slot = { worker: new Worker(this.#code), job: undefined };
    this.#slots.add(slot);
    let cause: Error | undefined;
    slot.worker.on("message", (answer: WorkerAnswer) => {
      const { job } = slot;
      slot.job = undefined;
      this.#assign();
      if ("failure" in answer) job?.reject(failureOf(answer.failure));
      else job?.resolve(answer);
    });
    slot.worker.on("error", (error: Error) => {
      cause = error;
    });
    slot.worker.on("exit", () => this.#bury(slot, cause));
    return slot;
  }

  /** Takes a thread that has ended out of the pool; its block waits for another one, once. */
  #bury(slot: Slot, cause: Error | undefined): void {
    const { job } = slot;
    this.#slots.delete(slot);
    if (job === undefined || this.#closed) return;
    job.deaths++;
    if (job.deaths < 2) this.#waiting.unshift(job);
    else job.reject(new ThreadDied(deathOf(cause), { cause }));
    this.#assign();
  }
}

function failureOf({ code, message, stack }: Extract<WorkerAnswer, { failure: unknown }>["failure"]): Error {
  return new ThreadError(code, message, stack);
}

function deathOf(cause: Error | undefined): string {
  return cause === undefined ? "its thread ended" : `its thread ended: ${explain(cause).message}`;
}
