import type { QuantizedWeights } from "@arcwise/core/container";
import { lineLength } from "@arcwise/core/features";
import { type Learner, type LearnerState, learnerStateOf, type OnlineState, stateOf } from "@arcwise/learn";
import { labellerDimension, lineOf } from "../../labelling/labeller-configuration.ts";
import type { TrainedModel } from "../../model/model.ts";
import { type Dimensions, firstGlobal, totalDimension } from "../../scoring/model-weights.ts";

/**
 * Returns the state from which a learner continues: the averaged weights of a model, as if no step was made yet.
 * O(weights).
 *
 * @param labels number of labels, the labels of the model first
 * @param learner an online learner
 */
export function continuedWeights(
  { arcWeights, partWeights, globalWeights, labels: known }: TrainedModel,
  labels: number,
  dimensions: Dimensions,
  { online }: Learner,
): LearnerState {
  const state = stateOf(online!(totalDimension(dimensions)), 0);
  copyLines(arcWeights, lineLength(known.length), state.values, lineLength(labels));
  copyLines(partWeights, 1, state.values.subarray(dimensions.arcs), 1);
  if (globalWeights) copyLines(globalWeights, 1, state.values.subarray(firstGlobal(dimensions)), 1);
  return learnerStateOf(state);
}

/** Returns the state from which the labeller of a model continues; undefined if the model does not have one. */
export function continuedLabeller(
  { labeller, labels: known }: TrainedModel,
  labels: number,
): OnlineState | undefined {
  if (labeller === undefined) return undefined;
  const dimension = labellerDimension(labeller.configuration, labels);
  const values = new Float32Array(dimension);
  copyLines(labeller.weights, lineOf(known.length), values, lineOf(labels));
  return { epoch: 0, steps: 0, values, weighted: new Float32Array(dimension) };
}

/** Copies lines of quantised weights to lines that may be longer. */
function copyLines(
  { values, scale }: QuantizedWeights,
  length: number,
  into: Float32Array,
  longer: number,
): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i] === 0) continue;
    const line = Math.floor(i / length);
    into[line * longer + (i - line * length)] = values[i] * scale;
  }
}
