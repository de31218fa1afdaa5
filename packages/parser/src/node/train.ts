import { runShardsAt } from "@arcwise/learn";
import { type LostThread, onThreads } from "@arcwise/work/node";
import { type TrainingRunners, trainParserBy } from "../training/train.ts";
import type { TrainOptions } from "../training/train-options.ts";
import type { ParserModel, TrainingExample } from "../types.ts";
import { networkOnThreads } from "./network-thread.ts";
import { requireRemakable } from "./remake-work.ts";
import { parsingShards } from "./shard-jobs.ts";

/** Options of `trainParserOnThreads`. */
export interface ThreadedTrainOptions extends TrainOptions {
  /**
   * Number of worker threads, which train the shards. With more than one, a network is trained beside all
   * else, its members divided among as many threads at most. Default: 1.
   */
  readonly threads?: number | undefined;
  /** Called when a thread has ended early, before its shard is repeated. */
  readonly onLost?: ((lost: LostThread) => void) | undefined;
}

/**
 * `trainParser` with the shards in worker threads, several at a time, and the network in another one: the
 * same model, byte for byte. Pruner and labeller are trained in this thread, and so are the weights when
 * there is one shard. As long as the network is being trained there are no scores on the development set.
 *
 * Memory, in addition to the memory of `trainParser`: two vectors of weights a thread (with "svm" and "crf"
 * up to six), and the training sentences.
 *
 * @throws RangeError as `trainParser`, or when `threads` is no integer >= 1, or when there are shards and the
 *   decoder or the learner is neither built in nor a module (`loadDecoder`, `loadLearner`), which threads can load
 * @throws ArcwiseError `thread-lost` when threads have ended early three times at one shard
 */
export async function trainParserOnThreads(
  examples: readonly TrainingExample[],
  { threads = 1, onLost, ...options }: ThreadedTrainOptions = {},
): Promise<ParserModel> {
  const place = onThreads(threads, { onLost });
  const makeRunner: TrainingRunners["makeRunner"] = (data, made) => {
    requireRemakable(data, made);
    return runShardsAt(place, parsingShards, data);
  };
  const trainNetwork = threads > 1 ? networkOnThreads(threads) : undefined;
  try {
    return await trainParserBy({ makeRunner, trainNetwork }, examples, options);
  } finally {
    await place.close();
  }
}
