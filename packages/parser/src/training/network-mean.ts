import { copyState, type NetworkState } from "./network-state.ts";

/** The vectors of a state. */
function vectorsOf({ parameters, memory }: NetworkState): readonly Float32Array[] {
  return memory === undefined ? [parameters] : [parameters, memory.means, memory.squares];
}

/**
 * The mean of the states of several shards that began from the same one. Each entry is the mean of the shards that
 * changed it: an embedding of a word that one shard has read is as that shard left it.
 *
 * Memory: a state, and a byte per entry.
 */
export class NetworkMean {
  readonly #from: NetworkState;
  readonly #sum: NetworkState;
  readonly #counts: readonly Uint8Array[];
  #steps = 0;
  #epoch = 0;

  /** @param from the initial state of all shards, which is read and must not change */
  constructor(from: NetworkState) {
    this.#from = from;
    this.#sum = copyState(from);
    this.#counts = vectorsOf(from).map(({ length }) => new Uint8Array(length));
  }

  /** Adds the state of a shard. The order of the shards decides how sums are rounded. O(parameters). */
  add(state: NetworkState): void {
    const [from, sums, vectors] = [this.#from, this.#sum, state].map(vectorsOf) as [
      readonly Float32Array[],
      readonly Float32Array[],
      readonly Float32Array[],
    ];
    for (const [k, vector] of vectors.entries()) addChanged(vector, from[k]!, sums[k]!, this.#counts[k]!);
    this.#steps = Math.max(this.#steps, state.steps);
    this.#epoch = state.epoch;
  }

  /** Returns the mean. To be called once. O(parameters). */
  take(): NetworkState {
    for (const [k, sum] of vectorsOf(this.#sum).entries()) {
      const counts = this.#counts[k]!;
      for (let i = 0; i < sum.length; i++) if (counts[i]! > 1) sum[i]! /= counts[i]!;
    }
    return { ...this.#sum, steps: this.#steps, epoch: this.#epoch };
  }
}

function addChanged(vector: Float32Array, from: Float32Array, sum: Float32Array, counts: Uint8Array): void {
  for (let i = 0; i < vector.length; i++) {
    if (vector[i] === from[i]) continue;
    sum[i] = counts[i] === 0 ? vector[i]! : sum[i]! + vector[i]!;
    counts[i]!++;
  }
}
