import { runShardsAt } from "@arcwise/learn";
import type { Place } from "@arcwise/work";
import { type LostThread, onThreads } from "@arcwise/work/node";
import { type TrainingRunners, trainParserBy } from "../training/train.ts";
import type { TrainOptions } from "../training/train-options.ts";
import type { ParserModel, TrainingExample } from "../types.ts";
import { networksAt } from "./network-jobs.ts";
import { networkInPlaces } from "./network-places.ts";
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
  const trainNetwork = threads > 1 ? networkOnThreads(threads) : undefined;
  try {
    return await trainParserBy({ makeRunner: shardsAt(place), trainNetwork }, examples, options);
  } finally {
    await place.close();
  }
}

/** Options of `trainParserAt`. */
export interface PlacedTrainOptions extends TrainOptions {
  /** The place that does the jobs of the training. */
  readonly place: Place;
}

/**
 * `trainParser` with the steps of the shards, and the epochs of each member of a network, as jobs at a place: the same
 * model, byte for byte. Pruner and labeller are trained in this thread, and so are the weights if there is one shard.
 *
 * @throws as `trainParserOnThreads`, and as `place.do`
 */
export function trainParserAt(
  examples: readonly TrainingExample[],
  { place, ...options }: PlacedTrainOptions,
): Promise<ParserModel> {
  // As many places as there may be members: each member is trained by itself.
  const trainNetwork = networkInPlaces(Number.POSITIVE_INFINITY, networksAt(place));
  return trainParserBy({ makeRunner: shardsAt(place), trainNetwork }, examples, options);
}

function shardsAt(place: Place): TrainingRunners["makeRunner"] {
  return (data, made) => {
    requireRemakable(data, made);
    return runShardsAt(place, parsingShards, data);
  };
}
