/** Quantised weights: bytes, and the weight that a byte of 1 stands for. */
export interface QuantizedWeights {
  readonly values: Int8Array;
  readonly scale: number;
}

/** Range of the scale in a file: sums of scores, and scores divided by a scale, do not overflow. */
export const SCALE_RANGE = { min: 2 ** -128, max: 2 ** 64 } as const;

const LARGEST = 127;
/** Share of the non-zero weights that may be clipped to the largest byte. */
const CUT = 1e-5;

/**
 * Rounds weights to bytes. All but one in 100,000 of the non-zero weights fit the scale; larger ones are
 * clipped. O(weights).
 *
 * @param least bytes of a smaller magnitude become 0, which takes less space in a file
 * @throws RangeError when a weight is NaN, infinite, or so large that the scale would be out of `SCALE_RANGE`
 */
export function quantize(weights: Float32Array, least = 1): QuantizedWeights {
  const largest = largestKept(weights);
  const values = new Int8Array(weights.length);
  if (largest === 0) return { values, scale: 1 };
  const scale = Math.max(SCALE_RANGE.min, largest / LARGEST);
  if (scale > SCALE_RANGE.max) {
    throw new RangeError(`expected weights up to ${SCALE_RANGE.max * LARGEST}, got ${largest}`);
  }
  for (let i = 0; i < weights.length; i++) {
    const value = Math.max(-LARGEST, Math.min(LARGEST, Math.round(weights[i]! / scale)));
    values[i] = Math.abs(value) < least ? 0 : value;
  }
  return { values, scale };
}

/**
 * Returns a magnitude below which all but `CUT` of the non-zero weights are, by a histogram of logarithms.
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
