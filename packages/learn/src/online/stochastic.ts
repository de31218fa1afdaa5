import { SparseVector } from "@arcwise/core";
import { GradientRuns, type GradientSink } from "../gradients.ts";
import { checkUpdate, EXPECTED_ENTRIES, type StructuredTask, type Update } from "../task.ts";
import { AdaGrad, type AdaGradOptions } from "./adagrad.ts";
import { Adam, type AdamOptions } from "./adam.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { Sgd, type SgdOptions } from "./sgd.ts";
import type { StochasticSteps } from "./stochastic-steps.ts";
import { AveragedWeights } from "./weights.ts";

/** Name of an optimizer, and its options. */
export type OptimizerOptions =
  | ({ readonly optimizer: "adagrad" } & AdaGradOptions)
  | ({ readonly optimizer: "adam" } & AdamOptions)
  | ({ readonly optimizer: "sgd" } & SgdOptions);

function stochasticSteps(weights: AveragedWeights, options: OptimizerOptions): StochasticSteps {
  switch (options.optimizer) {
    case "adagrad":
      return new AdaGrad(weights, options);
    case "adam":
      return new Adam(weights, options);
    case "sgd":
      return new Sgd(weights, options);
    default:
      throw new RangeError(
        `optimizer must be adagrad, adam or sgd, got ${(options as { readonly optimizer: string }).optimizer}`,
      );
  }
}

/**
 * Receivers of the gradient of the gain (the negated loss) of an example: a loss writes to one of the two.
 */
export interface Gain {
  readonly sparse: SparseVector;
  readonly runs: GradientSink;
}

/** Adds the gradient of the gain on an example. */
export type LossGradient = <Output>(
  task: StructuredTask<Output>,
  example: number,
  weights: Float32Array,
  into: Gain,
) => Update;

/**
 * Makes an online learner that steps along the gradient of a loss.
 *
 * @param takesRuns whether the loss calls `addExpectations` of tasks that have it
 */
export function stochasticLearner(
  name: string,
  dimension: number,
  loss: LossGradient,
  options: OptimizerOptions,
  takesRuns = false,
): OnlineLearner {
  const weights = new AveragedWeights(dimension);
  const steps = stochasticSteps(weights, options);
  const sparse = new SparseVector(EXPECTED_ENTRIES);
  const runs = new GradientRuns();

  function update<Output>(task: StructuredTask<Output>, example: number): Update {
    if (takesRuns && task.addExpectations !== undefined && steps.begin !== undefined) {
      const seen = loss(task, example, weights.values, { sparse, runs: steps.begin() });
      checkUpdate(example, seen.loss, seen.cost);
      steps.end!();
      return seen;
    }
    sparse.clear();
    runs.clear();
    const seen = loss(task, example, weights.values, { sparse, runs });
    checkUpdate(example, seen.loss, seen.cost);
    runs.dropZeros();
    steps.step(runs.size > 0 ? runs : sparse);
    return seen;
  }

  function result(into?: Float32Array): Float32Array {
    steps.flush();
    return weights.result(options.averaged ?? true, into);
  }

  return {
    name,
    weights,
    memory: steps.memory,
    update,
    endEpoch: () => steps.flush(),
    restored: () => steps.restored(),
    result,
  };
}
