import { mixShards, type OnlineState, type ShardRunner } from "@arcwise/learn";
import type { Figures } from "../counted-task.ts";

/** How the weights of a parser are learned in shards. */
export interface ShardedWork {
  /** Words or sentences, per which costs are reported. */
  readonly units: number;
  /** Returns the figures of a cost per unit. */
  figures(cost: number): Figures;
  /** Returns the runner of shards: in this thread, or at the place. */
  runner(isHere: boolean): ShardRunner;
  readonly shards: number;
  /** Mixings per epoch. */
  readonly mixes: number;
}

export interface MixingSettings extends Omit<ShardedWork, "units" | "figures" | "runner"> {
  readonly averageAfter: number;
  readonly epochs: number;
  readonly seed: number;
  /** Called with the sentences done in an epoch and their cost per unit. */
  readonly onProgress: (at: { readonly epoch: number; readonly done: number; readonly cost: number }) => void;
  /** Called with the state after each epoch, and a function that returns its average weights. */
  readonly onEpoch: (state: OnlineState, average: () => Promise<Float32Array>) => Promise<void>;
  readonly resume: OnlineState | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Learns the weights of a parser by iterative parameter mixing. Returns their average over all steps. */
export async function learnByMixing(
  units: number,
  runner: ShardRunner,
  { onProgress, onEpoch, ...settings }: MixingSettings,
): Promise<Float32Array> {
  const state = await mixShards(runner, {
    ...settings,
    mixing: "changed",
    onProgress: ({ epoch, done, total, cost }) => {
      // Deal sentences of all lengths to every shard.
      onProgress({ epoch, done, cost: cost / Math.max(1, (units * done) / total) });
    },
    onMixed: (mixed) => onEpoch(mixed, () => runner.result(mixed)),
  });
  return runner.result(state);
}
