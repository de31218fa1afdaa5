import { checkInteger } from "../checks.ts";
import type { WeightVector } from "../task.ts";

/**
 * Keeps the weights of the best score on development data, and says when it is time to stop: when the score
 * has not risen for `patience` epochs. Its answer is what `onEpoch`, `onCheck` and `onIteration` may answer.
 */
export class EarlyStopping<Vector extends WeightVector = Float32Array> {
  /** The best score so far; -Infinity before the first. */
  score = -Infinity;
  /** How many scores there had been when the best one came. */
  epoch = 0;
  /** A copy of the weights of the best score. */
  weights: Vector | undefined;
  readonly #patience: number;
  #seen = 0;

  /** @throws RangeError when patience is no integer >= 1 */
  constructor(patience: number) {
    checkInteger("patience", patience, 1);
    this.#patience = patience;
  }

  /**
   * Takes the score of the weights of now, higher is better. O(dimension) when it is the best. @returns
   * whether to go on
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
