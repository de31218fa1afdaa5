import { type AnalysisSettings, type BatchInput, type ParsedBlock, parseBlock } from "./batch.ts";
import { explain } from "./errors.ts";
import { type Analyser, loadAnalyser, type ParserSettings } from "./parser.ts";

/** Load the model, and wait until all workers of the pool have. */
interface LoadTask {
  readonly kind: "load";
  readonly settings: ParserSettings;
  /** One counter, shared: the workers that have loaded, or failed to. */
  readonly loaded: Int32Array;
  readonly workers: number;
}

/** Parse a block of sentences with the model that is loaded. */
interface ParseTask {
  readonly kind: "parse";
  readonly input: BatchInput;
}

export type WorkerTask = LoadTask | ParseTask;

/** Errors are explained here and told as data. */
export type WorkerAnswer =
  | { readonly parsed: ParsedBlock | undefined }
  | { readonly failure: { readonly code: number; readonly message: string; readonly stack: string } };

let loaded: { readonly analyser: Analyser; readonly settings: AnalysisSettings } | undefined;

/** The task of a worker thread, called by the pool. */
export async function work(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    if (task.kind === "load") {
      await load(task);
      return { parsed: undefined };
    }
    if (loaded === undefined) throw new Error("no model is loaded");
    return { parsed: await parseBlock(loaded.analyser, task.input, loaded.settings) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? "") : "";
    return { failure: { ...explain(error), stack } };
  }
}

async function load({ settings, loaded: counter, workers }: LoadTask): Promise<void> {
  try {
    loaded = { analyser: await loadAnalyser(settings), settings };
  } finally {
    // A thread that failed is here as well: the others shall not wait for it.
    meet(counter, workers);
  }
}

/**
 * Blocks the thread until all workers are here. The pool gives a task to a thread that has none: as long as
 * every thread waits, each of them gets one, so that each loads the model once and before the clock starts.
 */
function meet(loaded: Int32Array, workers: number): void {
  if (Atomics.add(loaded, 0, 1) + 1 === workers) Atomics.notify(loaded, 0);
  for (let seen = Atomics.load(loaded, 0); seen < workers; seen = Atomics.load(loaded, 0)) {
    Atomics.wait(loaded, 0, seen, 1000);
  }
}
