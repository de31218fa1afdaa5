import { powerOfTwo } from "../arithmetic/index.ts";
import { binaryExponent } from "../arithmetic/powers.ts";

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
    const value = Math.max(-LARGEST, Math.min(LARGEST, Math.round(weights[i] / scale)));
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
    const magnitude = Math.abs(weights[i]);
    if (magnitude === 0) continue;
    if (!(magnitude < Infinity))
      throw new RangeError(`weight ${i}: expected a finite number, got ${weights[i]}`);
    count++;
    largest = Math.max(largest, magnitude);
    buckets[bucketOf(magnitude)]++;
  }
  let beyond = 0;
  for (let bucket = buckets.length - 1; bucket > 0; bucket--) {
    beyond += buckets[bucket];
    if (beyond > CUT * count) return Math.min(largest, lowerBound(bucket + 1));
  }
  return largest;
}

/**
 * 2^(k / 32): buckets of an octave begin there. The last digits of five of them, such as the square root of 2,
 * are one unit off the nearest number: models keep the bytes that they had in engines that computed them so.
 */
const OCTAVE = [
  1, 1.0218971486541166, 1.0442737824274138, 1.0671404006768237, 1.0905077326652577, 1.1143867425958924,
  1.1387886347566916, 1.1637248587775775, 1.189207115002721, 1.215247359980469, 1.241857812073484,
  1.2690509571917332, 1.2968395546510096, 1.3252366431597413, 1.3542555469368927, 1.3839098819638318,
  1.4142135623730949, 1.4451808069770467, 1.4768261459394993, 1.5091644275934228, 1.542210825407941,
  1.5759808451078865, 1.6104903319492543, 1.6457554781539647, 1.6817928305074292, 1.718619298122478,
  1.7562521603732995, 1.7947090750031072, 1.8340080864093424, 1.8741676341103, 1.9152065613971474,
  1.9571441241754002,
] as const;

/** Exponent of the first bucket. */
const FIRST = -64;

/** Returns 2^(bucket / 32 - 64). */
function lowerBound(bucket: number): number {
  return OCTAVE[bucket & 31] * powerOfTwo(FIRST + (bucket >> 5));
}

/** 32 buckets per octave, from 2^-64 to 2^64; what is outside counts in the first and the last. */
function bucketOf(magnitude: number): number {
  const exponent = binaryExponent(magnitude);
  if (exponent < FIRST) return 0;
  if (exponent >= -FIRST) return 4095;
  const significand = magnitude * powerOfTwo(-exponent);
  let step = 0;
  for (let half = 16; half >= 1; half /= 2) if (OCTAVE[step + half] <= significand) step += half;
  return 32 * (exponent - FIRST) + step;
}
