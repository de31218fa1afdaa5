import { parentPort, workerData } from "node:worker_threads";
import { type ErrorData, errorToData } from "@arcwise/core/errors";
import type { ColumnShares } from "@arcwise/parser";
import type { BatchInput, ParsedBlock } from "./batch.ts";
import { type BlockAnalysis, type BlockSettings, loadBlockAnalysis } from "./block-analysis.ts";

/** What a thread is started with. */
export interface WorkerData {
  /** Shared with who started it: the index of the sentence that is under way. */
  readonly reached: Int32Array;
}

/** What a thread is asked for: to load the model, or to parse a block with it. */
export interface WorkerTask {
  readonly settings: BlockSettings;
  /** Absent: load the model and no more. */
  readonly input?: BatchInput;
}

/** What a thread has done. */
export interface WorkerResult {
  readonly parsed: ParsedBlock | undefined;
  readonly columns: ColumnShares;
}

/** What a thread answers. */
export type WorkerAnswer = WorkerResult | { readonly failure: ErrorData };

const { reached } = workerData as WorkerData;
let analysis: Promise<BlockAnalysis> | undefined;

async function work({ settings, input }: WorkerTask): Promise<WorkerAnswer> {
  try {
    analysis ??= loadBlockAnalysis(settings);
    const { columns, parse } = await analysis;
    const onSentence = (index: number) => Atomics.store(reached, 0, index);
    return { parsed: input && (await parse(input, onSentence)), columns };
  } catch (error) {
    return { failure: errorToData(error) };
  }
}

parentPort?.on("message", async (task: WorkerTask) => {
  parentPort?.postMessage(await work(task));
});
