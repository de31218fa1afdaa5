import { checkPositive } from "../checks.ts";
import type { StructuredTask, Update, WeightVector } from "../task.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { type Gain, type OptimizerOptions, stochasticLearner } from "./stochastic.ts";

/** Options of Pegasos. */
export interface PegasosOptions {
  readonly optimizer?: "pegasos" | undefined;
  /** Strength of the penalty l2 / 2 · |w|² added to the mean loss, above 0. Default: 0.01. */
  readonly l2?: number | undefined;
  /** Whether the final weights are the average over all steps. Default: true. */
  readonly averaged?: boolean | undefined;
}

/** Optimizer of the SVM and its options: the steps of Pegasos unless another optimizer is named. */
export type SvmOptions = PegasosOptions | OptimizerOptions;

/**
 * Makes the structured support vector machine with margin rescaling (Taskar, Guestrin and Koller 2003;
 * Tsochantaridis et al. 2005). It minimises the mean over the examples of max over outputs of (cost + score)
 * - gold score, plus l2 / 2 · |w|², by stochastic subgradient. Steps are 1 / (l2 · t) as in Pegasos
 * (Shalev-Shwartz, Singer, Srebro and Cotter 2011; Ratliff, Bagnell and Zinkevich 2007 for structures),
 * without the projection, which their analysis does not need; or the steps of another optimizer.
 *
 * An update costs a cost-augmented decoding and the non-zeros of the difference.
 *
 * @throws RangeError when the dimension is not an integer >= 1 or an option is out of its range
 */
export function svm(dimension: number, options: SvmOptions = {}): OnlineLearner {
  return stochasticLearner("svm", dimension, addHingeGradient, stepsOf(options));
}

function stepsOf(options: SvmOptions): OptimizerOptions {
  if (!isPegasos(options)) return options;
  const { l2 = 0.01, averaged = true } = options;
  checkPositive("l2", l2);
  return { optimizer: "sgd", rate: 1 / l2, decay: 1, l2, averaged };
}

function isPegasos(options: SvmOptions): options is PegasosOptions {
  return options.optimizer === undefined || options.optimizer === "pegasos";
}

function addHingeGradient<Output>(
  task: StructuredTask<Output>,
  example: number,
  weights: WeightVector,
  { sparse }: Gain,
): Update {
  const cost = task.difference(example, task.decode(example, weights, true), sparse);
  const loss = cost - sparse.dot(weights);
  // Where the gold output has the highest score or a tie, the gradient is 0.
  if (loss <= 0) sparse.clear();
  return { cost, loss: loss > 0 || Number.isNaN(loss) ? loss : 0 };
}
