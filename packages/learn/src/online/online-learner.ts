import type { StructuredTask, Update } from "../task.ts";
import type { AveragedWeights } from "./weights.ts";

/** A learner that looks at one example at a time. */
export interface OnlineLearner {
  readonly name: string;
  /** The current weights, and what their average needs. */
  readonly weights: AveragedWeights;
  /**
   * Vectors that the learner keeps beside the weights, by name: a part of the state that training resumes
   * from.
   */
  readonly memory?: Readonly<Record<string, Float32Array>>;
  /** Decodes an example, and changes the weights. Counts one step. */
  update<Output>(task: StructuredTask<Output>, example: number): Update;
  /**
   * True for a learner that changes weights by `weights.add` alone and has no memory. Distributed training
   * then knows which weights changed, and its steps cost what they change, not the dimension.
   */
  readonly sparse?: true;
  /** Applies postponed changes; called at the end of each epoch and before a mixing. O(dimension). */
  endEpoch?(): void;
  /** Called after weights and memory were set to those of a state, which was taken after `endEpoch`. */
  restored?(): void;
  /**
   * The weights to keep: their average over all steps if the learner averages, else those of now.
   * O(dimension).
   */
  result(into?: Float32Array): Float32Array;
}
