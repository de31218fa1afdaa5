import { integer, oneOf, optional, record } from "@arcwise/core/options";
import { MIXINGS, type Mixing, type ShardStep } from "@arcwise/learn";
import { blobName, type Hash, outputName } from "../blobs/hash.ts";
import { MAX_COUNT } from "./counts.ts";

/**
 * A training by iterative parameter mixing: what determines the output of each of its steps. Plain data, which
 * is in the store under its hash. The number of epochs is not part of it: a training may be continued.
 */
export interface MixingRun {
  /** Name of the data of the training. */
  readonly work: Hash;
  /** Number of training examples. */
  readonly size: number;
  readonly shards: number;
  /** Number of mixings per epoch. */
  readonly parts: number;
  readonly mixing: Mixing;
  readonly seed: number;
  /** Epochs before those that the average is over. */
  readonly averageAfter: number;
  /** The state that training resumes from, and its number of epochs. Absent: an untrained learner. */
  readonly from?: { readonly state: Hash; readonly epoch: number } | undefined;
}

const count = integer(0, MAX_COUNT);
const atLeastOne = integer(1, MAX_COUNT);
/** Accepts runs. */
export const MIXING_RUN = record<MixingRun>({
  work: blobName,
  size: integer(1),
  shards: atLeastOne,
  parts: atLeastOne,
  mixing: oneOf(...MIXINGS),
  seed: integer(0),
  averageAfter: count,
  from: optional(record<NonNullable<MixingRun["from"]>>({ state: blobName, epoch: count })),
});

/**
 * The names of the outputs of a run. Rounds are counted from 0 over all epochs: round r is part r mod `parts`
 * of epoch r / `parts` + 1. A name depends on the names of all steps before it, and is known before they run.
 */
export class RunNames {
  readonly #run: MixingRun;
  readonly #mixtures: Hash[];

  constructor(run: MixingRun) {
    this.#run = run;
    this.#mixtures = [];
  }

  /** The first round of the run. */
  get first(): number {
    return (this.#run.from?.epoch ?? 0) * this.#run.parts;
  }

  /** Returns the step of a shard in a round. */
  step(round: number, shard: number): ShardStep {
    const { shards, parts, seed } = this.#run;
    const epoch = Math.floor(round / parts) + 1;
    return { shard, shards, epoch, epochs: 1, seed, part: round % parts, parts };
  }

  /** Whether the average of the weights restarts with a round. */
  averagesFrom(round: number): boolean {
    const { averageAfter, parts } = this.#run;
    return averageAfter > 0 && round === averageAfter * parts;
  }

  /** Returns the name of the result of a shard in a round. */
  shard(round: number, shard: number): Hash {
    const { work, size } = this.#run;
    const settings = { ...this.step(round, shard), size, averages: this.averagesFrom(round) };
    return outputName("train-shard", settings, [work, this.#before(round)]);
  }

  /** Returns the name of the mixture of a round. O(rounds before it · shards) the first time. */
  mixture(round: number): Hash {
    for (let r = this.first + this.#mixtures.length; r <= round; r++) {
      const { shards, mixing } = this.#run;
      const results = Array.from({ length: shards }, (_, shard) => this.shard(r, shard));
      this.#mixtures.push(outputName("mix", { mixing }, [this.#before(r), ...results]));
    }
    return this.#mixtures[round - this.first]!;
  }

  /** Returns the names of what the step `mix` of a round writes. */
  outputs(round: number): readonly Hash[] {
    const mixture = this.mixture(round);
    return this.hasState(round) ? [mixture, this.state(round)] : [mixture];
  }

  /** Whether a round is the last one of an epoch, after which the whole state is written. */
  hasState(round: number): boolean {
    return (round + 1) % this.#run.parts === 0;
  }

  /** Returns the name of the whole state after a round, which is there after the last round of an epoch. */
  state(round: number): Hash {
    return outputName("state", {}, [this.mixture(round)]);
  }

  /** Returns the name of what a round begins from. */
  #before(round: number): Hash {
    if (round > this.first) return this.mixture(round - 1);
    return this.#run.from?.state ?? outputName("untrained", {}, [this.#run.work]);
  }
}
