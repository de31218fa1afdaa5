import { power } from "@arcwise/core/arithmetic";
import type { EmbeddingShape } from "./layers/embedding.ts";
import type { MatrixMemory } from "./matrices.ts";
import type { Parameters } from "./parameters.ts";

/**
 * Decay of the means of gradients and of their squares (Dozat and Manning 2017): short, since batches are
 * small.
 */
const DECAY = 0.9;
const SQUARE_DECAY = 0.9;
const EPSILON = 1e-8;

/**
 * Adam (Kingma and Ba 2015): moves each parameter against the mean of its gradients, in units of their root
 * mean square. Means of a parameter change only in steps that update it.
 *
 * Memory: two entries per parameter.
 */
export class Adam {
  /** Steps made. */
  steps = 0;
  readonly #memory: MatrixMemory;
  readonly #parameters: Parameters;
  /** Offsets of the means of gradients and of their squares. */
  readonly #means: number;
  readonly #squares: number;

  /** @param parameters with gradients; their number is a multiple of `LANES` */
  constructor(parameters: Parameters) {
    const { memory, size } = parameters;
    this.#memory = memory;
    this.#parameters = parameters;
    this.#means = memory.allocate(size);
    this.#squares = memory.allocate(size);
  }

  /** Views of the means of gradients and of their squares: with `steps`, what a resumed training needs. */
  get state(): { readonly means: Float32Array; readonly squares: Float32Array } {
    const { values } = this.#memory;
    const { size } = this.#parameters;
    return {
      means: values.subarray(this.#means, this.#means + size),
      squares: values.subarray(this.#squares, this.#squares + size),
    };
  }

  /**
   * Begins a step: `rate` is the approximate change of each parameter. Call `update` for every range that has
   * gradients.
   */
  begin(rate: number): AdamStep {
    this.steps++;
    return {
      rate: rate / (1 - power(DECAY, this.steps)),
      correction: 1 / (1 - power(SQUARE_DECAY, this.steps)),
    };
  }

  /**
   * Moves the parameters from index `from` to before `end`, both multiples of `LANES`, and clears their
   * gradients. O(end - from).
   *
   * @param factor multiplies the gradients first: 1 / examples for the mean of their losses
   */
  update({ rate, correction }: AdamStep, from: number, end: number, factor: number): void {
    const { first, gradient } = this.#parameters;
    const at = first + from;
    // Literals, not spreads: this is called for each embedding of a batch.
    this.#memory.adam(
      {
        at,
        length: end - from,
        gradients: at + gradient,
        means: this.#means + from,
        squares: this.#squares + from,
      },
      { factor, decay: DECAY, squareDecay: SQUARE_DECAY, rate, correction, epsilon: EPSILON },
    );
  }
}

/** Share of the initial rate at the end of a training. */
const LAST_RATE = 0.05;

/**
 * Returns the rate of a step, which falls linearly to a twentieth of the initial one.
 *
 * @param progress share of the training that is done, from 0 to 1
 */
export function fallingRate(rate: number, progress: number): number {
  return rate * (1 - (1 - LAST_RATE) * progress);
}

/** A step of a `LazyAdam`. */
export interface LazyStep {
  /** Approximate change of each parameter of the layers. */
  readonly rate: number;
  /** Multiplies the gradients first: 1 / examples for the mean of their losses. */
  readonly factor: number;
  /** Rows of the embedding that have gradients; repeated ones count once. */
  readonly rows: Iterable<number>;
}

/**
 * Adam for a network whose first parameters are an embedding: of that, a step updates only the rows that the
 * examples looked up, and of the layers after it, all parameters. O(rows · units + parameters of layers) per
 * step.
 */
export class LazyAdam extends Adam {
  readonly #size: number;
  readonly #embedding: Pick<EmbeddingShape, "entries" | "units">;
  readonly #rateFactor: number;

  /**
   * @param embedding begins at the first parameter
   * @param rateFactor by which embeddings move faster than layers, since each is in few steps
   */
  constructor(
    parameters: Parameters,
    embedding: Pick<EmbeddingShape, "entries" | "units">,
    { rateFactor = 1 }: { readonly rateFactor?: number | undefined } = {},
  ) {
    super(parameters);
    this.#size = parameters.size;
    this.#embedding = embedding;
    this.#rateFactor = rateFactor;
  }

  /** Makes a step, and clears the gradients that it used. */
  step({ rate, factor, rows }: LazyStep): void {
    const { entries, units } = this.#embedding;
    const step = this.begin(rate);
    const faster = { ...step, rate: this.#rateFactor * step.rate };
    for (const row of new Set(rows)) this.update(faster, row * units, (row + 1) * units, factor);
    this.update(step, entries * units, this.#size, factor);
  }
}

/** Coefficients of one step, corrected for the zero initial means. */
export interface AdamStep {
  readonly rate: number;
  readonly correction: number;
}
