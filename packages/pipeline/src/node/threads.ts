import { type ResourceLimits, Worker } from "node:worker_threads";
import type { ConlluSentence, SentenceView } from "@arcwise/conllu";
import { ArcwiseError } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import {
  checkArgument,
  checkOptions,
  having,
  optional,
  partial,
  positive,
  satisfying,
  threadCount,
} from "@arcwise/core/options";
import type {
  AnalysisResults,
  AnalysisSettings,
  GraphResults,
  GraphTask,
  PipelineFacts,
  SentenceTask,
} from "../analysis.ts";
import { analysisOf } from "../analysis-pipeline.ts";
import { addCounts, type InputCounts, noInput } from "../input-counts.ts";
import { isIterable, isTextToRun, type SentenceInput, sentenceOf, tokenized } from "../inputs.ts";
import { type AskOptions, Connection } from "../remote.ts";
import { RUN_OPTIONS, type RunOptions, type StreamInput } from "../run-options.ts";
import { annotateStream, batchesOf, outcome, settingsOf, tasksOf } from "../runner.ts";
import type { PipelineFiles } from "./pipeline-files.ts";

/**
 * A pipeline in this thread, or in several others. Batches may be analysed at the same time.
 *
 * @example
 * const nlp: PipelineThreads = pipelineOnThreads({ model: "my.model" }, 4);
 * const sentences = await nlp.run("Dogs bark.");
 * await nlp.close();
 */
export interface PipelineThreads {
  /** How many batches may be under way at a time, so that no thread waits and memory stays bounded. */
  readonly capacity: number;
  /** Resolves when the pipeline is loaded once. Rejects as `openPipeline`. */
  ready(): Promise<PipelineFacts>;
  /** As `Pipeline.run`: one thread cuts the text, and all of them share its sentences. */
  run(text: string, options?: RunOptions): Promise<SentenceView[]>;
  /** As `Pipeline.annotate`: the threads share the sentences. */
  annotate(sentences: Iterable<SentenceInput>, options?: RunOptions): Promise<SentenceView[]>;
  /** As `Pipeline.stream`: one thread cuts the text, and batches follow each other on any threads. */
  stream(input: StreamInput, options?: RunOptions): AsyncGenerator<SentenceView>;
  /** Ends the threads, in a sentence too: what is under way or comes later rejects with the reason. */
  close(reason?: Error): Promise<void>;
}

/** A pipeline in threads with what the command calls: every pipeline of `pipelineOnThreads` is one. */
export interface AnalysisThreads extends PipelineThreads {
  /** As `AnalysisPipeline.analyse`. The result of a sentence of which two threads ended is an error `thread-lost`. */
  analyse(
    tasks: readonly SentenceTask[],
    settings?: AnalysisSettings,
    options?: AskOptions,
  ): Promise<AnalysisResults>;
  findGraphs(tasks: readonly GraphTask[], options?: AskOptions): Promise<GraphResults>;
}

/** Returns a pipeline in threads with what the command calls. */
export function analysisThreads(pipeline: PipelineThreads): AnalysisThreads {
  checkArgument(having("a pipeline", "analyse", "findGraphs"), pipeline, "analysisThreads: pipeline");
  return pipeline as AnalysisThreads;
}

/** Returns a pipeline of files in this thread, which is not free for anything else while it works. */
export async function pipelineHere(files: PipelineFiles): Promise<AnalysisThreads> {
  // Who works on other threads does not load models in this one.
  const { openPipeline } = await import("./open.ts");
  const pipeline = analysisOf(await openPipeline(files));
  return {
    capacity: 1,
    ready: async () => pipeline.facts,
    run: async (text, options) => pipeline.run(text, options),
    annotate: async (sentences, options) => pipeline.annotate(sentences, options),
    stream: (input, options) => pipeline.stream(input, options),
    analyse: async (tasks, settings) => pipeline.analyse(tasks, settings),
    findGraphs: async (tasks) => pipeline.findGraphs(tasks),
    close: async () => {},
  };
}

const FILES = satisfying(
  "the files of a pipeline: { model: PATH }",
  (value) =>
    typeof value === "object" && value !== null && "model" in value && typeof value.model === "string",
);
const LIMITS = optional(
  partial({
    maxOldGenerationSizeMb: positive,
    maxYoungGenerationSizeMb: positive,
    codeRangeSizeMb: positive,
    stackSizeMb: positive,
  }),
);

