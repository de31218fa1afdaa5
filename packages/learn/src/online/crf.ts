import { MissingMethod, type StructuredTask, type Update, type WeightVector } from "../task.ts";
import type { AdaGradOptions } from "./adagrad.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { type Gain, type OptimizerOptions, stochasticLearner } from "./stochastic.ts";

/** Optimizer of the CRF and its options: AdaGrad unless another optimizer is named. */
export type CrfOptions = OptimizerOptions | ({ readonly optimizer?: never } & AdaGradOptions);

/**
 * Makes an online learner of the conditional log-linear loss (Lafferty, McCallum and Pereira 2001), -log
 * p(gold output), with an L2 penalty. It minimises the mean over the examples of loss + l2 / 2 · |w|² by
 * stochastic gradient, with the steps of AdaGrad, of Adam, or plain ones. The result is the average of the
 * weights over all steps, or with `averaged: false` those of the last step.
 *
 * An update costs the task's `expectations` and the non-zeros of the gradient.
 *
 * @throws RangeError when the dimension is not an integer >= 1 or an option is out of its range
 * @throws ArcwiseError `missing-method` from `update` when the task has no `expectations`
 */
export function crf(dimension: number, options: CrfOptions = {}): OnlineLearner {
  const steps: OptimizerOptions =
    options.optimizer === undefined ? { ...options, optimizer: "adagrad" } : options;
  return stochasticLearner("crf", dimension, addLogLossGradient, steps, true);
}

function addLogLossGradient<Output>(
  task: StructuredTask<Output>,
  example: number,
  weights: WeightVector,
  { sparse, runs }: Gain,
): Update {
  if (task.addExpectations !== undefined) return task.addExpectations(example, weights, runs);
  if (task.expectations === undefined) throw new MissingMethod("crf", "expectations");
  return task.expectations(example, weights, sparse);
}
