import type { Mixing } from "./mixing-names.ts";
import type { ShardCounts, ShardResult } from "./mixing-shard.ts";
import { mixingShares } from "./mixing-state.ts";

/** Progress of the shards towards the next mixing. Sums are over all shards. */
export interface MixingProgress {
  /** Epochs at the next mixing. */
  readonly epoch: number;
  /** Examples done since the last mixing, and their number at the next. */
  readonly done: number;
  readonly total: number;
  readonly mistakes: number;
  readonly cost: number;
  readonly loss: number;
}

/** Work of the shards between two calls of `onMixed`: in one mixing, or in all mixings of an epoch. */
export interface MixingRound {
  /** In the order of shards. */
  readonly shards: readonly MixedShard[];
  /** Time of the steps with one machine per shard: the time of the slowest shard, summed over the mixings. */
  readonly slowest: number;
}

/** The work of a shard in a round, and its share in the mixture. */
export interface MixedShard extends ShardCounts {
  /** Share of this shard in the mixture, by the mistakes in all of the round. */
  readonly share: number;
  /** Time of its steps. */
  readonly milliseconds: number;
}

const SUMS = ["done", "mistakes", "cost", "loss"] as const;

const nothing = (shard: number) => ({ shard, done: 0, mistakes: 0, cost: 0, loss: 0 });

/** Sums the progress of shards. A shard that is repeated starts again at 0. */
export class MixingTotals {
  readonly #epoch: number;
  readonly #total: number;
  readonly #onProgress: ((progress: MixingProgress) => void) | undefined;
  readonly #settled = nothing(0);
  readonly #latest: ShardCounts[];

  constructor(epoch: number, total: number, shards: number, onProgress?: (progress: MixingProgress) => void) {
    this.#epoch = epoch;
    this.#total = total;
    this.#onProgress = onProgress;
    this.#latest = Array.from({ length: shards }, (_, shard) => nothing(shard));
  }

  /** Returns the progress of all shards, given the counts of one since the last mixing. */
  report(counts: ShardCounts): void {
    this.#latest[counts.shard] = { ...counts };
    const { shard: _, ...sums } = this.#sums();
    this.#onProgress?.({ epoch: this.#epoch, total: this.#total, ...sums });
  }

  /** Called after a mixing: the next steps are added to the counts so far. */
  settle(): void {
    Object.assign(this.#settled, this.#sums());
    for (const shard of this.#latest.keys()) this.#latest[shard] = nothing(shard);
  }

  #sums() {
    const sums = { ...this.#settled };
    for (const one of this.#latest) for (const key of SUMS) sums[key] += one[key];
    return sums;
  }
}

/** Sums the work of the shards in a round. */
export class RoundTotals {
  readonly #shards: (ReturnType<typeof nothing> & { milliseconds: number })[];
  #slowest = 0;
  #slowestOfMixing = 0;

  constructor(shards: number) {
    this.#shards = Array.from({ length: shards }, (_, shard) => ({ ...nothing(shard), milliseconds: 0 }));
  }

  add({ shard, milliseconds, ...counts }: Omit<ShardResult, "state" | "changed">): void {
    const own = this.#shards[shard];
    for (const key of SUMS) own[key] += counts[key];
    own.milliseconds += milliseconds;
    this.#slowestOfMixing = Math.max(this.#slowestOfMixing, milliseconds);
  }

  /** Called after a mixing. */
  settle(): void {
    this.#slowest += this.#slowestOfMixing;
    this.#slowestOfMixing = 0;
  }

  round(mixing: Mixing): MixingRound {
    const shares = mixingShares(this.#shards, mixing);
    return {
      shards: this.#shards.map((one, s) => ({ ...one, share: shares[s] })),
      slowest: this.#slowest,
    };
  }
}
