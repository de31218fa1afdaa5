import type { GlobalFeatures } from "@arcwise/core/features";
import type { Weights } from "./arc-scorer.ts";

/** Entries that are remembered: 2^BITS. */
const BITS = 13;

/**
 * Scores of views, remembered. A climb meets the same places again and again, from one start and from the next: looking
 * one up costs a few nanoseconds, its features some tens. A place that falls on another's entry takes it over.
 */
export class GlobalMemo {
  readonly #features: GlobalFeatures;
  readonly #keys = new Int32Array(4 << BITS);
  readonly #values = new Float64Array(1 << BITS);
  #weights: Weights = new Float32Array(0);
  #from = 0;
  #scale = 1;

  constructor(features: GlobalFeatures) {
    this.#features = features;
  }

  /** Forgets all, for another sentence or other weights. */
  reset(weights: Weights, from: number, scale: number): void {
    this.#weights = weights;
    this.#from = from;
    this.#scale = scale;
    this.#keys.fill(-1);
  }

  /** The score of a view of the given arguments (see `GLOBAL_VIEWS`). */
  score(view: number, a: number, b: number, c: number, d: number): number {
    const keys = this.#keys;
    // No argument a is as large as 2^27.
    const first = a * 16 + view;
    const hash = Math.imul(Math.imul(Math.imul(first, 31) + b, 0x2c1b3c6d) + c, 0x297a2d39) + d;
    const entry = Math.imul(hash, 0x9e3779b1) >>> (32 - BITS);
    const at = 4 * entry;
    if (keys[at] === first && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) {
      return this.#values[entry]!;
    }
    const score = this.#scale * this.#features.sum(this.#weights, this.#from, view, a, b, c, d);
    keys[at] = first;
    keys[at + 1] = b;
    keys[at + 2] = c;
    keys[at + 3] = d;
    this.#values[entry] = score;
    return score;
  }
}
