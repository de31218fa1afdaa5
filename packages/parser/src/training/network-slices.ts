import { random } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import { yieldToEventLoop } from "@arcwise/learn";
import { fallingRate } from "@arcwise/neural";
import { BATCH, NetworkLearners } from "./network-learner.ts";
import type { NetworkState } from "./network-state.ts";
import type { NetworkTask, NetworkTrainOptions } from "./network-task.ts";

/** Size of the first steps: see `fallingRate`. */
const RATE = 2e-3;
/** Identifier of the stream of random numbers. */
const ORDER = 0x0de2;

/** The sentences of an epoch that a shard trains on between two averages. */
export interface NetworkSlice {
  /** From 1. */
  readonly epoch: number;
  /** From 0. */
  readonly round: number;
  /** From 0. */
  readonly shard: number;
}

/** A batch that was learned from. */
export interface LearnedBatch {
  readonly sentences: number;
  readonly words: number;
  /** The mean loss of a word. */
  readonly loss: number;
}

/** Progress of a slice, and what ends it. */
export interface SliceRun {
  readonly onBatch?: ((batch: LearnedBatch) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Trains networks slice by slice. Each epoch is an order of all sentences at random, cut into rounds, and each round
 * into shards.
 */
export class NetworkSlices {
  /** Averages in an epoch; 1 where there is one shard. */
  readonly rounds: number;
  readonly shards: number;
  readonly #sentences: readonly EncodedSentence[];
  readonly #learners: NetworkLearners;
  readonly #epochs: number;
  readonly #seed: number;
  #order: { readonly epoch: number; readonly sentences: Int32Array } | undefined;

  /** @throws RangeError when the state to continue from is one of another network */
  constructor(
    task: NetworkTask,
    { epochs, seed, resume }: Pick<NetworkTrainOptions, "epochs" | "seed" | "resume">,
  ) {
    const { count, mixes } = task.settings.shards ?? { count: 1, mixes: 1 };
    this.shards = count;
    this.rounds = count === 1 ? 1 : mixes;
    this.#sentences = task.sentences;
    this.#learners = new NetworkLearners(task, seed, resume);
    this.#epochs = epochs;
    this.#seed = seed;
  }

  /** Continues from a state: a copy, not a view of what `state` returns. */
  restore(state: NetworkState): void {
    this.#learners.restore(state);
  }

  /** Returns views of the state after an epoch; after the last one without the state of the optimiser. */
  state(epoch: number): NetworkState {
    return this.#learners.state(epoch, epoch === this.#epochs);
  }

  /** Returns views of the state within an epoch. */
  partialState(epoch: number): NetworkState {
    return this.#learners.state(epoch, false);
  }

  /**
   * Trains on a slice, from the state that the slice before has left, or `restore` has set.
   *
   * @throws the reason of the signal once that is aborted
   */
  async learn({ epoch, round, shard }: NetworkSlice, { onBatch, signal }: SliceRun): Promise<void> {
    const sentences = this.#sentences;
    const slices = this.rounds * this.shards;
    const startOf = (slice: number) => Math.floor((slice * sentences.length) / slices);
    const first = round * this.shards;
    const own = this.#orderOf(epoch).subarray(startOf(first + shard), startOf(first + shard + 1));
    const before = (epoch - 1) * sentences.length + startOf(first);
    const pause = yieldToEventLoop(signal);
    let done = 0;
    for (const batch of batchesOf(own, sentences)) {
      // All shards of a round are as far.
      const progress = (before + done * this.shards) / (this.#epochs * sentences.length);
      const words = batch.reduce((sum, i) => sum + sentences[i]!.n, 0);
      const loss = this.#learners.learn(batch, fallingRate(RATE, progress), shard);
      done += batch.length;
      onBatch?.({ sentences: batch.length, words, loss });
      await pause();
    }
  }

  #orderOf(epoch: number): Int32Array {
    if (this.#order?.epoch === epoch) return this.#order.sentences;
    const stream = random(this.#seed).fork(ORDER).fork(epoch);
    const sentences = stream.shuffle(Int32Array.from(this.#sentences, (_, i) => i));
    this.#order = { epoch, sentences };
    return sentences;
  }
}

/** Yields the sentences of an order in batches of about a hundred words, the longest first in each. */
function* batchesOf(order: Int32Array, sentences: readonly EncodedSentence[]): Generator<number[]> {
  let batch: number[] = [];
  let words = 0;
  for (const [k, i] of order.entries()) {
    batch.push(i);
    words += sentences[i]!.n;
    if (words < BATCH && k + 1 < order.length) continue;
    yield batch.sort((a, b) => sentences[b]!.n - sentences[a]!.n || a - b);
    batch = [];
    words = 0;
  }
}
