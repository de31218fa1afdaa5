import { power } from "@arcwise/core/arithmetic";
import type { AdamNumbers } from "./kernel-steps.ts";
import type { EmbeddingShape } from "./layers/embedding.ts";
import type { Parameters } from "./parameters.ts";

/**
 * Decay of the means of gradients and of their squares (Dozat and Manning 2017): short, since batches are
 * small.
 */
const DECAY = 0.9;
const SQUARE_DECAY = 0.9;
const EPSILON = 1e-8;
/** Share of the initial rate at the end of a training. */
const LAST_RATE = 0.05;

/** The loss of some examples, whose gradients were added to the gradients of the parameters. */
export interface BatchLoss {
  /** Sum of the losses of `count` units, such as words. A step follows the mean of their gradients. */
  readonly loss: number;
  readonly count: number;
  /** Rows of the embedding that have gradients; repeated ones count once. Default: none. */
  readonly rows?: Iterable<number> | undefined;
}

/** The state of a training, with which it resumes to the same bits. */
export interface TrainerState {
  readonly steps: number;
  readonly parameters: Float32Array;
  /** The means of gradients and of their squares; absent: 0. */
  readonly memory?: { readonly means: Float32Array; readonly squares: Float32Array } | undefined;
}

/** An epoch of a training. */
export interface TrainerEpoch<Example> {
  /** From 1. */
  readonly epoch: number;
  readonly epochs: number;
  /** Rate of the first step; it falls linearly to a twentieth. */
  readonly rate: number;
  /** The examples of each step. */
  readonly batches: readonly (readonly Example[])[];
  /** Adds the gradients of a batch. @param step number of steps before, in all epochs */
  readonly learn: (batch: readonly Example[], step: number) => BatchLoss;
  /** Called after each step with the share of the epoch that is done, and the mean loss so far. */
  readonly onStep?: ((share: number, loss: number) => void) | undefined;
  /** Called after each step and awaited; may throw to end the training. */
  readonly pause: () => unknown;
}

/**
 * Trains a network by Adam (Kingma and Ba 2015): a step moves each parameter against the mean of its gradients, in units of
 * their root mean square. Of an embedding, a step moves only the rows that the examples looked up.
 *
 * Memory: two entries per parameter.
 */
export class Trainer {
  readonly #parameters: Parameters;
  readonly #embedding: Pick<EmbeddingShape, "entries" | "units">;
  readonly #rateFactor: number;
  /** Offsets of the means of gradients and of their squares. */
  readonly #means: number;
  readonly #squares: number;
  #steps = 0;

  /**
   * @param parameters with gradients; their number is a multiple of `LANES`
   * @param embedding begins at the first parameter; default: there is none
   * @param rateFactor by which embeddings move faster than layers, since each is in few steps
   */
  constructor(
    parameters: Parameters,
    embedding: Pick<EmbeddingShape, "entries" | "units"> = { entries: 0, units: 0 },
    { rateFactor = 1 }: { readonly rateFactor?: number | undefined } = {},
  ) {
    const { memory, size } = parameters;
    this.#parameters = parameters;
    this.#embedding = embedding;
    this.#rateFactor = rateFactor;
    this.#means = memory.allocate(size);
    this.#squares = memory.allocate(size);
  }

  /** A copy of the state. O(parameters). */
  get state(): Required<TrainerState> {
    const [parameters, means, squares] = this.#views().map((view) => view.slice());
    return { steps: this.#steps, parameters: parameters!, memory: { means: means!, squares: squares! } };
  }

  /** Begins or resumes a training. O(parameters). */
  restore({ steps, parameters, memory }: TrainerState): void {
    const vectors = [parameters, memory?.means, memory?.squares];
    for (const [k, view] of this.#views().entries()) view.set(vectors[k] ?? new Float32Array(view.length));
    this.#steps = steps;
  }

  #views(): Float32Array[] {
    const { memory, first, size } = this.#parameters;
    return [first, this.#means, this.#squares].map((at) => memory.values.subarray(at, at + size));
  }

  /**
   * Makes a step, and clears the gradients that it used. O(rows · units + parameters after the embedding).
   *
   * @param rate approximate change of each parameter
   */
  step(rate: number, { count, rows = [] }: Omit<BatchLoss, "loss">): void {
    const { entries, units } = this.#embedding;
    this.#steps++;
    const numbers = {
      factor: 1 / Math.max(1, count),
      decay: DECAY,
      squareDecay: SQUARE_DECAY,
      rate: rate / (1 - power(DECAY, this.#steps)),
      correction: 1 / (1 - power(SQUARE_DECAY, this.#steps)),
      epsilon: EPSILON,
    };
    const faster = { ...numbers, rate: this.#rateFactor * numbers.rate };
    for (const row of new Set(rows)) this.#update(row * units, units, faster);
    this.#update(entries * units, this.#parameters.size - entries * units, numbers);
  }

  /** Moves `length` parameters, a multiple of `LANES`, and clears their gradients. */
  #update(from: number, length: number, numbers: AdamNumbers): void {
    const { memory, first, gradient } = this.#parameters;
    const at = first + from;
    const means = this.#means + from;
    memory.adam({ at, length, gradients: at + gradient, means, squares: this.#squares + from }, numbers);
  }

  /** Trains for an epoch, one step per batch; returns the mean loss of the epoch. */
  async learnEpoch<Example>(run: TrainerEpoch<Example>): Promise<number> {
    const { epoch, epochs, rate, batches, learn, onStep, pause } = run;
    const total = batches.reduce((sum, { length }) => sum + length, 0);
    let [done, loss, count] = [0, 0, 0];
    for (const batch of batches) {
      const learned = learn(batch, this.#steps);
      this.step(fallingRate(rate, ((epoch - 1) * total + done) / (epochs * total)), learned);
      done += batch.length;
      loss += learned.loss;
      count += learned.count;
      onStep?.(done / total, loss / Math.max(1, count));
      await pause();
    }
    return loss / Math.max(1, count);
  }
}

/** Returns the rate of a step. @param progress share of the training that is done, from 0 to 1 */
export function fallingRate(rate: number, progress: number): number {
  return rate * (1 - (1 - LAST_RATE) * progress);
}
