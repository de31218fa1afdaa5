import { Worker } from "node:worker_threads";
import type { Sentence } from "@arcwise/core";
import { threadFailure } from "@arcwise/core/node";
import { checkArgument, threadCount } from "@arcwise/core/options";
import {
  type JackknifeOptions,
  type JackknifeWork,
  jackknifeWork,
  partReports,
} from "../tagging/jackknife.ts";
import { JACKKNIFE_ANSWER, PART } from "./jackknife-messages.ts";

/** Options of `jackknifeTagsOnThreads`. */
export interface ThreadedJackknifeOptions extends JackknifeOptions {
  /** Maximum number of worker threads, each of which trains a tagger at a time. Default: 1. */
  readonly threads?: number | undefined;
}

/**
 * `jackknifeTags` with its taggers in worker threads, several at a time: the same tags. Progress comes from
 * several parts in turn.
 *
 * Memory, in addition to the memory of `jackknifeTags`: the sentences, and what a training needs, once a
 * thread.
 *
 * @throws as `jackknifeTags`; ArcwiseError `invalid-argument` unless `threads` is a number of threads
 * @throws the error of a thread that fails, which ends the other ones
 */
export async function jackknifeTagsOnThreads(
  sentences: readonly Sentence[],
  { threads = 1, ...options }: ThreadedJackknifeOptions = {},
): Promise<Sentence[]> {
  checkArgument(threadCount, threads, "jackknifeTagsOnThreads: threads");
  const work = jackknifeWork(sentences, options);
  options.signal?.throwIfAborted();
  const url = new URL("./jackknife-worker.js", import.meta.url);
  const count = Math.min(threads, work.parts);
  const workers = Array.from({ length: count }, () => new Worker(url, { workerData: work }));
  try {
    return (await tagIn(workers, work, options)).flat();
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Gives parts to threads, the next one to each that is done; returns the tagged sentences of each part. */
function tagIn(
  workers: readonly Worker[],
  { parts }: JackknifeWork,
  { onProgress, signal }: JackknifeOptions,
): Promise<Sentence[][]> {
  return new Promise((resolve, reject) => {
    const report = partReports(parts, onProgress);
    const tagged: Sentence[][] = [];
    let next = 1;
    let done = 0;
    const give = (worker: Worker) => {
      if (next <= parts) worker.postMessage(PART.seal(next++));
    };
    for (const worker of workers) {
      threadFailure(worker, "a thread that trains taggers", signal).catch(reject);
      JACKKNIFE_ANSWER.listen(worker, (answer) => {
        const { part } = answer;
        if (answer.kind === "progress") {
          report(part, answer.progress);
          return;
        }
        tagged[part - 1] = [...answer.sentences];
        if (++done < parts) give(worker);
        else resolve(tagged);
      });
      give(worker);
    }
  });
}
