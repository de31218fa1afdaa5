import { SparseVector } from "@arcwise/core";
import { checkNotNegative } from "../checks.ts";
import { DenseGradient } from "../gradients.ts";
import { checkUpdate, EXPECTED_ENTRIES, MissingMethod, type StructuredTask } from "../task.ts";

/** A function of the weights to minimise. */
export interface Objective {
  readonly dimension: number;
  /** Returns the value at the weights; writes the gradient there (at a kink, a subgradient). */
  evaluate(weights: Float64Array, gradient: Float64Array): number;
  /**
   * Returns the same value and gradient, and awaits `onExample` after each example: for progress, signals and
   * turns of the event loop. Without it, an evaluation is one uninterrupted step.
   */
  evaluateInTurns?(
    weights: Float64Array,
    gradient: Float64Array,
    onExample: (done: number) => unknown,
  ): Promise<number>;
}

/** Options of an objective that batch learners minimise. */
export interface ObjectiveOptions {
  /** Strength of the penalty l2 / 2 · |w|² in addition to the mean loss. Default: 0. */
  readonly l2?: number | undefined;
}

/**
 * The mean over a task's examples of -log p(gold output), plus l2 / 2 · |w|²: what `crf` minimises, as a
 * smooth convex function of all weights. An evaluation costs the task's `expectations` of all examples and
 * O(dimension).
 *
 * @throws ArcwiseError `missing-method` when the task has no `expectations`
 * @throws RangeError when l2 is negative, or from `evaluate` when a loss is not a number
 */
export function logLossObjective<Output>(
  task: StructuredTask<Output>,
  { l2 = 0 }: ObjectiveOptions = {},
): Objective {
  checkNotNegative("l2", l2);
  if (task.addExpectations !== undefined) {
    return meanLoss(task, l2, (weights, gradient, share) => {
      const into = new DenseGradient(gradient, -share);
      return (example) => {
        const { loss, cost } = task.addExpectations!(example, weights, into);
        checkUpdate(example, loss, cost);
        return loss;
      };
    });
  }
  if (task.expectations === undefined) throw new MissingMethod("log-loss objective", "expectations");
  return meanLoss(
    task,
    l2,
    sparseGradient((example, weights, gradientTerms) => {
      const { loss, cost } = task.expectations!(example, weights, gradientTerms);
      checkUpdate(example, loss, cost);
      return loss;
    }),
  );
}

/**
 * The mean over a task's examples of max over outputs of (cost + score) - gold score, plus l2 / 2 · |w|²:
 * what `svm` and `frankWolfe` minimise. Convex with kinks: the gradient is a subgradient. An
 * evaluation costs a cost-augmented decoding of all examples and O(dimension).
 *
 * @throws RangeError when l2 is negative, or from `evaluate` when a loss is not a number
 */
export function hingeObjective<Output>(
  task: StructuredTask<Output>,
  { l2 = 0 }: ObjectiveOptions = {},
): Objective {
  checkNotNegative("l2", l2);
  return meanLoss(
    task,
    l2,
    sparseGradient((example, weights, gradientTerms) => {
      const cost = task.difference(example, task.decode(example, weights, true), gradientTerms);
      const loss = cost - gradientTerms.dot(weights);
      checkUpdate(example, loss, cost);
      if (loss > 0) return loss;
      gradientTerms.clear();
      return 0;
    }),
  );
}

/**
 * Prepares an evaluation at some weights: returns the loss of an example, which also subtracts `share` times
 * the gradient of the example's negated loss from `gradient`.
 */
type ExampleLosses = (
  weights: Float64Array,
  gradient: Float64Array,
  share: number,
) => (example: number) => number;

function meanLoss<Output>(
  { dimension, size }: StructuredTask<Output>,
  l2: number,
  lossesAt: ExampleLosses,
): Objective {
  const share = size === 0 ? 0 : 1 / size;
  /** Sets the gradient to the gradient of the penalty; returns the penalty. */
  function penalise(weights: Float64Array, gradient: Float64Array): number {
    let squares = 0;
    for (let i = 0; i < dimension; i++) {
      const weight = weights[i];
      squares += weight * weight;
      gradient[i] = l2 * weight;
    }
    return (l2 / 2) * squares;
  }
  return {
    dimension,
    evaluate(weights, gradient) {
      const penalty = penalise(weights, gradient);
      const lossOf = lossesAt(weights, gradient, share);
      let sum = 0;
      for (let example = 0; example < size; example++) sum += lossOf(example);
      return share * sum + penalty;
    },
    async evaluateInTurns(weights, gradient, onExample) {
      const penalty = penalise(weights, gradient);
      const lossOf = lossesAt(weights, gradient, share);
      let sum = 0;
      for (let example = 0; example < size; example++) {
        sum += lossOf(example);
        await onExample(example + 1);
      }
      return share * sum + penalty;
    },
  };
}

/** Returns the loss of an example; adds the gradient of its negated loss. */
type ExampleLoss = (example: number, weights: Float64Array, into: SparseVector) => number;

function sparseGradient(lossOf: ExampleLoss): ExampleLosses {
  const gradientTerms = new SparseVector(EXPECTED_ENTRIES);
  return (weights, gradient, share) => (example) => {
    gradientTerms.clear();
    const loss = lossOf(example, weights, gradientTerms);
    const { indices, values, size } = gradientTerms;
    for (let k = 0; k < size; k++) gradient[indices[k]] -= share * values[k];
    return loss;
  };
}
