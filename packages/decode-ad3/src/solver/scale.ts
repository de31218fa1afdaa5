import { bitsFor, powerOfTwo } from "@arcwise/core/arithmetic";

/** The largest score is brought to at least half of 2 to this power, and to at most it. */
const UNIT_BITS = 3;

/** Most bits of a factor: with as many again, the least number is brought to 1. */
const MOST_BITS = 1000;

/**
 * Multiplies scores by a power of two that brings the largest to between 4 and 8, so that the same step sizes
 * and tolerances fit all problems. The power is kept as two factors: one factor would be too large for the least numbers.
 */
export class Scale {
  readonly #first: number;
  readonly #second: number;

  /** Takes the largest finite absolute score. */
  constructor(largest: number) {
    const bits = largest === 0 ? 0 : UNIT_BITS - bitsFor(largest);
    const first = Math.min(MOST_BITS, bits);
    this.#first = powerOfTwo(first);
    this.#second = powerOfTwo(bits - first);
  }

  /** Returns a score of the solver in the units of the problem. */
  original(score: number): number {
    return score / this.#second / this.#first;
  }

  /** Writes scores of the problem in the units of the solver; returns the array written to. O(scores). */
  write(scores: Float64Array, target: Float64Array = new Float64Array(scores.length)): Float64Array {
    for (let i = 0; i < scores.length; i++) target[i] = scores[i] * this.#first * this.#second;
    return target;
  }
}

/** Returns the largest finite absolute score, or `least` if that is larger. O(scores). */
export function largestOf(scores: Float64Array, least = 0): number {
  let largest = least;
  for (let i = 0; i < scores.length; i++) {
    const size = Math.abs(scores[i]);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest;
}
