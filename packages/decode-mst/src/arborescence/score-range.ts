/** Beyond this, sums and differences of the scores of a sentence might overflow. */
const LARGEST = 2 ** 1000;
const FACTOR = 2 ** -24;

/**
 * The scores themselves, or, when some finite one exceeds 2^1000 in absolute value, a copy divided by 2^24: a
 * power of two, which changes no choice (numbers of the smallest magnitudes round, far below the rounding of
 * a sum with the largest). So up to 2^22 of them can be added and subtracted without overflow. O(scores).
 */
export function withoutOverflow(scores: Float64Array): Float64Array {
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!;
    if (score > LARGEST || (score < -LARGEST && score !== -Infinity))
      return scores.map((value) => value * FACTOR);
  }
  return scores;
}
