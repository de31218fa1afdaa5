import type { StructuredTask, Update } from "../task.ts";
import type { AveragedWeights } from "./weights.ts";

/** A learner that updates its weights on one example at a time. */
export interface OnlineLearner {
  readonly name: string;
  /** The current weights, and the sums for their average. */
  readonly weights: AveragedWeights;
  /** Other vectors of the learner, by name: part of the state that training resumes from. */
  readonly memory?: Readonly<Record<string, Float32Array>> | undefined;
  /** Decodes an example and updates the weights. Counts one step. */
  update<Output>(task: StructuredTask<Output>, example: number): Update;
  /**
   * True for a learner that changes weights by `weights.add` alone and has no memory. Distributed training
   * then records which weights changed, and the cost of its steps depends on their number, not on the
   * dimension.
   */
  readonly sparse?: true | undefined;
  /** Applies postponed changes; called at the end of each epoch and before a mixing. O(dimension). */
  endEpoch?(): void;
  /** Called after weights and memory were restored from a state that was taken after `endEpoch`. */
  restored?(): void;
  /**
   * Returns the final weights: their average over all steps if the learner averages, else the current ones.
   * O(dimension).
   */
  result(into?: Float32Array): Float32Array;
}
