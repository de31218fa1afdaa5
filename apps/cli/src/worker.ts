import { parentPort, workerData } from "node:worker_threads";
import type { ColumnShares } from "@arcwise/parser";
import { type BatchInput, type ParsedBlock, parseBlock } from "./batch.ts";
import { type Explanation, explain } from "./errors.ts";
import { type Analyser, loadAnalyser, type ParserSettings } from "./parser.ts";

/** What a thread is started with. */
export interface WorkerData {
  /** Shared with who started it: the index of the sentence that is under way. */
  readonly reached: Int32Array;
}

/** What a thread is asked for: to load the model, or to parse a block with it. */
export interface WorkerTask {
  readonly settings: ParserSettings;
  /** Absent: load the model and no more. */
  readonly input?: BatchInput;
}

/** What a thread has done. */
export interface WorkerResult {
  readonly parsed: ParsedBlock | undefined;
  readonly columns: ColumnShares;
}

/** What a thread answers. Errors are explained here, since their classes do not survive the way back. */
export type WorkerAnswer = WorkerResult | { readonly failure: Explanation & { readonly stack: string } };

const { reached } = workerData as WorkerData;
let analyser: Promise<Analyser> | undefined;

async function work({ settings, input }: WorkerTask): Promise<WorkerAnswer> {
  try {
    analyser ??= loadAnalyser(settings);
    const loaded = await analyser;
    const onSentence = (index: number) => Atomics.store(reached, 0, index);
    const parsed = input && (await parseBlock(loaded, input, settings, onSentence));
    return { parsed, columns: loaded.profile.columns };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? "") : "";
    return { failure: { ...explain(error), stack } };
  }
}

parentPort?.on("message", async (task: WorkerTask) => {
  parentPort?.postMessage(await work(task));
});