/**
 * Starts a pipeline of files on worker threads: another one when each of those that run has a batch waiting,
 * since loading a model takes longer than a batch. A thread that ends takes its batch with it; the next one
 * is analysed in a new thread, and the sentence that was under way is tried once more by itself.
 *
 * @param limits the memory of each thread, where it differs from the memory of the process
 * @throws ArcwiseError `invalid-argument`
 *
 * @example
 * const nlp = pipelineOnThreads({ model: "my.model" }, 4);
 * for await (const sentence of nlp.stream(createReadStream("letters.txt", "utf8"))) console.log(sentence.text);
 * await nlp.close();
 */
export function pipelineOnThreads(
  files: PipelineFiles,
  threads: number,
  limits: ResourceLimits = {},
): PipelineThreads {
  checkArgument(FILES, files, "pipelineOnThreads: files");
  checkArgument(threadCount, threads, "pipelineOnThreads: threads");
  checkArgument(LIMITS, limits, "pipelineOnThreads: limits");
  const code = new URL("./pipeline-worker.js", import.meta.url);
  const workerData: PipelineFiles = { ...files, bytes: undefined };
  return new ThreadPool(() => new Worker(code, { workerData, resourceLimits: limits }), threads);
}

/** Work for a thread, and the callbacks for its result. */
interface Job<Result = unknown> {
  run(slot: Slot): Promise<Result>;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Slot {
  readonly worker: Worker;
  readonly connection: Connection;
  /** Shared with the thread: the index of the sentence that is under way, -1 before the first one. */
  readonly reached: Int32Array;
  busy: boolean;
}

/** A thread ended without an answer, as when its memory ran out. */
export class ThreadEnded extends ArcwiseError {
  override readonly name = "ThreadEnded";
  /** The index of the sentence that was under way; undefined: none was. */
  readonly sentence: number | undefined;

  constructor(cause: Error, sentence: number | undefined) {
    super("thread-lost", `its thread ended: ${cause.message}`, { cause });
    this.sentence = sentence;
  }
}

/** Times that a sentence is tried of which threads end: the memory may have been short for another reason. */
const ATTEMPTS = 2;

/** Threads that analyse batches. */
export class ThreadPool implements AnalysisThreads {
  readonly capacity: number;
  readonly #start: () => Worker;
  readonly #threads: number;
  readonly #slots = new Set<Slot>();
  readonly #waiting: Job[] = [];
  #closed: Error | undefined;

  /** @param start starts a thread that serves a pipeline */
  constructor(start: () => Worker, threads: number) {
    this.#start = start;
    this.#threads = threads;
    this.capacity = 3 * threads;
  }

  /** Threads that run. */
  get size(): number {
    return this.#slots.size;
  }

  async ready(): Promise<PipelineFacts> {
    try {
      return await this.#submit(({ connection }) => connection.ready());
    } catch (error) {
      await this.close();
      throw error instanceof ThreadEnded ? error.cause : error;
    }
  }

