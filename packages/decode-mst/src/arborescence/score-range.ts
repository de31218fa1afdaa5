/** Beyond this, sums and differences of the scores of a sentence might overflow. */
export const LARGEST = 2 ** 1000;
/** The factor of the scores of a sentence if some are beyond. */
export const FACTOR = 2 ** -24;

/**
 * The scores themselves, or, when some finite one exceeds 2^1000 in absolute value, a copy divided by 2^24: a
 * power of two, which changes no choice (numbers of the smallest magnitudes round, far below the rounding of
 * a sum with the largest). So up to 2^22 of them can be added and subtracted without overflow. O(scores).
 */
export function withoutOverflow(scores: Float64Array): Float64Array {
  return isLarge(scores) ? scores.map((value) => value * FACTOR) : scores;
}

/** Returns a sum of scores from the same sum of scores times a factor; the greatest number if it is beyond. */
export function unscaled(sum: number, factor: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum / factor));
}

/** Whether a finite score is beyond `LARGEST`. O(scores). */
export function isLarge(scores: Float64Array): boolean {
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i];
    if (score > LARGEST || (score < -LARGEST && score !== -Infinity)) return true;
  }
  return false;
}

/** Returns the largest absolute value of a finite score, 0 if there is none. O(scores). */
export function largestOf(scores: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < scores.length; i++) {
    const size = Math.abs(scores[i]);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest;
}
