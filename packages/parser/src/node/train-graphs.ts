import { Worker } from "node:worker_threads";
import { threadFailure } from "@arcwise/core/node";
import { checkArgument, threadCount } from "@arcwise/core/options";
import type { GraphModel } from "../graphs/graph-model.ts";
import type { GraphPrunerRun, GraphPrunerWork, TrainGraphPruners } from "../graphs/graph-pruner-training.ts";
import type { GraphTrainOptions } from "../graphs/graph-settings.ts";
import type { GraphExample } from "../graphs/graph-types.ts";
import { trainGraphParserBy } from "../graphs/train-graphs.ts";
import { FOLD, TRAINED_FOLD } from "./thread-messages.ts";

/** Options of `trainGraphParserOnThreads`. */
export interface ThreadedGraphTrainOptions extends GraphTrainOptions {
  /** Worker threads, which the pruners are given to. Default: 1. */
  readonly threads?: number | undefined;
}

/**
 * `trainGraphParser` with the five pruners of the training in worker threads, several at a time: the same
 * model, byte for byte. The network and the sparse weights are learned in this thread.
 *
 * Memory, in addition to the memory of `trainGraphParser`: the encoded sentences once a thread.
 *
 * @throws as `trainGraphParser`; ArcwiseError `invalid-argument` unless `threads` is a number of threads
 * @throws the error of a thread that ends early
 */
export async function trainGraphParserOnThreads(
  examples: readonly GraphExample[],
  { threads = 1, ...options }: ThreadedGraphTrainOptions = {},
): Promise<GraphModel> {
  checkArgument(threadCount, threads, "trainGraphParserOnThreads: threads");
  return trainGraphParserBy(threads === 1 ? undefined : onThreads(threads), examples, options);
}

function onThreads(threads: number): TrainGraphPruners {
  return async (work, run) => {
    const count = Math.min(threads, work.folds + 1);
    const url = new URL("./graph-pruner-worker.js", import.meta.url);
    const workers = Array.from({ length: count }, () => new Worker(url, { workerData: work }));
    try {
      return await trainIn(workers, work, run);
    } finally {
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  };
}

/** Gives folds to threads, the next one to each that is done. */
function trainIn(
  workers: readonly Worker[],
  { folds, sentences }: GraphPrunerWork,
  { onProgress, signal }: GraphPrunerRun,
): Promise<Float32Array[]> {
  return new Promise((resolve, reject) => {
    const weights: Float32Array[] = [];
    let next = 0;
    let done = 0;
    const give = (worker: Worker) => {
      if (next <= folds) worker.postMessage(FOLD.seal(next++));
    };
    if (signal?.aborted) reject(signal.reason);
    for (const worker of workers) {
      threadFailure(worker, "a thread that trains pruners", signal).catch(reject);
      TRAINED_FOLD.listen(worker, (trained) => {
        weights[trained.fold] = trained.weights;
        onProgress?.(done + 1, folds + 1, sentences.length, sentences.length);
        if (++done <= folds) give(worker);
        else resolve(weights);
      });
      give(worker);
    }
  });
}
