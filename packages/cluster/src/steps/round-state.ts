import type { MixedRound, OnlineState } from "@arcwise/learn";

/** The counts of the step of a shard. */
export type ShardCounts = MixedRound["shards"][number];

/** A state, or the entries of it that changed, with the counts of the shards that led to it. */
export interface RoundState {
  readonly state: OnlineState;
  /** Weights of the entries of the state's vectors, ascending. Absent: the vectors have all. */
  readonly changed?: Int32Array | undefined;
  readonly shards: readonly ShardCounts[];
}

/** The kind of a blob. */
export type RoundKind = "shard-result" | "mixture" | "training-state";
