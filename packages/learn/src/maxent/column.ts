import { exp, expm1, log, log1p } from "@arcwise/core/arithmetic";
import type { MaxentDesign } from "./design.ts";

/** Products of ratios are converted to logarithms before they overflow or underflow. */
const LARGE = 2 ** 900;
const SMALL = 2 ** -900;

/**
 * The probabilities of one class at all events, updated as the weights of that class change one at a time:
 * P(y|x) = S(x, y) / T(x), with the total T(x) of all classes. When weight t changes by d, both change only
 * at the events of its feature, by the factors exp(d v) and 1 + P (exp(d v) - 1) for its value v; so a step
 * costs the non-zeros of its column.
 *
 * Classes are visited in sequence, and S of a class is recomputed from its weights each time. This
 * costs a third pass over the non-zeros, but takes O(events) of memory instead of events · classes, which
 * fits a cache where the matrix of all S does not; and rounding errors do not accumulate from one sweep to
 * the next.
 */
export class ClassColumn {
  /** T(x) of each event, under the current weights. */
  readonly totals: Float64Array;
  /** P(y|x) of each event for the class that was entered last. */
  readonly probabilities: Float64Array;
  readonly #design: MaxentDesign;
  /** T(x) recomputed from the classes that were left since `beginSweep`. */
  #nextTotals: Float64Array;

  constructor(design: MaxentDesign, totals: Float64Array) {
    this.#design = design;
    this.totals = totals;
    this.probabilities = new Float64Array(design.events);
    this.#nextTotals = new Float64Array(design.events);
  }

  beginSweep(): void {
    this.#nextTotals.fill(0);
  }

  /** Starts work on a class. */
  enter(label: number, weights: Float64Array): void {
    const { classStart, classWeights, weightFeature, featureStart, featureEvents } = this.#design;
    const { featureValues } = this.#design;
    const { probabilities, totals } = this;
    probabilities.fill(0);
    for (let k = classStart[label]; k < classStart[label + 1]; k++) {
      const t = classWeights[k];
      const weight = weights[t];
      if (weight === 0) continue;
      const feature = weightFeature[t];
      const end = featureStart[feature + 1];
      for (let e = featureStart[feature]; e < end; e++) {
        probabilities[featureEvents[e]] += featureValues === undefined ? weight : weight * featureValues[e];
      }
    }
    for (let x = 0; x < probabilities.length; x++) {
      const score = probabilities[x];
      probabilities[x] = (score === 0 ? 1 : exp(score)) / totals[x];
    }
  }

  /** Ends work on the class: adds its share to the totals of the next sweep. */
  leave(): void {
    const { probabilities, totals } = this;
    const next = this.#nextTotals;
    for (let x = 0; x < next.length; x++) next[x] += probabilities[x] * totals[x];
  }

  /** Ends a sweep: takes the recomputed totals. @returns the sum of their logarithms */
  endSweep(): number {
    const { totals } = this;
    totals.set(this.#nextTotals);
    let sum = 0;
    for (let x = 0; x < totals.length; x++) sum += log(totals[x]);
    return sum;
  }

  /** Returns the sum over the events of a feature of its value v times P. */
  expectation(feature: number): number {
    const { featureStart, featureEvents, featureValues } = this.#design;
    const { probabilities } = this;
    const end = featureStart[feature + 1];
    let sum = 0;
    if (featureValues === undefined) {
      for (let e = featureStart[feature]; e < end; e++) sum += probabilities[featureEvents[e]];
      return sum;
    }
    for (let e = featureStart[feature]; e < end; e++) {
      sum += featureValues[e] * probabilities[featureEvents[e]];
    }
    return sum;
  }

  /**
   * Returns the sum over the events of a feature of its variance, v² P (1 - P).
   *
   * @param expectation `expectation(feature)`
   */
  variance(feature: number, expectation: number): number {
    const { featureStart, featureEvents, featureValues } = this.#design;
    const { probabilities } = this;
    const end = featureStart[feature + 1];
    let sum = 0;
    if (featureValues === undefined) {
      for (let e = featureStart[feature]; e < end; e++) {
        const p = probabilities[featureEvents[e]];
        sum += p * p;
      }
      return expectation - sum;
    }
    for (let e = featureStart[feature]; e < end; e++) {
      const p = probabilities[featureEvents[e]];
      const v = featureValues[e];
      sum += v * v * p * (1 - p);
    }
    return sum;
  }

  /** Changes the weight of a feature for this class by `change`. */
  move(feature: number, change: number): void {
    const { featureStart, featureEvents, featureValues } = this.#design;
    const { probabilities, totals } = this;
    if (featureValues !== undefined) {
      this.#moveByValues(feature, change);
      return;
    }
    const growth = exp(change);
    const excess = expm1(change);
    const end = featureStart[feature + 1];
    for (let e = featureStart[feature]; e < end; e++) {
      const x = featureEvents[e];
      const p = probabilities[x];
      const ratio = 1 + p * excess;
      probabilities[x] = (p * growth) / ratio;
      totals[x] *= ratio;
    }
  }

  /** Does the same. @returns the increase of the sum over the events of log T(x) */
  moveWithGrowth(feature: number, change: number): number {
    const { featureStart, featureEvents, featureValues } = this.#design;
    const { probabilities, totals } = this;
    if (featureValues !== undefined) return this.#moveByValues(feature, change);
    const growth = exp(change);
    const excess = expm1(change);
    const end = featureStart[feature + 1];
    let sum = 0;
    let product = 1;
    for (let e = featureStart[feature]; e < end; e++) {
      const x = featureEvents[e];
      const p = probabilities[x];
      const ratio = 1 + p * excess;
      probabilities[x] = (p * growth) / ratio;
      totals[x] *= ratio;
      product *= ratio;
      if (product > LARGE || product < SMALL) {
        sum += log(product);
        product = 1;
      }
    }
    return sum + log(product);
  }

  /** `moveWithGrowth` for features with values: the factor exp(change · v) differs from event to event. */
  #moveByValues(feature: number, change: number): number {
    const { featureStart, featureEvents, featureValues } = this.#design;
    const { probabilities, totals } = this;
    const end = featureStart[feature + 1];
    let sum = 0;
    for (let e = featureStart[feature]; e < end; e++) {
      const x = featureEvents[e];
      const p = probabilities[x];
      const excess = expm1(change * featureValues![e]);
      const ratio = 1 + p * excess;
      probabilities[x] = (p * (1 + excess)) / ratio;
      totals[x] *= ratio;
      sum += log1p(p * excess);
    }
    return sum;
  }
}
