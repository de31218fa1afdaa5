import { checkInteger, checkNotNegative, checkPositive } from "../checks.ts";

/** Options of learners that close the gap between a convex objective and its dual. */
export interface DualOptions {
  /**
   * Strength of the penalty l2 / 2 ·
   * w
   * ² in addition to the mean loss, above 0.
   */
  readonly l2: number;
  /** Training stops when the objective is proved to be at most this far above its minimum. Default: 1e-4. */
  readonly tolerance?: number | undefined;
  /** Called every few dozen examples, with the epoch (from 1) and the number of its examples done. */
  readonly onProgress?: ((progress: { readonly epoch: number; readonly done: number }) => void) | undefined;
  /** Ends training between two examples by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Bounds of the minimum. */
export interface DualityGap {
  /** The objective at the weights: mean loss plus l2 / 2 · |w|². */
  readonly primal: number;
  /** A lower bound of the objective at any weights. */
  readonly dual: number;
}

/** Result of training. */
export interface DualResult extends DualityGap {
  readonly weights: Float64Array;
  /** Epochs that changed the weights. */
  readonly epochs: number;
  /** Whether primal - dual is within the tolerance. */
  readonly converged: boolean;
}

/** @throws RangeError when an option is out of its range */
export function checkDualOptions(
  { l2, tolerance = 1 }: DualOptions,
  epochs: number,
  checkEvery: number,
): void {
  checkPositive("l2", l2);
  checkNotNegative("tolerance", tolerance);
  checkInteger("epochs", epochs, 1);
  checkInteger("checkEvery", checkEvery, 1);
}

/**
 * @throws RangeError when a state has another number of entries than expected
 */
export function checkLength(what: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`expected a state of ${expected} ${what}, got ${found}`);
}

export function squaredNorm(vector: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i] * vector[i];
  return sum;
}
