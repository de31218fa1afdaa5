import { exp, log } from "@arcwise/core/arithmetic";
import type { MaxentDesign } from "./design.ts";

/** Returns the part of the objective without the totals: |w|² / (2 variance) - counts · w. */
export function penalty({ counts }: MaxentDesign, weights: Float64Array, variance: number): number {
  let sum = 0;
  for (let t = 0; t < counts.length; t++) sum += weights[t] * (weights[t] / (2 * variance) - counts[t]);
  return sum;
}

/**
 * Passes over the events that compute, for each, the scores and probabilities of all classes. The weights of
 * a feature are adjacent, so that memory is read in runs. A pass takes O(non-zeros + events · classes), and
 * O(classes) of memory.
 */
export class Rows {
  readonly #design: MaxentDesign;
  readonly #scores: Float64Array;

  constructor(design: MaxentDesign) {
    this.#design = design;
    this.#scores = new Float64Array(design.classes.length);
  }

  /** Writes T_w(x), the sum over the classes of exp(score), for each event. */
  totals(weights: Float64Array, into: Float64Array): void {
    for (let event = 0; event < into.length; event++) {
      this.#score(event, weights);
      into[event] = this.#exponentiate(0);
    }
  }

  /**
   * Adds to `into`, for each weight, the sum over the events that have its feature of its value times the
   * probability of its class.
   *
   * @returns the sum over the events of -log p(class)
   */
  expectations(weights: Float64Array, into: Float64Array): number {
    const { events, eventClass } = this.#design;
    const scores = this.#scores;
    let loss = 0;
    for (let event = 0; event < events; event++) {
      this.#score(event, weights);
      const label = eventClass[event];
      let best = -Infinity;
      for (let y = 0; y < scores.length; y++) if (scores[y] > best) best = scores[y];
      const gold = scores[label];
      const sum = this.#exponentiate(best);
      loss += log(sum) + best - gold;
      this.#spread(event, 1 / sum, into);
    }
    return loss;
  }

  #score(event: number, weights: Float64Array): void {
    const { eventStart, eventFeatures, eventValues, weightStart, weightClass } = this.#design;
    const scores = this.#scores;
    scores.fill(0);
    const end = eventStart[event + 1];
    for (let k = eventStart[event]; k < end; k++) {
      const feature = eventFeatures[k];
      const last = weightStart[feature + 1];
      const value = eventValues === undefined ? 1 : eventValues[k];
      for (let t = weightStart[feature]; t < last; t++) scores[weightClass[t]] += value * weights[t];
    }
  }

  /** Replaces scores by exp(score - shift). @returns their sum */
  #exponentiate(shift: number): number {
    const scores = this.#scores;
    const unscored = exp(-shift);
    let sum = 0;
    for (let y = 0; y < scores.length; y++) {
      const score = scores[y];
      const value = score === 0 ? unscored : exp(score - shift);
      scores[y] = value;
      sum += value;
    }
    return sum;
  }

  #spread(event: number, scale: number, into: Float64Array): void {
    const { eventStart, eventFeatures, eventValues, weightStart, weightClass } = this.#design;
    const shares = this.#scores;
    for (let y = 0; y < shares.length; y++) shares[y] *= scale;
    const end = eventStart[event + 1];
    for (let k = eventStart[event]; k < end; k++) {
      const feature = eventFeatures[k];
      const last = weightStart[feature + 1];
      const value = eventValues === undefined ? 1 : eventValues[k];
      for (let t = weightStart[feature]; t < last; t++) into[t] += value * shares[weightClass[t]];
    }
  }
}
