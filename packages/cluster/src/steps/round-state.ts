import type { MixedRound, OnlineState } from "@arcwise/learn";

/** The counts of the step of a shard. */
export type ShardCounts = MixedRound["shards"][number];

/** A state, or the entries of it that changed, with the counts of the shards that led to it. */
export interface RoundState {
  readonly state: OnlineState;
  /**
   * Weights that changed, ascending; the state's vectors have an entry for each of them, or for each weight. Absent:
   * the vectors have all, and any may have changed.
   */
  readonly changed?: Int32Array | undefined;
  readonly shards: readonly ShardCounts[];
}

/** What the coordinator of a training needs of a mixture. */
export interface RoundSummary {
  readonly shards: readonly ShardCounts[];
  /** Whether the mixture has changes alone. */
  readonly isSparse: boolean;
}

/** The kind of a blob. */
export type RoundKind = "shard-result" | "mixture" | "training-state";
