import type { MatrixMemory } from "./matrices.ts";

/** Decay of the means of slopes and of their squares (Dozat and Manning 2017): a short memory, since batches are small. */
const DECAY = 0.9;
const SQUARE_DECAY = 0.9;
const LEAST = 1e-8;

/**
 * Adam (Kingma and Ba 2015): steps down the mean slope of each parameter, in units of its usual size. Parameters that no
 * sentence of a batch touches keep what is known of them.
 */
export class Adam {
  /** Steps made. */
  steps = 0;
  readonly #memory: MatrixMemory;
  readonly #size: number;
  /** Where parameters, their slopes, means and means of squares lie. */
  readonly #first: number;
  readonly #slopes: number;
  readonly #means: number;
  readonly #squares: number;

  /** @param size number of parameters, a multiple of `LANES` as all ranges are */
  constructor(memory: MatrixMemory, first: number, slopes: number, size: number) {
    this.#memory = memory;
    this.#size = size;
    this.#first = first;
    this.#slopes = slopes;
    this.#means = memory.allocate(size);
    this.#squares = memory.allocate(size);
  }

  /** Means of slopes and of their squares: what a training that goes on later has to keep. */
  get state(): { readonly means: Float32Array; readonly squares: Float32Array } {
    const { values } = this.#memory;
    return {
      means: values.subarray(this.#means, this.#means + this.#size),
      squares: values.subarray(this.#squares, this.#squares + this.#size),
    };
  }

  /** Begins a step of a length. */
  begin(rate: number): Step {
    this.steps++;
    return { rate: rate / (1 - DECAY ** this.steps), correction: 1 / (1 - SQUARE_DECAY ** this.steps) };
  }

  /** Steps with the parameters of a range, and clears their slopes, which are multiplied by a factor. */
  update({ rate, correction }: Step, from: number, end: number, factor: number): void {
    const first = this.#first;
    const distances = [this.#slopes - first, this.#means - first, this.#squares - first] as const;
    this.#memory.adam(first + from, end - from, distances, {
      factor,
      decay: DECAY,
      squareDecay: SQUARE_DECAY,
      rate,
      correction,
      least: LEAST,
    });
  }
}

/** Length of a step, and a correction of the squares: means began at 0. */
interface Step {
  readonly rate: number;
  readonly correction: number;
}
