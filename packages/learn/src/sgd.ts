import type { SparseVector } from "@arcwise/core";
import { checkNotNegative, checkPositive } from "./checks.ts";
import type { StochasticSteps } from "./steps.ts";
import type { AveragedWeights } from "./weights.ts";

export interface SgdOptions {
  /** Length of the first step; rate · l2 must not exceed 1. Default: 0.1. */
  readonly rate?: number;
  /** Step t (from 0) has the length rate / (1 + decay · t). Default: rate · l2, after Bottou (2010). */
  readonly decay?: number;
  /** Strength of the penalty l2 / 2 · |w|² beside each example's loss. Default: 0. */
  readonly l2?: number;
  /** Strength of the penalty l1 · Σ |w_i|, which leaves most weights at exactly 0. Default: 0. */
  readonly l1?: number;
  /** Whether to keep what the average over all steps needs. Default: true without l1; with l1 there is no average. */
  readonly averaged?: boolean;
}

/** Weights that wait are brought up to date once shrinking has changed them by this share. */
const STALE = 0.01;
/** ... or after so many steps. */
const MOST_STEPS = 1 << 16;

/**
 * Stochastic gradient steps, w' = shrink(w, rate · l2) + rate · slope, and for an L1 penalty the truncated gradient
 * (Langford, Li and Zhang 2009): each step brings every weight nearer to 0 by rate · l1, but not past it.
 *
 * Penalties of weights without a slope are put off. With P_k the product of the shrinking factors of the k steps since
 * all weights were last up to date, w / P loses rate · l1 / P a step; so the weight of now, and the sum of its values,
 * follow from three running sums (the cumulative penalty of Tsuruoka, Tsujii and Ananiadou 2009, with an L2 penalty
 * beside it). A step costs its non-zeros; all weights are brought up to date when as many slopes have come as there are
 * weights, or shrinking has come to one percent. What a task reads meanwhile lags behind by no more than that.
 */
export class Sgd implements StochasticSteps {
  readonly memory = {};
  readonly #weights: AveragedWeights;
  readonly #rate: number;
  readonly #decay: number;
  readonly #l2: number;
  readonly #l1: number;
  readonly #averaged: boolean;
  /** Steps since the last flush after which each weight was up to date. */
  readonly #upToDate: Int32Array;
  /** Per step since the last flush: the product of shrinking factors, the sum of products, and the pull to 0. */
  #products = new Float64Array(64);
  #sums = new Float64Array(64);
  #pulls = new Float64Array(64);
  #sinceFlush = 0;
  #slopesSinceFlush = 0;

  /** @throws RangeError when an option is out of its range, or averages are asked for beside l1 */
  constructor(weights: AveragedWeights, options: SgdOptions = {}) {
    const { rate = 0.1, l2 = 0, l1 = 0 } = options;
    const { decay = rate * l2, averaged = l1 === 0 } = options;
    checkPositive("rate", rate);
    checkNotNegative("decay", decay);
    checkNotNegative("l2", l2);
    checkNotNegative("l1", l1);
    if (rate * l2 > 1) throw new RangeError(`rate · l2 must be <= 1, got ${rate} · ${l2}`);
    if (averaged && l1 > 0) throw new RangeError("an l1 penalty and averaging exclude each other");
    this.#weights = weights;
    this.#rate = rate;
    this.#decay = decay;
    this.#l2 = l2;
    this.#l1 = l1;
    this.#averaged = averaged;
    this.#upToDate = new Int32Array(l1 > 0 || l2 > 0 ? weights.values.length : 0);
    this.#products[0] = 1;
  }

  step(slopes: SparseVector): void {
    const weights = this.#weights;
    const { values, weighted, steps } = weights;
    const { indices, values: amounts, size } = slopes;
    const rate = this.#rate / (1 + this.#decay * steps);
    const shrink = 1 - rate * this.#l2;
    const pull = rate * this.#l1;
    const k = this.#sinceFlush;
    const penalised = this.#upToDate.length > 0;
    for (let e = 0; e < size; e++) {
      const i = indices[e]!;
      if (penalised) {
        if (this.#upToDate[i]! < k) this.#catchUp(i, k);
        this.#upToDate[i] = k + 1;
      }
      const old = values[i]!;
      const next = Math.fround(softened(shrink * old + rate * amounts[e]!, pull));
      values[i] = next;
      if (this.#averaged) weighted[i]! += steps * (next - old);
    }
    weights.steps++;
    if (!penalised) return;
    this.#note(shrink, pull);
    this.#slopesSinceFlush += size;
    const isStale = this.#products[k + 1]! < 1 - STALE || k + 1 >= MOST_STEPS;
    if (isStale || this.#slopesSinceFlush >= values.length) this.flush();
  }

  flush(): void {
    const k = this.#sinceFlush;
    for (let i = 0; i < this.#upToDate.length; i++) if (this.#upToDate[i]! < k) this.#catchUp(i, k);
    this.restored();
  }

  restored(): void {
    this.#sinceFlush = 0;
    this.#slopesSinceFlush = 0;
    this.#upToDate.fill(0);
  }

  /** Appends a step to the running sums. */
  #note(shrink: number, pull: number): void {
    const k = this.#sinceFlush++;
    if (k + 1 === this.#products.length) {
      this.#products = doubled(this.#products);
      this.#sums = doubled(this.#sums);
      this.#pulls = doubled(this.#pulls);
    }
    const product = this.#products[k]! * shrink;
    this.#products[k + 1] = product;
    this.#sums[k + 1] = this.#sums[k]! + product;
    this.#pulls[k + 1] = this.#pulls[k]! + (pull > 0 ? pull / product : 0);
  }

  /** Takes the penalties of the steps that a weight has not seen, up to k since the last flush. */
  #catchUp(i: number, k: number): void {
    const { values, weighted, steps } = this.#weights;
    const value = values[i]!;
    if (value === 0) return;
    const from = this.#upToDate[i]!;
    const before = this.#products[from]!;
    const pulled = softened(value / before, this.#pulls[k]! - this.#pulls[from]!);
    const next = Math.fround(this.#products[k]! * pulled);
    values[i] = next;
    if (!this.#averaged) return;
    // The sum of the weights over the steps so far is steps · w - u, before and after. `steps` counts those before
    // the step in hand, and k of them came after the flush.
    const flushed = steps - this.#sinceFlush;
    const sum = (value / before) * (this.#sums[k]! - this.#sums[from]!);
    weighted[i]! += (flushed + k) * next - (flushed + from) * value - sum;
  }
}

/** The value brought nearer to 0 by `pull`, but not past it. */
function softened(value: number, pull: number): number {
  if (value > pull) return value - pull;
  return value < -pull ? value + pull : 0;
}

function doubled(array: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(2 * array.length);
  longer.set(array);
  return longer;
}
