import type { SparseVector } from "@arcwise/core";

/**
 * What a learner knows of a task: examples by number, a weight vector, outputs that are opaque to it. The
 * score of an output is linear in the weights: the dot product with the features of input and output.
 *
 * `decode` and `difference` are all that the perceptron and MIRA ask for. `kBest` is for k-best MIRA,
 * `expectations` for the conditional log-linear loss; a learner that misses its method throws a TypeError.
 */
export interface StructuredTask<Output> {
  /** Number of training examples. */
  readonly size: number;
  /** Number of weights. */
  readonly dimension: number;
  /**
   * The output of highest score under the weights; cost-augmented: of highest score plus cost. The output may
   * be memory of the task that the next call writes over.
   */
  decode(example: number, weights: Float32Array, costAugmented: boolean): Output;
  /**
   * Adds to `into` the features of the gold output less those of the given one, and returns the cost of the
   * given output: 0 exactly when it is the gold one, larger the worse it is. Learners call it for outputs of the
   * example that was decoded last, before they change the weights.
   */
  difference(example: number, output: Output, into: SparseVector): number;
  /**
   * The k outputs of highest score (cost-augmented: of score plus cost), best first and none twice; fewer when
   * there are fewer, but at least one. They stay as they are until the next call for any example.
   */
  kBest?(example: number, weights: Float32Array, k: number, costAugmented: boolean): readonly Output[];
  /**
   * The gradient of the log-likelihood, where an output has a probability in proportion to exp(score): adds to
   * `into` the features of the gold output less their expectation. The gold output must have a probability.
   *
   * @returns as `loss`, the negative logarithm of the gold output's probability; as `cost`, the expected cost
   */
  expectations?(example: number, weights: Float32Array, into: SparseVector): Update;
}

/** What became of one example. */
export interface Update {
  /** Cost of the output that the learner looked at, or the expected cost if it looked at all of them. */
  readonly cost: number;
  /** The learner's loss on the example before it changed the weights. */
  readonly loss: number;
}

/** The error of a learner whose task has not the method that it needs. */
export function missing(learner: string, method: "kBest" | "expectations"): TypeError {
  return new TypeError(
    `the learner "${learner}" needs a task with the method "${method}"; this one has none`,
  );
}

/** @throws RangeError when the update is not a number */
export function checkUpdate(example: number, loss: number, cost: number): void {
  if (Number.isNaN(loss) || Number.isNaN(cost) || cost < 0) {
    throw new RangeError(`example ${example}: expected a cost >= 0 and a loss, got ${cost} and ${loss}`);
  }
}
