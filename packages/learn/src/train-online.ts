import { random } from "@arcwise/core";
import type { OnlineLearner } from "./online.ts";
import type { StructuredTask } from "./task.ts";

/** Where training stands within an epoch. Sums are over the examples of the epoch so far. */
export interface OnlineProgress {
  /** From 1. */
  readonly epoch: number;
  /** Examples done in this epoch. */
  readonly done: number;
  readonly cost: number;
  readonly loss: number;
}

/** All that training needs to go on after an epoch, beside the task: the vectors are those of the learner, not copies. */
export interface OnlineState {
  /** Epochs done. */
  readonly epoch: number;
  readonly steps: number;
  readonly values: Float32Array;
  readonly weighted: Float32Array;
}

export interface OnlineTrainingOptions {
  readonly epochs: number;
  readonly seed: number;
  /** Called every few dozen examples and at the end of each epoch. */
  readonly onProgress?: (progress: OnlineProgress) => void;
  /** Called after each epoch, before the next one begins. */
  readonly onEpoch?: (state: OnlineState) => void | Promise<void>;
  /** A state of `onEpoch`: training goes on from it as if it had never stopped. */
  readonly resume?: OnlineState;
  /** Ends training between two examples by throwing the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Milliseconds of work after which the event loop gets a turn: for signals, timers and progress. */
const TURN = 50;

/**
 * Passes over the examples, in an order that depends on the seed and the number of the epoch alone, and
 * updates the learner on each. O(epochs · examples) updates.
 *
 * @throws RangeError when `epochs` is no integer >= 1, or the state to resume from is of another size
 */
export async function trainOnline<Output>(
  task: StructuredTask<Output>,
  learner: OnlineLearner,
  options: OnlineTrainingOptions,
): Promise<void> {
  const { epochs, seed, onProgress, onEpoch, resume, signal } = options;
  if (!Number.isInteger(epochs) || epochs < 1)
    throw new RangeError(`epochs must be an integer >= 1, got ${epochs}`);
  if (resume !== undefined) restore(learner, resume);
  const pause = breather(signal);
  for (let epoch = (resume?.epoch ?? 0) + 1; epoch <= epochs; epoch++) {
    const order = random(seed)
      .fork(epoch)
      .shuffle(Int32Array.from({ length: task.size }, (_, index) => index));
    let cost = 0;
    let loss = 0;
    for (let k = 0; k < order.length; k++) {
      const update = learner.update(task, order[k]!);
      cost += update.cost;
      loss += update.loss;
      if ((await pause()) || k === order.length - 1) onProgress?.({ epoch, done: k + 1, cost, loss });
    }
    const { steps, values, weighted } = learner.weights;
    await onEpoch?.({ epoch, steps, values, weighted });
  }
}

function restore(learner: OnlineLearner, { steps, values, weighted }: OnlineState): void {
  const { weights } = learner;
  if (values.length !== weights.values.length || weighted.length !== weights.values.length) {
    throw new RangeError(`expected a state of ${weights.values.length} weights, got ${values.length}`);
  }
  weights.values.set(values);
  weights.weighted.set(weighted);
  weights.steps = steps;
}

/**
 * A function to call within long work: where `TURN` milliseconds have gone by it lets the event loop turn and
 * answers true. Throws the reason of the signal once that is aborted.
 */
export function breather(signal?: AbortSignal): () => boolean | Promise<boolean> {
  let last = performance.now();
  async function turn(): Promise<boolean> {
    await new Promise<void>((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    last = performance.now();
    return true;
  }
  signal?.throwIfAborted();
  return () => performance.now() - last >= TURN && turn();
}
