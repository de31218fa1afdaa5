import { log } from "@arcwise/core/arithmetic";
import { exponential } from "./functions.ts";
import type { Matrix } from "./matrix.ts";

/** Returns the logarithm of the sum of exponentials of `length` scores from an offset on. O(length). */
export function logSumExponentials(values: Float32Array, from: number, length: number): number {
  let largest = -Infinity;
  for (let c = from; c < from + length; c++) if (values[c] > largest) largest = values[c];
  let sum = 0;
  for (let c = from; c < from + length; c++) sum += exponential(values[c] - largest);
  return largest + log(sum);
}

/** A choice among scores: their offset, the offset of their gradients, and the target. */
export interface Choice {
  /** Offsets of the first score and of its gradient. */
  readonly scores: number;
  readonly gradients: number;
  readonly choices: number;
  readonly target: number;
  /** A choice that is excluded: its probability and gradient are 0. */
  readonly excluded?: number | undefined;
}

/**
 * Returns the softmax cross-entropy, the negative log-probability of the target, and writes the gradient of
 * each score, which is its probability, minus 1 for the target. O(choices).
 */
export function softmaxLoss(values: Float32Array, choice: Choice): number {
  const { scores, gradients, choices, target, excluded = -1 } = choice;
  let largest = -Infinity;
  for (let c = 0; c < choices; c++)
    if (c !== excluded && values[scores + c] > largest) largest = values[scores + c];
  let sum = 0;
  for (let c = 0; c < choices; c++) {
    const share = c === excluded ? 0 : exponential(values[scores + c] - largest);
    values[gradients + c] = share;
    sum += share;
  }
  for (let c = 0; c < choices; c++) values[gradients + c] /= sum;
  values[gradients + target] -= 1;
  return largest + log(sum) - values[scores + target];
}

/**
 * Returns the sum of `softmaxLoss` over the rows of a matrix, without rows whose target is -1. O(rows ·
 * choices).
 */
export function softmaxLosses(
  values: Float32Array,
  scores: Matrix,
  gradients: Matrix,
  targets: Int32Array,
  choices: number,
): number {
  let loss = 0;
  for (let r = 0; r < targets.length; r++) {
    const target = targets[r];
    if (target < 0) continue;
    loss += softmaxLoss(values, {
      scores: scores.at + r * scores.row,
      gradients: gradients.at + r * gradients.row,
      choices,
      target,
      excluded: -1,
    });
  }
  return loss;
}
