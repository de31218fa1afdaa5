import { Adam } from "./adam.ts";
import type { EmbeddingShape } from "./layers/embedding.ts";
import type { Parameters } from "./parameters.ts";

/** Share of the initial rate at the end of a training. */
const LAST_RATE = 0.05;

/** The loss of some examples, whose gradients were added to the gradients of the parameters. */
export interface BatchLoss {
  /** Sum of the losses of `count` units, such as words. A step follows the mean of their gradients. */
  readonly loss: number;
  readonly count: number;
  /** Rows of the embedding that have gradients; repeated ones count once. */
  readonly rows: Iterable<number>;
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
  /** Approximate change of each parameter of the layers in the first step; it falls linearly to a twentieth. */
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
 * Trains a network whose first parameters are an embedding, by Adam: of the embedding, a step updates only the rows that
 * the examples looked up, and of the layers after it, all parameters. O(rows · units + parameters of layers) per step.
 */
export class Trainer {
  readonly #parameters: Parameters;
  readonly #embedding: Pick<EmbeddingShape, "entries" | "units">;
  readonly #rateFactor: number;
  readonly #adam: Adam;

  /**
   * @param embedding begins at the first parameter
   * @param rateFactor by which embeddings move faster than layers, since each is in few steps
   */
  constructor(
    parameters: Parameters,
    embedding: Pick<EmbeddingShape, "entries" | "units">,
    { rateFactor = 1 }: { readonly rateFactor?: number | undefined } = {},
  ) {
    this.#parameters = parameters;
    this.#embedding = embedding;
    this.#rateFactor = rateFactor;
    this.#adam = new Adam(parameters);
  }

  /** A copy of the state. O(parameters). */
  get state(): Required<TrainerState> {
    const { means, squares } = this.#adam.state;
    return {
      steps: this.#adam.steps,
      parameters: this.#parameters.values.slice(),
      memory: { means: means.slice(), squares: squares.slice() },
    };
  }

  /** Begins or resumes a training. O(parameters). */
  restore({ steps, parameters, memory }: TrainerState): void {
    const { means, squares } = this.#adam.state;
    this.#parameters.values.set(parameters);
    if (memory === undefined) for (const vector of [means, squares]) vector.fill(0);
    else {
      means.set(memory.means);
      squares.set(memory.squares);
    }
    this.#adam.steps = steps;
  }

  /** Makes a step, and clears the gradients that it used. */
  step(rate: number, { count, rows }: Omit<BatchLoss, "loss">): void {
    const { entries, units } = this.#embedding;
    const factor = 1 / Math.max(1, count);
    const step = this.#adam.begin(rate);
    const faster = { ...step, rate: this.#rateFactor * step.rate };
    for (const row of new Set(rows)) this.#adam.update(faster, row * units, (row + 1) * units, factor);
    this.#adam.update(step, entries * units, this.#parameters.size, factor);
  }

  /** Trains for an epoch, one step per batch; returns the mean loss of the epoch. */
  async learnEpoch<Example>(run: TrainerEpoch<Example>): Promise<number> {
    const { epoch, epochs, rate, batches, learn, onStep, pause } = run;
    const total = batches.reduce((sum, { length }) => sum + length, 0);
    let [done, loss, count] = [0, 0, 0];
    for (const batch of batches) {
      const learned = learn(batch, this.#adam.steps);
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
