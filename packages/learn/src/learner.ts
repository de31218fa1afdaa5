import type { OnlineLearner } from "./online/online-learner.ts";
import { MissingMethod, type StructuredTask, type TaskMethod, type WeightVector } from "./task.ts";

/**
 * The unit of the scores of a learner: margins in the unit of the task's costs, log-probabilities, or none
 * (the perceptron, whose scores grow with the number of updates).
 */
export type ScoreUnit = "margin" | "log-probability" | "none";

/**
 * Finds the weights of a task. Everything that differs between learners is a member, so that a program can
 * use any learner. `onlineLearner` makes one from an `OnlineLearner`; batch learners have their own
 * factories.
 */
export interface Learner {
  readonly name: string;
  /** The optional methods of a task that it calls. */
  readonly needs: ReadonlySet<TaskMethod>;
  readonly unit: ScoreUnit;
  /**
   * Whether it minimises one function of the weights: outputs and features of an example depend on the
   * weights alone, and 64-bit weights are read. Online learners also work with tasks that change from step to
   * step.
   */
  readonly batch: boolean;
  /** Whether an update changes few weights, so that states of shards can be mixed many times per epoch. */
  readonly sparse: boolean;
  /**
   * Makes the online learner that is trained, which can also be trained by shards. Absent in batch learners.
   */
  readonly online?: ((dimension: number) => OnlineLearner) | undefined;
  /**
   * Trains on all examples of a task, and returns the final weights.
   *
   * @throws ArcwiseError `missing-method` when the task lacks a method of `needs`
   * @throws RangeError when an option is out of range, or the state belongs to another learner or task
   * @throws the reason of the signal once that is aborted
   */
  train<Output>(task: StructuredTask<Output>, options: LearnerTraining): Promise<WeightVector>;
}

/** Options and callbacks of training. */
export interface LearnerTraining {
  /** Maximum number of epochs. Batch learners stop earlier when they reach the minimum. */
  readonly epochs: number;
  /** Decides the order of the examples. */
  readonly seed: number;
  /** Called every few dozen examples, and by online learners at the end of each epoch. */
  readonly onProgress?: ((progress: LearnerProgress) => void) | undefined;
  /**
   * Called after each epoch and awaited; training ends when it returns false. State and weights are memory of
   * the learner, which the next epoch may overwrite.
   */
  readonly onEpoch?: ((state: LearnerState, weights: () => WeightVector) => unknown) | undefined;
  /** A state of `onEpoch`: training resumes from it, to the same weights as without the interruption. */
  readonly resume?: LearnerState | undefined;
  /** Ends training between two examples by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Progress within an epoch. */
export interface LearnerProgress {
  /** From 1. */
  readonly epoch: number;
  /** Number of examples done in this epoch. */
  readonly done: number;
}

/** The state of training after an epoch, as plain data. Vectors may be memory of the learner, not copies. */
export interface LearnerState {
  /** Number of epochs done. */
  readonly epoch: number;
  readonly numbers: Readonly<Record<string, number>>;
  readonly vectors: Readonly<Record<string, StateVector>>;
}

/** A vector of the state of a learner. */
export type StateVector = Float32Array | Float64Array | Int32Array;

/**
 * Checks that a task has the methods that a learner needs.
 *
 * @throws ArcwiseError `missing-method` when the task lacks a method that the learner needs
 */
export function checkNeeds<Output>({ name, needs }: Learner, task: StructuredTask<Output>): void {
  for (const method of needs) if (!hasMethod(task, method)) throw new MissingMethod(name, method);
}

function hasMethod<Output>(task: StructuredTask<Output>, method: TaskMethod): boolean {
  if (method === "expectations" && task.addExpectations !== undefined) return true;
  return task[method] !== undefined;
}
