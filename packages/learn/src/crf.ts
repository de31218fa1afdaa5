import { SparseVector } from "@arcwise/core";
import { AdaGrad, type AdaGradOptions } from "./adagrad.ts";
import { EXPECTED_ENTRIES, type OnlineLearner } from "./online.ts";
import { checkUpdate, missing, type StructuredTask, type Update } from "./task.ts";
import { AveragedWeights } from "./weights.ts";

/**
 * The conditional log-linear loss (Lafferty, McCallum and Pereira 2001), -log p(gold output), with an L2 penalty:
 * minimises the mean over the examples of loss + l2 / 2 · |w|² by stochastic gradient, with steps of AdaGrad. The
 * result is the average of the weights over all steps, or with `averaged: false` those of the last step.
 *
 * An update costs the task's `expectations` and the non-zeros of the gradient.
 *
 * @throws RangeError when the dimension is no integer >= 1 or an option is out of its range
 * @throws TypeError from `update` when the task has no `expectations`
 */
export function crf(dimension: number, options: AdaGradOptions = {}): OnlineLearner {
  const averaged = options.averaged ?? true;
  const weights = new AveragedWeights(dimension);
  const adagrad = new AdaGrad(weights, { ...options, averaged });
  const gradient = new SparseVector(EXPECTED_ENTRIES);

  function update<Output>(task: StructuredTask<Output>, example: number): Update {
    if (task.expectations === undefined) throw missing("crf", "expectations");
    gradient.clear();
    const { cost, loss } = task.expectations(example, weights.values, gradient);
    checkUpdate(example, loss, cost);
    adagrad.step(gradient);
    return { cost, loss };
  }

  function result(into = new Float32Array(dimension)): Float32Array {
    adagrad.flush();
    if (averaged) return weights.average(into);
    into.set(weights.values);
    return into;
  }

  return {
    name: "crf",
    weights,
    memory: { squares: adagrad.squares },
    update,
    endEpoch: () => adagrad.flush(),
    restored: () => adagrad.restored(),
    result,
  };
}
