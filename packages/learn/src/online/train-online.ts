import { random } from "@arcwise/core";
import { checkInteger } from "../checks.ts";
import { yieldToEventLoop } from "../event-loop.ts";
import type { StructuredTask } from "../task.ts";
import type { OnlineLearner } from "./online-learner.ts";

/** Progress within an epoch. Sums are over the examples of the epoch so far. */
export interface OnlineProgress {
  /** From 1. */
  readonly epoch: number;
  /** Number of examples done in this epoch. */
  readonly done: number;
  readonly cost: number;
  readonly loss: number;
}

/**
 * The state of training after an epoch, from which it can resume with the same task. The learner shares its
 * vectors: they are not copies.
 */
export interface OnlineState {
  /** Number of epochs done. */
  readonly epoch: number;
  readonly steps: number;
  readonly values: Float32Array;
  readonly weighted: Float32Array;
  /** The learner's memory, if it has one. */
  readonly memory?: Readonly<Record<string, Float32Array>> | undefined;
}

/** Options of the training loop of online learners. */
export interface OnlineTrainingOptions {
  readonly epochs: number;
  readonly seed: number;
  /** Called every few dozen examples and at the end of each epoch. */
  readonly onProgress?: ((progress: OnlineProgress) => void) | undefined;
  /** Called after each epoch and awaited; training ends when it returns false. */
  readonly onEpoch?: ((state: OnlineState) => unknown) | undefined;
  /** A state of `onEpoch`: training resumes from it, to the same weights as without the interruption. */
  readonly resume?: OnlineState | undefined;
  /** Ends training between two examples by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Trains an online learner: updates it on each example, in an order that depends only on the seed and the
 * number of the epoch. O(epochs · examples) updates.
 *
 * @throws RangeError when `epochs` is not an integer >= 1, the seed is not a safe integer, the learner or the
 *   state to resume from has another dimension than the task, or the state belongs to another learner
 * @throws the reason of the signal once that is aborted
 */
export async function trainOnline<Output>(
  task: StructuredTask<Output>,
  learner: OnlineLearner,
  options: OnlineTrainingOptions,
): Promise<void> {
  const { epochs, seed, onProgress, onEpoch, resume, signal } = options;
  checkInteger("epochs", epochs, 1);
  const { length } = learner.weights.values;
  if (task.dimension !== length) {
    throw new RangeError(`the task has ${task.dimension} weights, but the learner ${length}`);
  }
  if (resume !== undefined) restore(learner, resume);
  const pause = yieldToEventLoop(signal);
  const shuffles = random(seed);
  for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
    const order = shuffles.fork(epoch).shuffle(Int32Array.from({ length: task.size }, (_, index) => index));
    let cost = 0;
    let loss = 0;
    for (let k = 0; k < order.length; k++) {
      const update = learner.update(task, order[k]);
      cost += update.cost;
      loss += update.loss;
      if ((await pause()) || k === order.length - 1) onProgress?.({ epoch, done: k + 1, cost, loss });
    }
    learner.endEpoch?.();
    if ((await onEpoch?.(stateOf(learner, epoch))) === false) break;
  }
}

/** Returns the state of a learner after an epoch. The vectors are memory of the learner. */
export function stateOf({ weights, memory }: OnlineLearner, epoch: number): OnlineState {
  const { steps, values, weighted } = weights;
  return { epoch, steps, values, weighted, memory };
}

/**
 * Copies a state into new vectors.
 *
 * @param allocate makes a vector of zeros; a vector of zeros is not written to, so that the system need not give
 *   it memory
 */
export function copyState(
  { values, weighted, memory, ...rest }: OnlineState,
  allocate = (length: number): Float32Array => new Float32Array(length),
): OnlineState {
  const copy = (vector: Float32Array): Float32Array => {
    const own = allocate(vector.length);
    if (!isZero(vector)) own.set(vector);
    return own;
  };
  const copied =
    memory && Object.fromEntries(Object.entries(memory).map(([name, vector]) => [name, copy(vector)]));
  return { ...rest, values: copy(values), weighted: copy(weighted), memory: copied };
}

function isZero(vector: Float32Array): boolean {
  for (let i = 0; i < vector.length; i++) if (vector[i] !== 0) return false;
  return true;
}

/** Restores a learner from a state. O(dimension). */
export function restore(learner: OnlineLearner, { steps, values, weighted, memory = {} }: OnlineState): void {
  const { weights } = learner;
  const own = learner.memory ?? {};
  const names = Object.keys(own).sort().join(", ");
  const found = Object.keys(memory).sort().join(", ");
  if (names !== found) {
    throw new RangeError(`a state of "${learner.name}" must have the vectors [${names}], got [${found}]`);
  }
  restoreVector("weights", weights.values, values);
  restoreVector("weighted changes", weights.weighted, weighted);
  for (const name of Object.keys(own)) restoreVector(name, own[name], memory[name]);
  weights.steps = steps;
  learner.restored?.();
}

function restoreVector(name: string, own: Float32Array, values: Float32Array): void {
  if (values.length !== own.length) {
    throw new RangeError(`expected a state of ${own.length} ${name}, got ${values.length}`);
  }
  own.set(values);
}
