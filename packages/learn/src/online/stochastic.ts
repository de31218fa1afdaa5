import { SparseVector } from "@arcwise/core";
import { GradientRuns, type GradientSink } from "../gradients.ts";
import { checkUpdate, EXPECTED_ENTRIES, type StructuredTask, type Update } from "../task.ts";
import type { OnlineLearner } from "./online-learner.ts";
import { type OptimizerOptions, stochasticSteps } from "./steps.ts";
import { AveragedWeights } from "./weights.ts";

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
  const averaged = options.averaged ?? !(options.optimizer === "sgd" && (options.l1 ?? 0) > 0);
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

  function result(into = new Float32Array(dimension)): Float32Array {
    steps.flush();
    if (averaged) return weights.average(into);
    into.set(weights.values);
    return into;
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
