import type { SparseVector } from "@arcwise/core";
import { ArcwiseError } from "@arcwise/core/errors";
import type { GradientSink } from "./gradients.ts";

/** Weights as a task reads them: online learners keep them in 32 bits, batch learners in 64. */
export type WeightVector = Float32Array | Float64Array;

/**
 * The interface of a learner to a task: examples by index, a weight vector, opaque outputs. The score of an
 * output is linear in the weights: the dot product with the features of input and output.
 *
 * `decode` and `difference` suffice for the perceptron, MIRA and the structured SVM. `kBest` is for k-best
 * MIRA, `expectations` for the conditional log-linear loss, `search` for updates with inexact search, `parts`
 * for exponentiated gradient; a learner without the method that it needs throws an error with the code `missing-method`.
 */
export interface StructuredTask<Output> {
  /** Number of training examples. */
  readonly size: number;
  /** Number of weights. */
  readonly dimension: number;
  /**
   * Returns the output of highest score under the weights; cost-augmented: of highest score plus cost. The
   * output may be memory of the task that the next call overwrites.
   */
  decode(example: number, weights: WeightVector, costAugmented: boolean): Output;
  /**
   * Adds to `into` the features of the gold output less the features of the given one, and returns the cost
   * of the given output: 0 exactly when it is the gold one. Learners call it for outputs of the last decoded
   * example, before they change the weights.
   */
  difference(example: number, output: Output, into: SparseVector): number;
  /**
   * Returns the k outputs of highest score (cost-augmented: of score plus cost), best first and without
   * duplicates; fewer when there are fewer, but at least one. They are valid until the next call for any
   * example.
   */
  kBest?(example: number, weights: WeightVector, k: number, costAugmented: boolean): readonly Output[];
  /**
   * The gradient of the log-likelihood, where an output has a probability in proportion to exp(score): adds
   * to `into` the features of the gold output less their expectation. The gold output must have a
   * probability.
   *
   * @returns as `loss`, the negative logarithm of the gold output's probability; as `cost`, the expected cost
   */
  expectations?(example: number, weights: WeightVector, into: SparseVector): Update;
  /**
   * The same as `expectations`, for a task whose weights are in runs, added run by run: learners prefer it,
   * since it saves a lookup for each weight. Learners may change the weights while the gradient is added: all
   * weights were read before.
   */
  addExpectations?(example: number, weights: WeightVector, into: GradientSink): Update;
  /**
   * Decodes by an inexact search that builds outputs step by step, such as a beam, and reports when the gold
   * output was lost. The result may be memory of the task that the next call overwrites.
   */
  search?(example: number, weights: WeightVector): SearchTrace;
  /** The parts that outputs consist of. */
  readonly parts?: PartModel | undefined;
}

/**
 * Trace of an inexact search. After each step it keeps some prefixes of outputs, among them a best one; the
 * gold prefix is the gold output up to that step.
 */
export interface SearchTrace {
  /** Number of steps, at least 1; the prefixes of the last one are whole outputs. */
  readonly steps: number;
  /**
   * Per step (the first `steps` entries count): score of the best prefix that was kept, minus the score of
   * the gold prefix. At least 0 as long as the gold prefix is kept, and 0 where it is the best; never
   * -Infinity or NaN.
   */
  readonly violations: Float64Array;
  /** The first step after which the gold prefix was not kept; `steps` when it was kept to the end. */
  readonly lost: number;
  /**
   * Adds to `into` the features of the gold prefix less the features of the best prefix kept after the step,
   * and returns the cost of the latter: 0 exactly when they are the same.
   */
  difference(step: number, into: SparseVector): number;
}

/**
 * A task whose outputs consist of parts: an output is a set of the parts of its example, its features are the
 * sum of the scores of its parts. Parts are the transitions of a chain, the arcs of a tree; where outputs are
 * few enough to be listed, each of them may be one part. All parts of an example are possible: scores are
 * finite. Arrays may be longer than the example has parts.
 */
export interface PartModel {
  /** Number of parts of an example. */
  count(example: number): number;
  /** Writes 1 for each part of the gold output, 0 for the others. */
  gold(example: number, into: Float64Array): void;
  /** Writes the score of each part under the weights. */
  scores(example: number, weights: WeightVector, into: Float64Array): void;
  /**
   * Writes the probability that each part is in the output, where an output has a probability in proportion
   * to the exponential of the sum of its parts' potentials. Returns the logarithm of the sum of the
   * exponentials.
   */
  marginals(example: number, potentials: Float64Array, into: Float64Array): number;
  /**
   * Writes the cost of each part, whose sum over the parts of an output is its cost. For exponentiated
   * gradient of the hinge loss.
   */
  costs?(example: number, into: Float64Array): void;
  /** Adds to `into` the features of all parts, each times its amount. Parts of amount 0 cost nothing else. */
  addFeatures(example: number, amounts: Float64Array, into: SparseVector): void;
}

/** Initial capacity of the sparse vector for the difference of two outputs. */
export const EXPECTED_ENTRIES = 4096;

/** The result of an update on one example. */
export interface Update {
  /** Cost of the output of the update, or the expected cost over all outputs. */
  readonly cost: number;
  /** The learner's loss on the example before it changed the weights. */
  readonly loss: number;
}

/** The optional methods of a task. */
export type TaskMethod = "kBest" | "expectations" | "search" | "parts";

/** A learner needs an optional method that its task lacks. */
export class MissingMethod extends ArcwiseError {
  override readonly name = "MissingMethod";
  readonly learner: string;
  readonly method: TaskMethod;

  constructor(learner: string, method: TaskMethod) {
    super(
      "missing-method",
      `the learner "${learner}" needs a task with the method "${method}"; this task lacks it`,
    );
    this.learner = learner;
    this.method = method;
  }
}

export function checkUpdate(example: number, loss: number, cost: number): void {
  if (Number.isNaN(loss) || Number.isNaN(cost) || cost < 0) {
    throw new RangeError(`example ${example}: expected a cost >= 0 and a loss, got ${cost} and ${loss}`);
  }
}
