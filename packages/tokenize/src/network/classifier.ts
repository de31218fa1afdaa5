import { rowsOf, sentenceBatch } from "@arcwise/neural";
import type { NetworkData } from "../model.ts";
import { FeatureIndex, type FeatureKeys } from "./feature-index.ts";
import type { NetworkShape } from "./layout.ts";
import { type KnownInput, SequenceNetwork } from "./network.ts";
import { MAX_POSITIONS, probabilities, type Span, type WindowSize } from "./windows.ts";

/** Binary logarithm of the number of slots of the hash table: twice as many as features that are known at a time. */
const SLOT_BITS = 13;
/** Maximum number of positions whose features are known at a time: most positions of a text share a few thousand. */
const MAX_KNOWN = MAX_POSITIONS;

/**
 * A network that is only read, which computes once what depends on the features of a position alone. Not for concurrent
 * use.
 */
export class Classifier {
  readonly shape: NetworkShape;
  readonly #network: SequenceNetwork;
  readonly #index: FeatureIndex;
  /** The keys of what is known, `kinds` of each, by number. */
  readonly #keys: Int32Array;
  /** Number of what is known in each slot, plus 1; 0: nothing. */
  readonly #slots = new Int32Array(2 ** SLOT_BITS);
  #size = 0;

  constructor({ shape, keys, parameters }: NetworkData, kinds: number) {
    this.shape = shape;
    this.#index = new FeatureIndex(kinds, keys);
    this.#keys = new Int32Array(MAX_KNOWN * kinds);
    this.#network = new SequenceNetwork(shape, false);
    this.#network.parameters.values.set(parameters);
    this.#network.finish();
    this.#network.reserve(MAX_KNOWN);
  }

  /** Returns the probabilities of the classes of all positions: see `probabilities`. */
  classify(keys: FeatureKeys, sequences: readonly Span[], size: WindowSize): Float32Array {
    const inputOf = (windows: readonly Span[]) => this.#inputOf(keys, windows);
    return probabilities(this.#network, inputOf, keys.keys.length / keys.kinds, sequences, size);
  }

  /** Returns the input of the network for windows of positions. Earlier inputs are lost. */
  #inputOf(keys: FeatureKeys, windows: readonly Span[]): KnownInput {
    const batch = sentenceBatch(windows.map(({ from, end }) => end - from));
    const entries = new Int32Array(rowsOf(batch));
    const known = this.#size;
    const isWhole = this.#number(keys, windows, batch.start, entries);
    if (!isWhole) {
      this.#slots.fill(0);
      this.#size = 0;
      this.#number(keys, windows, batch.start, entries);
    }
    this.#know(isWhole ? known : 0);
    return { batch, entries };
  }

  /** Writes the number of each row; returns false when there are too many. */
  #number(
    { kinds, keys }: FeatureKeys,
    windows: readonly Span[],
    start: Int32Array,
    entries: Int32Array,
  ): boolean {
    for (let s = 0; s < windows.length; s++) {
      const { from, end } = windows[s]!;
      for (let i = from; i < end; i++) {
        const number = this.#numberOf(keys, i * kinds, kinds);
        if (number < 0) return false;
        entries[start[i - from]! + s] = number;
      }
    }
    return true;
  }

  /** Returns the number of keys from an offset on, a new one if they are new; -1 when there are too many. */
  #numberOf(keys: Int32Array, at: number, kinds: number): number {
    const known = this.#keys;
    const slots = this.#slots;
    let hash = 0;
    for (let k = 0; k < kinds; k++) hash = Math.imul(hash ^ keys[at + k]!, 0x9e3779b1);
    let slot = hash >>> (32 - SLOT_BITS);
    for (;;) {
      const number = slots[slot]! - 1;
      if (number < 0) break;
      let k = 0;
      while (k < kinds && known[number * kinds + k] === keys[at + k]) k++;
      if (k === kinds) return number;
      slot = (slot + 1) & (2 ** SLOT_BITS - 1);
    }
    const number = this.#size;
    if (number === MAX_KNOWN) return -1;
    for (let k = 0; k < kinds; k++) known[number * kinds + k] = keys[at + k]!;
    slots[slot] = ++this.#size;
    return number;
  }

  /** Computes what the network needs of the features from a number on. */
  #know(first: number): void {
    const count = this.#size - first;
    if (count === 0) return;
    const { kinds } = this.#index;
    const keys = this.#keys.subarray(first * kinds, this.#size * kinds);
    const start = Int32Array.from({ length: count + 1 }, (_, r) => r * kinds);
    this.#network.know({ start, entries: this.#index.featuresOf({ kinds, keys }) }, first);
  }
}
