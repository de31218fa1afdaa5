/**
 * Method of training.
 *
 * - `cd`: coordinate descent, a Newton step on each weight with a line search (Huang, Hsieh, Chang and Lin
 *   2010).
 * - `exact-cd`: traditional coordinate descent, the minimum of each weight with the others fixed, by Newton
 *   steps until they end.
 * - `scgis`: sequential conditional generalised iterative scaling (Goodman 2002).
 * - `gis`: generalised iterative scaling, all weights at once (Darroch and Ratcliff 1972).
 * - `iis`: improved iterative scaling, all weights at once (Della Pietra, Della Pietra and Lafferty 1997).
 * - `lbfgs`: limited-memory BFGS (Liu and Nocedal 1989).
 */
export type MaxentMethod = "cd" | "exact-cd" | "scgis" | "gis" | "iis" | "lbfgs";

/** Options of the training of maximum entropy classifiers. */
export interface MaxentOptions {
  /** Default: `cd`. */
  readonly method?: MaxentMethod | undefined;
  /** Variance of the Gaussian prior of each weight, above 0; Infinity for no prior. Default: 10. */
  readonly variance?: number | undefined;
  /** Maximum number of sweeps over the weights. Default: 100. */
  readonly iterations?: number | undefined;
  /** Stops when an iteration lowers the value by at most this share of it. Default: 1e-6. */
  readonly tolerance?: number | undefined;
  /**
   * Called after each iteration; training ends when it returns false. Its own time does not count as
   * training.
   */
  readonly onIteration?: ((progress: MaxentProgress) => boolean | undefined) | undefined;
  /** Initial weights, such as the weights of a former `onIteration`. Default: 0. */
  readonly initial?: ArrayLike<number> | undefined;
  /** Clock in milliseconds, of the wall or of the processor. Default: `performance.now`. */
  readonly clock?: (() => number) | undefined;
}

/** The state of a maximum entropy training after an iteration. */
export interface MaxentProgress {
  /** Number of iterations done. */
  readonly iteration: number;
  /** Value of the objective at the weights. */
  readonly value: number;
  /** Seconds of training until these weights. */
  readonly seconds: number;
  /** The array of the trainer, not a copy. */
  readonly weights: Float64Array;
}

/** The end of a maximum entropy training. */
export interface MaxentResult extends MaxentProgress {
  /** Whether the last iteration was within the tolerance. */
  readonly converged: boolean;
}

export const METHODS: ReadonlySet<string> = new Set(["cd", "exact-cd", "scgis", "gis", "iis", "lbfgs"]);

/** Counts the iterations of a training, records their values and times, and decides when it ends. */
export class Course {
  readonly weights: Float64Array;
  readonly #iterations: number;
  readonly #tolerance: number;
  readonly #onIteration: MaxentOptions["onIteration"];
  readonly #clock: () => number;
  readonly #begin: number;
  #callbackTime = 0;
  #iteration = 0;
  #value = Infinity;
  #seconds = 0;
  #converged = false;

  constructor(weights: Float64Array, iterations: number, tolerance: number, options: MaxentOptions) {
    const { onIteration, clock = () => performance.now() } = options;
    this.weights = weights;
    this.#iterations = iterations;
    this.#tolerance = tolerance;
    this.#onIteration = onIteration;
    this.#clock = clock;
    this.#begin = clock();
  }

  /** Seconds of training so far. */
  seconds(): number {
    return (this.#clock() - this.#begin - this.#callbackTime) / 1000;
  }

  /**
   * Ends an iteration that found the current weights, with some value, at `seconds`. @returns whether to
   * continue
   */
  done(value: number, seconds = this.seconds()): boolean {
    if (!Number.isFinite(value)) throw new RangeError(`scores are out of range: the value is ${value}`);
    const before = this.#clock();
    this.#converged = this.#value - value <= this.#tolerance * Math.abs(value);
    this.#iteration++;
    this.#value = value;
    this.#seconds = seconds;
    const goesOn = this.#onIteration?.(this.#progress()) !== false;
    this.#callbackTime += this.#clock() - before;
    return goesOn && !this.#converged && this.#iteration < this.#iterations;
  }

  /** Sets the value of the initial weights. */
  begin(value: number): void {
    this.#value = value;
  }

  #progress(): MaxentProgress {
    return {
      iteration: this.#iteration,
      value: this.#value,
      seconds: this.#seconds,
      weights: this.weights,
    };
  }

  result(): MaxentResult {
    return { ...this.#progress(), converged: this.#converged };
  }
}
