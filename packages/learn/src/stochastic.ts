import { SparseVector } from "@arcwise/core";
import { EXPECTED_ENTRIES, type OnlineLearner } from "./online.ts";
import { type OptimizerOptions, stochasticSteps } from "./steps.ts";
import { checkUpdate, type StructuredTask, type Update } from "./task.ts";
import { AveragedWeights } from "./weights.ts";

/** Adds the slopes of the gain on an example, those of its negated loss, to `into`. */
export type LossGradient = <Output>(
  task: StructuredTask<Output>,
  example: number,
  weights: Float32Array,
  into: SparseVector,
) => Update;

/** An online learner that steps along the gradient of a loss. */
export function stochasticLearner(
  name: string,
  dimension: number,
  loss: LossGradient,
  options: OptimizerOptions,
): OnlineLearner {
  const weights = new AveragedWeights(dimension);
  const steps = stochasticSteps(weights, options);
  const averaged = options.averaged ?? !(options.optimizer === "sgd" && (options.l1 ?? 0) > 0);
  const gradient = new SparseVector(EXPECTED_ENTRIES);

  function update<Output>(task: StructuredTask<Output>, example: number): Update {
    gradient.clear();
    const seen = loss(task, example, weights.values, gradient);
    checkUpdate(example, seen.loss, seen.cost);
    steps.step(gradient);
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
