import type { OnlineLearner } from "./online/online-learner.ts";
import { MissingMethod, type StructuredTask, type TaskMethod, type WeightVector } from "./task.ts";

/**
 * The unit of the scores that a learner arrives at: margins in the unit of the task's costs, logarithms of
 * probabilities, or none (the perceptron, whose scores grow with the number of updates).
 */
export type ScoreUnit = "margin" | "log-probability" | "none";

/**
 * A way to find the weights of a task. Everything that differs from learner to learner is said by its
 * members, so that a program can take any learner. `onlineLearner` makes one of an `OnlineLearner`; batch
 * learners have factories of their own.
 */
export interface Learner {
  readonly name: string;
  /** The optional methods of a task that it calls. */
  readonly needs: ReadonlySet<TaskMethod>;
  readonly unit: ScoreUnit;
  /**
   * Whether it works on one function of the weights from beginning to end: outputs and features of an example
   * depend on the weights alone, and 64-bit weights are read. Online learners bear with tasks that change
   * from step to step, batch learners do not.
   */
  readonly batch: boolean;
  /** Whether an update changes few weights, so that states of shards can be mixed many times an epoch. */
  readonly sparse: boolean;
  /**
   * Makes the online learner that is trained: such a learner can be trained by shards. Absent in batch
   * learners.
   */
  readonly online?: (dimension: number) => OnlineLearner;
  /**
   * Trains on all examples of a task, and returns the weights to keep.
   *
   * @throws MissingMethod when the task lacks a method of `needs`
   * @throws RangeError when an option is out of its range, or the state is that of another learner or task
   * @throws the reason of the signal once that is aborted
   */
  train<Output>(task: StructuredTask<Output>, options: LearnerTraining): Promise<WeightVector>;
}

/** How long a learner is trained, and who follows it. */
export interface LearnerTraining {
  /** Maximum number of epochs. Batch learners stop earlier when they are at the minimum. */
  readonly epochs: number;
  /** Decides the order of the examples. */
  readonly seed: number;
  /** Called every few dozen examples, and by online learners at the end of each epoch. */
  readonly onProgress?: ((progress: LearnerProgress) => void) | undefined;
  /** Called after each epoch and awaited; training ends when it answers false. */
  readonly onEpoch?: ((state: LearnerState, weights: () => WeightVector) => unknown) | undefined;
  /** Weights to begin with, for online learners. Default: 0. */
  readonly initial?: WeightVector | undefined;
  /** A state of `onEpoch`: training goes on from it, to the same weights as without the interruption. */
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

/**
 * Everything that training needs to go on after an epoch, as plain data. Vectors may be those of the learner,
 * not copies.
 */
export interface LearnerState {
  /** Number of epochs done. */
  readonly epoch: number;
  readonly numbers: Readonly<Record<string, number>>;
  readonly vectors: Readonly<Record<string, StateVector>>;
}

export type StateVector = Float32Array | Float64Array | Int32Array;

/** @throws MissingMethod when the task lacks a method that the learner needs */
export function checkNeeds<Output>({ name, needs }: Learner, task: StructuredTask<Output>): void {
  for (const method of needs) if (!hasMethod(task, method)) throw new MissingMethod(name, method);
}

function hasMethod<Output>(task: StructuredTask<Output>, method: TaskMethod): boolean {
  if (method === "expectations" && task.addExpectations !== undefined) return true;
  return task[method] !== undefined;
}
