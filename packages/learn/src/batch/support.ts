import { SparseVector } from "@arcwise/core";
import { EXPECTED_ENTRIES, type PartModel } from "../task.ts";
import type { Objective } from "./objective.ts";

/**
 * Returns the weights that any output of a task's examples has a feature of, ascending: the weights of the features
 * of all parts. All other weights are 0 at the minimum of an objective with a penalty. O(features of all
 * parts).
 */
export function supportOf(parts: PartModel, size: number, dimension: number): Int32Array {
  const isUsed = new Uint8Array(dimension);
  const features = new SparseVector(EXPECTED_ENTRIES);
  let count = 0;
  for (let example = 0; example < size; example++) {
    features.clear();
    parts.addFeatures(example, new Float64Array(parts.count(example)).fill(1), features);
    for (let k = 0; k < features.size; k++) {
      const index = features.indices[k];
      count += 1 - isUsed[index];
      isUsed[index] = 1;
    }
  }
  const support = new Int32Array(count);
  let next = 0;
  for (let i = 0; i < dimension; i++) if (isUsed[i] === 1) support[next++] = i;
  return support;
}

/** Returns the vector of `dimension` weights with the given values on the support and 0 elsewhere. */
export function spread(values: Float64Array, support: Int32Array, into: Float64Array): Float64Array {
  for (let k = 0; k < support.length; k++) into[support[k]] = values[k];
  return into;
}

/**
 * Restricts an objective to some of its weights; the others stay 0. Vectors of a minimisation then have the
 * length of the support. An evaluation costs O(dimension) more; memory: two vectors of the dimension.
 */
export function onSupport(objective: Objective, support: Int32Array): Objective {
  const { dimension } = objective;
  const allWeights = new Float64Array(dimension);
  const allGradient = new Float64Array(dimension);
  const gather = (gradient: Float64Array) => {
    for (let k = 0; k < support.length; k++) gradient[k] = allGradient[support[k]];
  };
  return {
    dimension: support.length,
    evaluate(weights, gradient) {
      const value = objective.evaluate(spread(weights, support, allWeights), allGradient);
      gather(gradient);
      return value;
    },
    async evaluateInTurns(weights, gradient, onExample) {
      spread(weights, support, allWeights);
      const value = await (objective.evaluateInTurns?.(allWeights, allGradient, onExample) ??
        objective.evaluate(allWeights, allGradient));
      gather(gradient);
      return value;
    },
  };
}
