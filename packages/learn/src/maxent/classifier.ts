import { exp } from "@arcwise/core/arithmetic";
import type { MaxentDesign, MaxentFeature } from "./design.ts";

/** A maximum entropy model as plain data: JSON preserves it exactly. */
export interface MaxentModel {
  readonly format: "arcwise-maxent-1";
  readonly classes: readonly string[];
  readonly features: readonly string[];
  /** The weights of feature i are start[i] .. start[i + 1] - 1. */
  readonly start: readonly number[];
  readonly weightClass: readonly number[];
  readonly weights: readonly number[];
}

/**
 * Makes the data of a trained model, without weights of 0 and features without weights.
 *
 * @throws RangeError when the weights are not finite, or not one per weight of the design
 */
export function maxentModel(design: MaxentDesign, weights: ArrayLike<number>): MaxentModel {
  if (weights.length !== design.dimension) {
    throw new RangeError(`expected ${design.dimension} weights, got ${weights.length}`);
  }
  const features: string[] = [];
  const start = [0];
  const weightClass: number[] = [];
  const kept: number[] = [];
  for (const [i, name] of design.features.entries()) {
    for (let t = design.weightStart[i]; t < design.weightStart[i + 1]; t++) {
      if (!Number.isFinite(weights[t])) throw new RangeError(`expected finite weights, got ${weights[t]}`);
      if (weights[t] === 0) continue;
      weightClass.push(design.weightClass[t]);
      kept.push(weights[t]);
    }
    if (kept.length === start.at(-1)) continue;
    features.push(name);
    start.push(kept.length);
  }
  return { format: "arcwise-maxent-1", classes: design.classes, features, start, weightClass, weights: kept };
}

/** Computes the probabilities of classes of contexts. */
export class MaxentClassifier {
  readonly classes: readonly string[];
  readonly #features: ReadonlyMap<string, number>;
  readonly #start: Int32Array;
  readonly #weightClass: Uint16Array;
  readonly #weights: Float64Array;

  /** @throws RangeError when the data is not a valid model */
  constructor(model: MaxentModel) {
    checkModel(model);
    this.classes = model.classes;
    this.#features = new Map(model.features.map((name, id) => [name, id]));
    this.#start = Int32Array.from(model.start);
    this.#weightClass = Uint16Array.from(model.weightClass);
    this.#weights = Float64Array.from(model.weights);
  }

  /** Returns the index of a feature for `addScores`; -1 when the model does not have it. */
  featureNumber(name: string): number {
    return this.#features.get(name) ?? -1;
  }

  /** Adds the weights of a feature, times its value, to the scores of the classes. O(its weights). */
  addScores(feature: number, into: Float64Array, value = 1): void {
    if (feature < 0) return;
    const weightClass = this.#weightClass;
    const weights = this.#weights;
    const end = this.#start[feature + 1];
    for (let t = this.#start[feature]; t < end; t++) into[weightClass[t]] += value * weights[t];
  }

  /**
   * Returns the probability of each class, in the order of `classes`. Unknown features are ignored; of a
   * repeated feature the first one counts.
   */
  probabilities(features: Iterable<MaxentFeature>): Float64Array {
    const scores = new Float64Array(this.classes.length);
    const seen = new Set<string>();
    for (const feature of features) {
      const [name, value] = typeof feature === "string" ? ([feature, 1] as const) : feature;
      if (seen.has(name)) continue;
      seen.add(name);
      this.addScores(this.featureNumber(name), scores, value);
    }
    const best = scores.reduce((most, score) => Math.max(most, score), -Infinity);
    let sum = 0;
    for (let y = 0; y < scores.length; y++) {
      scores[y] = exp(scores[y] - best);
      sum += scores[y];
    }
    return scores.map((value) => value / sum);
  }

  /** Returns the most probable class, the first in ties. */
  classify(features: Iterable<MaxentFeature>): string {
    const probabilities = this.probabilities(features);
    let best = 0;
    for (let y = 1; y < probabilities.length; y++) if (probabilities[y] > probabilities[best]) best = y;
    return this.classes[best];
  }
}

function checkModel({ format, classes, features, start, weightClass, weights }: MaxentModel): void {
  if (format !== "arcwise-maxent-1")
    throw new RangeError(`expected the format arcwise-maxent-1, got ${format}`);
  if (classes.length < 1 || classes.length > 65_535) {
    throw new RangeError(`expected 1 to 65535 classes, got ${classes.length}`);
  }
  const rises = start.every((at, i) => Number.isInteger(at) && at >= (i === 0 ? 0 : start[i - 1]));
  if (start.length !== features.length + 1 || start[0] !== 0 || !rises || start.at(-1) !== weights.length) {
    throw new RangeError("the weights of a model do not fit its features");
  }
  if (weightClass.length !== weights.length || !weights.every(Number.isFinite)) {
    throw new RangeError("expected a class and a finite number for each weight");
  }
  if (!weightClass.every((label) => Number.isInteger(label) && label >= 0 && label < classes.length)) {
    throw new RangeError(`expected classes below ${classes.length}`);
  }
}