  async run(text: string, options?: RunOptions): Promise<SentenceView[]> {
    checkArgument(isTextToRun, text, "run: text");
    const given = checkOptions(RUN_OPTIONS, options, "run");
    given.signal?.throwIfAborted();
    const sentences = await this.#submit(async ({ connection }) => {
      const session = connection.session();
      return [...(await session.push(text)), ...(await session.end())];
    }, given.signal);
    return this.#annotate(sentences.map(tokenized), given);
  }

  async annotate(sentences: Iterable<SentenceInput>, options?: RunOptions): Promise<SentenceView[]> {
    checkArgument(isIterable, sentences, "annotate: sentences");
    return this.#annotate([...sentences].map(sentenceOf), checkOptions(RUN_OPTIONS, options, "annotate"));
  }

  stream(input: StreamInput, options?: RunOptions): AsyncGenerator<SentenceView> {
    return annotateStream(
      {
        analyse: (tasks, settings) => this.analyse(tasks, settings, { signal: options?.signal }),
        session: () => this.#session(options?.signal),
      },
      input,
      options,
    );
  }

  analyse(
    tasks: readonly SentenceTask[],
    settings: AnalysisSettings = {},
    { signal }: AskOptions = {},
  ): Promise<AnalysisResults> {
    return despiteEnds(tasks, (some) =>
      this.#submit(({ connection, reached }) => connection.analyse(some, settings, { reached }), signal),
    );
  }

  findGraphs(tasks: readonly GraphTask[], { signal }: AskOptions = {}): Promise<GraphResults> {
    return despiteEnds(tasks, (some) =>
      this.#submit(({ connection, reached }) => connection.findGraphs(some, { reached }), signal),
    );
  }

  async close(reason: Error = new ArcwiseError("interrupted", "the threads were closed")): Promise<void> {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#closed);
    await Promise.all([...this.#slots].map(({ worker }) => worker.terminate()));
  }

  async #annotate(sentences: readonly ConlluSentence[], options: RunOptions): Promise<SentenceView[]> {
    const batches = batchesOf(sentences);
    const results = await Promise.all(
      batches.map((batch) => this.analyse(tasksOf(batch, options), settingsOf(options), options)),
    );
    return batches.flatMap((batch, b) => outcome(batch, results[b]!, options));
  }

  /** Begins a text in one of the threads, which cuts all of it, between the batches of others. */
  #session(signal: AbortSignal | undefined) {
    const begun = this.#submit(async (slot) => ({ slot, text: slot.connection.session(signal) }), signal);
    const cut = async (chunk?: string) => {
      const { slot, text } = await begun;
      return (chunk === undefined ? text.end() : text.push(chunk)).catch((error: Error) => {
        throw this.#errorIn(slot, error);
      });
    };
    const leave = () => void begun.then(({ text }) => text.leave()).catch(() => {});
    return { push: cut, end: () => cut(), leave };
  }

  /** Has a thread run a job. A signal ends the wait for it; a thread that has begun completes it. */
  #submit<Result>(run: Job<Result>["run"], signal?: AbortSignal): Promise<Result> {
    const done = new Promise<Result>((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      if (signal?.aborted) return reject(signal.reason);
      const unlessAborted: Job<Result>["run"] = async (slot) => {
        signal?.throwIfAborted();
        return run(slot);
      };
      this.#waiting.push({ run: unlessAborted, resolve: resolve as Job["resolve"], reject });
      this.#assign();
    });
    return abortable(done, signal);
  }

  /** Gives waiting jobs to idle threads, and starts a thread when there are too many. */
  #assign(): void {
    for (const slot of this.#slots) if (!slot.busy) this.#give(slot);
    const backlog = this.#waiting.length;
    if (backlog === 0 || backlog < this.#slots.size || this.#slots.size >= this.#threads) return;
    const worker = this.#start();
    const reached = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const slot = { worker, connection: new Connection(worker, {}), reached, busy: false };
    this.#slots.add(slot);
    this.#give(slot);
  }

  #give(slot: Slot): void {
    const job = this.#waiting.shift();
    if (job === undefined) return;
    slot.busy = true;
    Atomics.store(slot.reached, 0, -1);
    job.run(slot).then(
      (result) => {
        slot.busy = false;
        job.resolve(result);
        this.#assign();
      },
      (error: Error) => {
        slot.busy = false;
        job.reject(this.#errorIn(slot, error));
        if (this.#closed === undefined) this.#assign();
      },
    );
  }

  /** Returns an error of a thread; where the thread ended, it is removed, and that is the error. */
  #errorIn(slot: Slot, error: Error): Error {
    const { lost } = slot.connection;
    if (lost === undefined) return error;
    this.#slots.delete(slot);
    const reached = Atomics.load(slot.reached, 0);
    const cause = lost.cause instanceof Error ? lost.cause : lost;
    return this.#closed ?? new ThreadEnded(cause, reached < 0 ? undefined : reached);
  }
}

type Results<Result> = { readonly results: readonly Result[]; readonly counts: InputCounts };

/**
 * Runs tasks in threads that may end with one of them. That one is tried once more by itself, and gets an
 * error as its result when it fails again; those before and after it are done.
 *
 * Cost: two threads per lost task, and the tasks before it are done twice.
 *
 * @param run runs tasks in a thread; throws `ThreadEnded`
 */
export async function despiteEnds<Task, Result extends { readonly error?: unknown }>(
  tasks: readonly Task[],
  run: (tasks: readonly Task[]) => Promise<Results<Result>>,
  attempts: number = ATTEMPTS,
): Promise<Results<Result>> {
  try {
    return await run(tasks);
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    const { sentence } = error;
    if (tasks.length > 1 && sentence !== undefined) {
      const pieces = await Promise.all([
        despiteEnds(tasks.slice(0, sentence), run),
        despiteEnds(tasks.slice(sentence, sentence + 1), run, attempts - 1),
        despiteEnds(tasks.slice(sentence + 1), run),
      ]);
      return joined(pieces);
    }
    if (attempts > 1) return despiteEnds(tasks, run, attempts - 1);
    return { results: tasks.map(() => ({ error }) as unknown as Result), counts: noInput() };
  }
}

function joined<Result>(pieces: readonly Results<Result>[]): Results<Result> {
  const counts = noInput();
  for (const piece of pieces) addCounts(counts, piece.counts);
  return { results: pieces.flatMap(({ results }) => results), counts };
}
