import type { SparseVector } from "@arcwise/core";

/**
 * What a learner knows of a task: examples by number, a weight vector, outputs that are opaque to it. The
 * score of an output is linear in the weights: the dot product with the features of input and output.
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
   * given output: 0 exactly when it is the gold one, larger the worse it is.
   */
  difference(example: number, output: Output, into: SparseVector): number;
}

/** What became of one example. */
export interface Update {
  /** Cost of the output that the learner looked at. */
  readonly cost: number;
  /** The learner's loss on the example before it changed the weights. */
  readonly loss: number;
}
