import { log } from "@arcwise/core/arithmetic";
import { exponential, sigmoid } from "./functions.ts";

/**
 * Returns the logistic loss, the negative log-probability of a binary target (1 or 0), where 1 has the
 * probability 1 / (1 + e^-score). Writes the gradient of the score, which is that probability minus the
 * target. O(1).
 *
 * @param score offset of the score
 * @param gradient offset of its gradient
 */
export function logisticLoss(values: Float32Array, score: number, gradient: number, target: 0 | 1): number {
  const x = values[score];
  values[gradient] = sigmoid(x) - target;
  const wrong = target === 1 ? -x : x;
  return Math.max(0, wrong) + log(1 + exponential(-Math.abs(wrong)));
}
