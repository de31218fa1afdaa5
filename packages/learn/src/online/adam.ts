import { power } from "@arcwise/core/arithmetic";
import { checkNotNegative, checkPositive } from "../checks.ts";
import type { GradientEntries } from "../gradients.ts";
import type { StochasticSteps } from "./stochastic-steps.ts";
import type { AveragedWeights } from "./weights.ts";

/** Options of Adam. */
export interface AdamOptions {
  /** Length of the first step of a weight. Default: 0.01. */
  readonly rate?: number | undefined;
  /** Step t (from 0) is divided by the root of 1 + decay · t. Default: 0. */
  readonly decay?: number | undefined;
  /** Added to the root of the mean square. Default: 1e-8. */
  readonly damping?: number | undefined;
  /** Strength of the penalty l2 / 2 · |w|² added to the loss of each example. Default: 0. */
  readonly l2?: number | undefined;
  /** Whether to store what the average over all steps needs. Default: true. */
  readonly averaged?: boolean | undefined;
}

/** Decay of the mean of gradients, and of the mean of their squares. */
const KEEP_MEAN = 0.9;
const KEEP_SQUARE = 0.999;

/**
 * Adam (Kingma and Ba 2015) for sparse gradients: the means of a weight's gradients and of their squares
 * change only when it has a gradient, and only then does it move. The gradient of its penalty is taken then
 * too, times the number of steps since the last time. A step costs its non-zeros, and nothing is postponed.
 *
 * `@arcwise/neural` has a separate Adam: a WebAssembly kernel over dense ranges of matrix memory, without
 * averages or penalties.
 */
export class Adam implements StochasticSteps {
  readonly memory: Readonly<Record<string, Float32Array>>;
  readonly #means: Float32Array;
  readonly #squares: Float32Array;
  /** The last step in which each weight had a gradient. Not used without a penalty. */
  readonly #seen: Float32Array;
  readonly #weights: AveragedWeights;
  readonly #options: { readonly [Name in keyof AdamOptions]-?: Exclude<AdamOptions[Name], undefined> };

  constructor(weights: AveragedWeights, options: AdamOptions = {}) {
    const { rate = 0.01, decay = 0, damping = 1e-8, l2 = 0, averaged = true } = options;
    checkPositive("rate", rate);
    checkPositive("damping", damping);
    checkNotNegative("decay", decay);
    checkNotNegative("l2", l2);
    this.#options = { rate, decay, damping, l2, averaged };
    this.#weights = weights;
    const { length } = weights.values;
    this.#means = new Float32Array(length);
    this.#squares = new Float32Array(length);
    // Step numbers are exact below 2^24; beyond, the number of steps waited has seven correct digits.
    this.#seen = new Float32Array(l2 > 0 ? length : 0);
    const moments = { means: this.#means, squares: this.#squares };
    this.memory = l2 > 0 ? { ...moments, seen: this.#seen } : moments;
  }

  step(gradient: GradientEntries): void {
    const weights = this.#weights;
    const { values, weighted, steps } = weights;
    const means = this.#means;
    const squares = this.#squares;
    const seen = this.#seen;
    const { indices, values: amounts, size } = gradient;
    const { rate, decay, damping, l2, averaged } = this.#options;
    const t = steps + 1;
    // Means start at 0: correct their bias.
    const wholeSquare = 1 - power(KEEP_SQUARE, t);
    const length = rate / Math.sqrt(1 + decay * steps) / (1 - power(KEEP_MEAN, t));
    for (let e = 0; e < size; e++) {
      const i = indices[e];
      const old = values[i];
      let derivative = amounts[e];
      if (l2 > 0) {
        derivative -= l2 * (t - seen[i]) * old;
        seen[i] = t;
      }
      const mean = KEEP_MEAN * means[i] + (1 - KEEP_MEAN) * derivative;
      const square = KEEP_SQUARE * squares[i] + (1 - KEEP_SQUARE) * derivative * derivative;
      means[i] = mean;
      squares[i] = square;
      const next = Math.fround(old + (length * mean) / (Math.sqrt(square / wholeSquare) + damping));
      values[i] = next;
      if (averaged) weighted[i] += steps * (next - old);
    }
    weights.steps++;
  }

  flush(): void {}

  restored(): void {}
}
