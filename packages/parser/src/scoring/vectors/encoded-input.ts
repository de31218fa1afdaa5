import { type EncoderIdentity, halfValues, identityOf } from "@arcwise/core/encoders";
import type { EncodedSentence } from "@arcwise/core/features";

/** The vectors of an encoder as an input of a network: each number less its mean, divided by its deviation. Plain data. */
export interface EncodedInput extends EncoderIdentity {
  /** `width` numbers each: the means, and the reciprocals of the standard deviations, of the training words. */
  readonly means: Float32Array;
  readonly scales: Float32Array;
}

/** Returns the vector of the word at a position of a sentence; undefined for the root. */
export function vectorAt({ words }: EncodedSentence, position: number): Uint16Array | undefined {
  return position === 0 ? undefined : words![position - 1].vector!.values;
}

/**
 * Measures the numbers of the vectors of training words. O(words · width).
 *
 * @param sentences with the vectors of all words
 */
export function encodedInput(encoder: EncoderIdentity, sentences: readonly EncodedSentence[]): EncodedInput {
  const { width } = encoder;
  const values = halfValues();
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  let words = 0;
  for (const sentence of sentences) {
    for (let i = 1; i <= sentence.n; i++) {
      const vector = vectorAt(sentence, i)!;
      for (let d = 0; d < width; d++) {
        const value = values[vector[d]];
        sums[d] += value;
        squares[d] += value * value;
      }
      words++;
    }
  }
  const means = Float32Array.from(sums, (sum) => sum / Math.max(1, words));
  const scales = Float32Array.from(squares, (square, d) => {
    const variance = square / Math.max(1, words) - means[d] * means[d];
    // A number that is the same for all words says nothing.
    return variance > MIN_VARIANCE * (square / Math.max(1, words)) ? 1 / Math.sqrt(variance) : 0;
  });
  return { ...identityOf(encoder), means, scales };
}

/** Variance as a share of the mean square below which it is rounding. */
const MIN_VARIANCE = 1e-9;

/** Writes the scaled numbers of a vector. O(width). */
export function copyEncoded(
  { width, means, scales }: EncodedInput,
  vector: Uint16Array,
  into: Float32Array,
  at: number,
): void {
  const values = halfValues();
  for (let d = 0; d < width; d++) into[at + d] = (values[vector[d]] - means[d]) * scales[d];
}
