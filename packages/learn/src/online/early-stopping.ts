import { checkInteger } from "../checks.ts";
import type { WeightVector } from "../task.ts";

/**
 * Stops training when the score on development data has not risen for `patience` epochs, and stores the
 * weights of the best score. Its return value fits `onEpoch`, `onCheck` and `onIteration`.
 */
export class EarlyStopping<Vector extends WeightVector = Float32Array> {
  /** The best score so far; -Infinity before the first. */
  score = -Infinity;
  /** Number of scores when the best one came. */
  epoch = 0;
  /** A copy of the weights of the best score. */
  weights: Vector | undefined;
  readonly #patience: number;
  #seen = 0;

  /** @throws RangeError when patience is not an integer >= 1 */
  constructor(patience: number) {
    checkInteger("patience", patience, 1);
    this.#patience = patience;
  }

  /**
   * Takes the score of the current weights; higher is better. O(dimension) when it is the best.
   *
   * @returns whether to continue
   */
  goesOn(score: number, weights: Vector): boolean {
    if (Number.isNaN(score)) throw new RangeError("expected a score, got NaN");
    this.#seen++;
    if (score > this.score) {
      this.score = score;
      this.epoch = this.#seen;
      this.weights = weights.slice() as Vector;
    }
    return this.#seen - this.epoch < this.#patience;
  }
}
