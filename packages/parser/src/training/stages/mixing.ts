import type { Decoder } from "@arcwise/core";
import {
  type Learner,
  type Mixing,
  mixShards,
  type OnlineState,
  runShardsHere,
  type ShardRunner,
} from "@arcwise/learn";
import { createScorers } from "../../scoring/scorers.ts";
import type { TreeFeatures } from "../../scoring/trees/tree-features.ts";
import { createParsingWork, type ParsingWork } from "../parsing-work.ts";

/**
 * The objects of work in this thread. Other threads load features of whole trees, and decoders, themselves.
 */
export interface RunnerParts {
  readonly learner: Learner;
  readonly decoder: Decoder;
  readonly treeFeatures: TreeFeatures | undefined;
}

/** Makes the runner of shards: in this thread, in others, on other machines. */
export type MakeRunner = (work: ParsingWork, made: RunnerParts) => ShardRunner;

/** Runs shards in this thread, in sequence. */
export const inThisThread: MakeRunner = (work, { learner, decoder, treeFeatures }) => {
  const scorers = createScorers(work, treeFeatures);
  const { task, learner: online } = createParsingWork(work, { learner, decoder, scorers });
  return runShardsHere(task, online);
};

/** The progress of shards in an epoch. */
export interface MixingStage {
  readonly epoch: number;
  /** Sentences done in this epoch. */
  readonly done: number;
  /** Cost a word of the sentences done. */
  readonly error: number;
}

export interface MixingSettings {
  readonly made: RunnerParts;
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
  makeRunner: MakeRunner,
  { made, onProgress, onEpoch, ...settings }: MixingSettings,
): Promise<Float32Array> {
  const words = work.examples.reduce((sum, { sentence }) => sum + sentence.n, 0);
  const runner = makeRunner(work, made);
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
