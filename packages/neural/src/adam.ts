import { power } from "@arcwise/core/arithmetic";
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

/** Coefficients of one step, corrected for the zero initial means. */
export interface AdamStep {
  readonly rate: number;
  readonly correction: number;
}
