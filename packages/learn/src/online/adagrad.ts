import { checkNotNegative, checkPositive } from "../checks.ts";
import type { GradientEntries } from "../gradients.ts";
import type { StochasticSteps } from "./stochastic-steps.ts";
import type { AveragedWeights } from "./weights.ts";

/** Options of AdaGrad. */
export interface AdaGradOptions {
  /** Length of the first step of a weight. Default: 0.1. */
  readonly rate?: number | undefined;
  /** Strength of the penalty l2 / 2 · |w|² added to the loss of each example. Default: 0. */
  readonly l2?: number | undefined;
  /**
   * Added to the root of the sum of a weight's squared gradients, so that gradients far below it do not make
   * full steps. Default: 0.01.
   */
  readonly damping?: number | undefined;
  /** Whether to store what the average over all steps needs. */
  readonly averaged?: boolean | undefined;
}

/**
 * Adaptive subgradient steps (Duchi, Hazan and Singer 2011): each weight has its own step length, rate / h,
 * with h = damping + root of the sum of its squared gradients. The L2 penalty is taken by its proximal step
 * (their section 5), w' = (h w + rate · gradient) / (h + rate · l2), which shrinks a weight without a
 * gradient by a constant factor; so the shrinking of a weight is postponed until it next has a gradient, and
 * is then computed in O(log steps) as a power of that factor, and its average as a geometric sum.
 *
 * All weights are updated when as many gradient entries have arrived as there are weights, and by `flush`: a
 * step costs its non-zeros (amortised), and the weights that a task reads in between lack the shrinking of
 * those few steps.
 */
export class AdaGrad implements StochasticSteps {
  readonly weights: AveragedWeights;
  /** Sum of the squared gradients of each weight. */
  readonly squares: Float32Array;
  readonly memory: Readonly<Record<string, Float32Array>>;
  readonly #rate: number;
  readonly #penalty: number;
  readonly #damping: number;
  readonly #averaged: boolean;
  /** The step up to which each weight has been shrunk. */
  readonly #shrunk: Int32Array;
  #entriesSinceFlush = 0;

  constructor(weights: AveragedWeights, options: AdaGradOptions = {}) {
    const { rate = 0.1, l2 = 0, damping = 0.01, averaged = true } = options;
    checkPositive("rate", rate);
    checkPositive("damping", damping);
    checkNotNegative("l2", l2);
    this.weights = weights;
    this.squares = new Float32Array(weights.values.length);
    this.memory = { squares: this.squares };
    this.#rate = rate;
    this.#penalty = rate * l2;
    this.#damping = damping;
    this.#averaged = averaged;
    this.#shrunk = new Int32Array(l2 > 0 ? weights.values.length : 0);
  }

  /**
   * Makes one step along the gradient of a gain (the negated gradient of a loss). O(its entries), amortised.
   */
  step(gradient: GradientEntries): void {
    if (this.#penalty > 0) this.#stepShrinking(gradient);
    else if (this.#averaged) this.#stepAveraged(gradient);
    else this.#stepFreely(gradient);
    this.weights.steps++;
  }

  /**
   * Makes a step without a penalty. All values are in locals, without branches: the loop is limited by memory
   * alone.
   */
  #stepFreely({ indices, values: amounts, size }: GradientEntries): void {
    const { squares } = this;
    const { values } = this.weights;
    const rate = this.#rate;
    const damping = this.#damping;
    for (let k = 0; k < size; k++) {
      const derivative = amounts[k];
      const i = indices[k];
      const square = Math.fround(squares[i] + derivative * derivative);
      squares[i] = square;
      values[i] += (rate * derivative) / (damping + Math.sqrt(square));
    }
  }

  /** Does the same with the sums that the average needs. */
  #stepAveraged({ indices, values: amounts, size }: GradientEntries): void {
    const { squares } = this;
    const { values, weighted, steps } = this.weights;
    const rate = this.#rate;
    const damping = this.#damping;
    for (let k = 0; k < size; k++) {
      const derivative = amounts[k];
      const i = indices[k];
      const square = Math.fround(squares[i] + derivative * derivative);
      squares[i] = square;
      const change = (rate * derivative) / (damping + Math.sqrt(square));
      values[i] += change;
      weighted[i] += steps * change;
    }
  }

  #stepShrinking({ indices, values: amounts, size }: GradientEntries): void {
    const { squares } = this;
    const { values, weighted, steps } = this.weights;
    for (let k = 0; k < size; k++) {
      const derivative = amounts[k];
      const i = indices[k];
      this.#shrink(i, steps);
      this.#shrunk[i] = steps + 1;
      squares[i] += derivative * derivative;
      const h = this.#damping + Math.sqrt(squares[i]);
      const old = values[i];
      const next = Math.fround((h * old + this.#rate * derivative) / (h + this.#penalty));
      values[i] = next;
      if (this.#averaged) weighted[i] += steps * (next - old);
    }
    this.#entriesSinceFlush += size;
    // The state after this step, which is not counted yet.
    if (this.#entriesSinceFlush >= values.length) this.#flushTo(steps + 1);
  }

  /**
   * Applies postponed shrinking to all weights. Does nothing without a penalty; else O(dimension · log
   * steps).
   */
  flush(): void {
    this.#flushTo(this.weights.steps);
  }

  #flushTo(steps: number): void {
    this.#entriesSinceFlush = 0;
    for (let i = 0; i < this.#shrunk.length; i++) this.#shrink(i, steps);
    this.#shrunk.fill(steps);
  }

  /** Called after the weights were set from outside: nothing is postponed. */
  restored(): void {
    this.#entriesSinceFlush = 0;
    this.#shrunk.fill(this.weights.steps);
  }

  /** Shrinks a weight for the steps up to `to` for which it has not been shrunk. */
  #shrink(i: number, to: number): void {
    const { values, weighted } = this.weights;
    const value = values[i];
    const from = this.#shrunk[i];
    const count = to - from;
    if (count <= 0 || value === 0) return;
    const h = this.#damping + Math.sqrt(this.squares[i]);
    const factor = h / (h + this.#penalty);
    // Computes the power and the sum factor + ... + factor^count over the bits of count, highest first.
    let power = factor;
    let sum = factor;
    for (let bit = 30 - Math.clz32(count); bit >= 0; bit--) {
      sum += power * sum;
      power *= power;
      if (((count >> bit) & 1) === 0) continue;
      sum = factor + factor * sum;
      power *= factor;
    }
    values[i] = value * power;
    // The sum of the weights over the steps so far is steps · w - u, before and after.
    if (this.#averaged) weighted[i] += to * values[i] - from * value - value * sum;
  }
}
