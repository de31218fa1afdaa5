import {
  type Mixing,
  mixShards,
  type OnlineState,
  runShardsAt,
  runShardsHere,
  type ShardRunner,
} from "@arcwise/learn";
import type { Place } from "@arcwise/work";
import { type RunnerParts, requireRemakable } from "../../modules/remake-work.ts";
import { createScorers } from "../../scoring/scorers.ts";
import { createParsingWork, type ParsingWork } from "../parsing-work.ts";
import { parsingShards } from "../shard-jobs.ts";

/**
 * Returns the runner of shards: in this thread, where the place does one job at a time, or at the place.
 *
 * @throws as `requireRemakable`, where other threads or machines make the objects
 */
export function shardRunner(place: Place, work: ParsingWork, made: RunnerParts): ShardRunner {
  if (place.width === 1 && place.isPlain !== true) {
    const { learner, decoder, treeFeatures } = made;
    const scorers = createScorers(work, treeFeatures);
    const { task, learner: online } = createParsingWork(work, { learner, decoder, scorers });
    return runShardsHere(task, online);
  }
  requireRemakable(work, made);
  return runShardsAt(place, parsingShards, work);
}

/** The progress of shards in an epoch. */
export interface MixingStage {
  readonly epoch: number;
  /** Sentences done in this epoch. */
  readonly done: number;
  /** Cost a word of the sentences done. */
  readonly error: number;
}

export interface MixingSettings {
  readonly shards: number;
  readonly mixing: Mixing;
  /** Mixings an epoch. */
  readonly mixes: number;
  readonly averageAfter: number;
  readonly epochs: number;
  readonly seed: number;
  readonly onProgress: (stage: MixingStage) => void;
  /** Called with the state after each epoch, and a function that returns its average weights. */
  readonly onEpoch: (state: OnlineState, average: () => Promise<Float32Array>) => Promise<void>;
  readonly resume: OnlineState | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Learns the weights of a parser by iterative parameter mixing. Returns their average over all steps. */
export async function learnByMixing(
  work: ParsingWork,
  runner: ShardRunner,
  { onProgress, onEpoch, ...settings }: MixingSettings,
): Promise<Float32Array> {
  const words = work.examples.reduce((sum, { sentence }) => sum + sentence.n, 0);
  const state = await mixShards(runner, {
    ...settings,
    onProgress: ({ epoch, done, total, cost }) => {
      // Deal sentences of all lengths to every shard.
      onProgress({ epoch, done, error: cost / Math.max(1, (words * done) / total) });
    },
    onMixed: (mixed) => onEpoch(mixed, () => runner.result(mixed)),
  });
  return runner.result(state);
}
