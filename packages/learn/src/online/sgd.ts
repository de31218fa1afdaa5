import { checkNotNegative, checkPositive } from "../checks.ts";
import type { GradientEntries, GradientSink } from "../gradients.ts";
import type { StochasticSteps } from "./stochastic-steps.ts";
import type { AveragedWeights } from "./weights.ts";

/** Options of stochastic gradient descent. */
export interface SgdOptions {
  /** Length of the first step; rate · l2 must not exceed 1. Default: 0.1. */
  readonly rate?: number | undefined;
  /** Step t (from 0) has the length rate / (1 + decay · t). Default: rate · l2, after Bottou (2010). */
  readonly decay?: number | undefined;
  /** Strength of the penalty l2 / 2 · |w|² added to the loss of each example. Default: 0. */
  readonly l2?: number | undefined;
  /** Whether to store what the average over all steps needs. Default: true. */
  readonly averaged?: boolean | undefined;
}

/** The common factor is multiplied into the weights once it has shrunk by this share. */
const STALE = 0.01;

/**
 * Plain stochastic gradient steps: w' = shrink(w, rate · l2) + rate · gradient.
 *
 * All weights shrink by the same factor, which is stored separately (Shalev-Shwartz et al. 2011; Bottou
 * 2012): the weights are v · P, with P the product of the factors of the steps since it was last multiplied
 * into them, and a step costs its non-zeros. P is multiplied into the weights when it is one percent below 1:
 * the weights v that a task reads are too large by at most that. For the average, w is summed over the steps as v times the sum of P.
 */
export class Sgd implements StochasticSteps {
  readonly memory = {};
  readonly #weights: AveragedWeights;
  readonly #rate: number;
  readonly #decay: number;
  readonly #l2: number;
  readonly #averaged: boolean;
  /** P, and the sum of P over the steps: steps before P was last 1 count 1 each. */
  #factor = 1;
  #factorSum: number;
  readonly #direct: DirectSteps;

  constructor(weights: AveragedWeights, options: SgdOptions = {}) {
    const { rate = 0.1, l2 = 0, averaged = true } = options;
    const { decay = rate * l2 } = options;
    checkPositive("rate", rate);
    checkNotNegative("decay", decay);
    checkNotNegative("l2", l2);
    if (rate * l2 > 1) throw new RangeError(`rate · l2 must be <= 1, got ${rate} · ${l2}`);
    this.#weights = weights;
    this.#rate = rate;
    this.#decay = decay;
    this.#l2 = l2;
    this.#averaged = averaged;
    this.#factorSum = weights.steps;
    this.#direct = new DirectSteps(weights, averaged);
  }

  step(gradient: GradientEntries): void {
    const direct = this.begin();
    for (let e = 0; e < gradient.size; e++) direct.add(gradient.indices[e], gradient.values[e]);
    this.end();
  }

  /** Shrinks all weights for the next step. */
  begin(): GradientSink {
    const rate = this.#rate / (1 + this.#decay * this.#weights.steps);
    this.#factor *= 1 - rate * this.#l2;
    if (this.#factor < 1 - STALE) this.flush();
    this.#direct.length = rate / this.#factor;
    this.#direct.before = this.#factorSum;
    return this.#direct;
  }

  end(): void {
    this.#factorSum += this.#factor;
    this.#weights.steps++;
  }

  /** Applies all postponed changes. O(dimension). */
  flush(): void {
    const { values, weighted, steps } = this.#weights;
    const factor = this.#factor;
    if (factor !== 1 || this.#factorSum !== steps) {
      // The sum of a weight over the steps so far is v · (sum of P) - u, and then w · steps - u.
      const lag = this.#averaged ? this.#factorSum : 0;
      for (let i = 0; i < values.length; i++) {
        const old = values[i];
        const next = Math.fround(factor * old);
        values[i] = next;
        if (lag !== 0) weighted[i] += steps * next - lag * old;
      }
    }
    this.restored();
  }

  restored(): void {
    this.#factor = 1;
    this.#factorSum = this.#weights.steps;
  }
}

/** Makes a step while its gradient is added entry by entry. */
class DirectSteps implements GradientSink {
  length = 0;
  /** The sum of the factors before the step. */
  before = 0;
  readonly #weights: AveragedWeights;
  readonly #averaged: boolean;

  constructor(weights: AveragedWeights, averaged: boolean) {
    this.#weights = weights;
    this.#averaged = averaged;
  }

  add(weight: number, derivative: number): void {
    const { values, weighted } = this.#weights;
    const old = values[weight];
    values[weight] = old + this.length * derivative;
    if (this.#averaged) weighted[weight] += this.before * (values[weight] - old);
  }

  addRun(from: number, gradient: Float64Array, count: number): void {
    if (this.#averaged) {
      for (let k = 0; k < count; k++) this.add(from + k, gradient[k]);
      return;
    }
    const { values } = this.#weights;
    const { length } = this;
    for (let k = 0; k < count; k++) values[from + k] += length * gradient[k];
  }
}
