import type { MaxentDesign } from "./design.ts";

/** Products of ratios are turned into logarithms before they leave the range of numbers. */
const LARGE = 2 ** 900;
const SMALL = 2 ** -900;

/**
 * The probabilities of one class at all events, kept up to date while the weights of that class change one at
 * a time: P(y|x) = S(x, y) / T(x), with the total T(x) of all classes. When weight t moves by d, both change
 * at the events of its feature only, by the factors exp(d) and 1 + P (exp(d) - 1); so a step costs the
 * non-zeros of its column.
 *
 * Classes are visited one after the other, and S of a class is computed anew from its weights when its turn
 * comes. This costs a third pass over the non-zeros, but takes O(events) of memory, not events · classes,
 * which fits a cache where the matrix of all S does not; and rounding does not add up from one sweep to the
 * next.
 */
export class ClassColumn {
  /** T(x) of each event, under the weights of now. */
  readonly totals: Float64Array;
  /** P(y|x) of each event for the class that was entered last. */
  readonly probabilities: Float64Array;
  readonly #design: MaxentDesign;
  /** T(x) summed up anew from the classes that were left since `beginSweep`. */
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

  /** Takes up a class. */
  enter(label: number, weights: Float64Array): void {
    const { classStart, classWeights, weightFeature, featureStart, featureEvents } = this.#design;
    const { probabilities, totals } = this;
    probabilities.fill(0);
    for (let k = classStart[label]!; k < classStart[label + 1]!; k++) {
      const t = classWeights[k]!;
      const weight = weights[t]!;
      if (weight === 0) continue;
      const feature = weightFeature[t]!;
      const end = featureStart[feature + 1]!;
      for (let e = featureStart[feature]!; e < end; e++) probabilities[featureEvents[e]!]! += weight;
    }
    for (let x = 0; x < probabilities.length; x++) {
      const score = probabilities[x]!;
      probabilities[x] = (score === 0 ? 1 : Math.exp(score)) / totals[x]!;
    }
  }

  /** Done with the class: adds its share to the totals of the next sweep. */
  leave(): void {
    const { probabilities, totals } = this;
    const next = this.#nextTotals;
    for (let x = 0; x < next.length; x++) next[x]! += probabilities[x]! * totals[x]!;
  }

  /** After all classes: takes the totals that were summed up anew. @returns the sum of their logarithms */
  endSweep(): number {
    const { totals } = this;
    totals.set(this.#nextTotals);
    let sum = 0;
    for (let x = 0; x < totals.length; x++) sum += Math.log(totals[x]!);
    return sum;
  }

  /** The sum of P over the events of a feature. */
  expectation(feature: number): number {
    const { featureStart, featureEvents } = this.#design;
    const { probabilities } = this;
    const end = featureStart[feature + 1]!;
    let sum = 0;
    for (let e = featureStart[feature]!; e < end; e++) sum += probabilities[featureEvents[e]!]!;
    return sum;
  }

  /** The sum of P² over the events of a feature. */
  squares(feature: number): number {
    const { featureStart, featureEvents } = this.#design;
    const { probabilities } = this;
    const end = featureStart[feature + 1]!;
    let sum = 0;
    for (let e = featureStart[feature]!; e < end; e++) {
      const p = probabilities[featureEvents[e]!]!;
      sum += p * p;
    }
    return sum;
  }

  /** Moves the weight of a feature for this class by `change`. */
  move(feature: number, change: number): void {
    const { featureStart, featureEvents } = this.#design;
    const { probabilities, totals } = this;
    const growth = Math.exp(change);
    const excess = Math.expm1(change);
    const end = featureStart[feature + 1]!;
    for (let e = featureStart[feature]!; e < end; e++) {
      const x = featureEvents[e]!;
      const p = probabilities[x]!;
      const ratio = 1 + p * excess;
      probabilities[x] = (p * growth) / ratio;
      totals[x]! *= ratio;
    }
  }

  /** The same. @returns the growth of the sum over the events of log T(x) */
  moveWithGrowth(feature: number, change: number): number {
    const { featureStart, featureEvents } = this.#design;
    const { probabilities, totals } = this;
    const growth = Math.exp(change);
    const excess = Math.expm1(change);
    const end = featureStart[feature + 1]!;
    let sum = 0;
    let product = 1;
    for (let e = featureStart[feature]!; e < end; e++) {
      const x = featureEvents[e]!;
      const p = probabilities[x]!;
      const ratio = 1 + p * excess;
      probabilities[x] = (p * growth) / ratio;
      totals[x]! *= ratio;
      product *= ratio;
      if (product > LARGE || product < SMALL) {
        sum += Math.log(product);
        product = 1;
      }
    }
    return sum + Math.log(product);
  }
}
