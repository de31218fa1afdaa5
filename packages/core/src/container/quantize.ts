/** Quantised weights: bytes, and what a byte of 1 is worth. */
export interface QuantizedWeights {
  readonly values: Int8Array;
  readonly scale: number;
}

/** What a byte may be worth in a file: no sum of scores overflows, nor one that is divided by a scale. */
export const SCALE_RANGE = { min: 2 ** -128, max: 2 ** 64 } as const;

const LARGEST = 127;
/** Share of the weights that are not zero which may be cut at the largest byte. */
const CUT = 1e-5;

/**
 * Rounds weights to bytes. The scale is such that all but one in a hundred thousand of the weights that are
 * not zero fit; the few beyond are cut. O(weights).
 *
 * @throws RangeError when a weight is NaN, infinite, or so large that the scale would be out of `SCALE_RANGE`
 */
export function quantize(weights: Float32Array): QuantizedWeights {
  const largest = largestKept(weights);
  const values = new Int8Array(weights.length);
  if (largest === 0) return { values, scale: 1 };
  const scale = Math.max(SCALE_RANGE.min, largest / LARGEST);
  if (scale > SCALE_RANGE.max) {
    throw new RangeError(`expected weights up to ${SCALE_RANGE.max * LARGEST}, got ${largest}`);
  }
  for (let i = 0; i < weights.length; i++) {
    values[i] = Math.max(-LARGEST, Math.min(LARGEST, Math.round(weights[i]! / scale)));
  }
  return { values, scale };
}

/**
 * Magnitude that all but `CUT` of the weights which are not zero stay under, found by a histogram of
 * logarithms.
 */
function largestKept(weights: Float32Array): number {
  const buckets = new Int32Array(4096);
  let count = 0;
  let largest = 0;
  for (let i = 0; i < weights.length; i++) {
    const magnitude = Math.abs(weights[i]!);
    if (magnitude === 0) continue;
    if (!(magnitude < Infinity))
      throw new RangeError(`weight ${i}: expected a finite number, got ${weights[i]}`);
    count++;
    largest = Math.max(largest, magnitude);
    buckets[bucketOf(magnitude)]!++;
  }
  let beyond = 0;
  for (let bucket = buckets.length - 1; bucket > 0; bucket--) {
    beyond += buckets[bucket]!;
    if (beyond > CUT * count) return Math.min(largest, 2 ** ((bucket + 1) / 32 - 64));
  }
  return largest;
}

/** 32 buckets an octave, from 2^-64 to 2^64. */
function bucketOf(magnitude: number): number {
  return Math.max(0, Math.min(4095, Math.floor((Math.log2(magnitude) + 64) * 32)));
}
