import { type Random, random, type SparseVector } from "@arcwise/core";
import type { PartModel, StructuredTask, WeightVector } from "@arcwise/learn";

/** An example whose outputs are listed, each with its features; the first one is gold. */
export interface ListedExample {
  readonly features: readonly Float64Array[];
  readonly costs: readonly number[];
}

export interface ListTask extends StructuredTask<number> {
  readonly examples: readonly ListedExample[];
  readonly kBest: NonNullable<StructuredTask<number>["kBest"]>;
  readonly expectations: NonNullable<StructuredTask<number>["expectations"]>;
  readonly parts: PartModel;
}

/**
 * Makes a task whose outputs are few enough to list. The later output wins ties, so that gold outputs lose
 * them.
 */
export function listTask(examples: readonly ListedExample[], dimension: number): ListTask {
  const difference = (example: number, output: number, into: SparseVector): number => {
    const { features, costs } = examples[example];
    for (let i = 0; i < dimension; i++) {
      const value = features[0][i] - features[output][i];
      if (value !== 0) into.add(i, value);
    }
    return costs[output];
  };
  const kBest = (example: number, weights: WeightVector, k: number, costAugmented: boolean): number[] => {
    const { features, costs } = examples[example];
    const scores = features.map((row, y) => dot(row, weights) + (costAugmented ? costs[y] : 0));
    return [...features.keys()].sort((a, b) => scores[b] - scores[a] || b - a).slice(0, k);
  };
  return {
    examples,
    size: examples.length,
    dimension,
    decode: (example, weights, costAugmented) => kBest(example, weights, 1, costAugmented)[0],
    difference,
    kBest,
    expectations(example, weights, into) {
      const { features, costs } = examples[example];
      const probabilities = distribution(features, weights);
      let cost = 0;
      for (const [y, p] of probabilities.entries()) {
        cost += p * costs[y];
        for (let i = 0; i < dimension; i++) {
          const value = p * (features[0][i] - features[y][i]);
          if (value !== 0) into.add(i, value);
        }
      }
      return { cost, loss: -Math.log(probabilities[0]) };
    },
    parts: listedParts(examples),
  };
}

/** Every output is one part. */
function listedParts(examples: readonly ListedExample[]): PartModel {
  return {
    count: (example) => examples[example].features.length,
    gold: (example, into) => into.fill(0, 0, examples[example].features.length).fill(1, 0, 1),
    costs: (example, into) => into.set(examples[example].costs),
    scores(example, weights, into) {
      for (const [y, row] of examples[example].features.entries()) into[y] = dot(row, weights);
    },
    marginals(example, potentials, into) {
      const { length } = examples[example].features;
      const best = Math.max(...potentials.subarray(0, length));
      let sum = 0;
      for (let y = 0; y < length; y++) sum += Math.exp(potentials[y] - best);
      for (let y = 0; y < length; y++) into[y] = Math.exp(potentials[y] - best) / sum;
      return best + Math.log(sum);
    },
    addFeatures(example, amounts, into) {
      for (const [y, row] of examples[example].features.entries()) {
        for (const [i, value] of row.entries()) {
          if (value !== 0 && amounts[y] !== 0) into.add(i, amounts[y] * value);
        }
      }
    },
  };
}

/** Returns random examples of `outputs` outputs with integer features; the cost of a wrong one is 1. */
export function randomTask(seed: number, size: number, outputs: number, dimension: number): ListTask {
  const rng = random(seed);
  const examples = Array.from({ length: size }, () => ({
    features: Array.from({ length: outputs }, () =>
      Float64Array.from({ length: dimension }, () => rng.int(4)),
    ),
    costs: Array.from({ length: outputs }, (_, y) => (y === 0 ? 0 : 1 + rng.int(3))),
  }));
  return listTask(examples, dimension);
}

/**
 * Random examples that the weights returned separate with a margin of `margin` (after division by their
 * length).
 */
export function separableTask(
  seed: number,
  size: number,
  outputs: number,
  dimension: number,
  margin: number,
): { readonly task: ListTask; readonly separator: Float64Array } {
  const rng = random(seed);
  const direction = Float64Array.from({ length: dimension }, () => rng.normal());
  const separator = direction.map((value) => value / Math.hypot(...direction));
  const examples = Array.from({ length: size }, () => separated(rng, outputs, separator, margin));
  return { task: listTask(examples, dimension), separator };
}

function separated(rng: Random, outputs: number, separator: Float64Array, margin: number): ListedExample {
  const gold = Float64Array.from(separator, () => rng.normal());
  const features = [gold];
  while (features.length < outputs) {
    const other = Float64Array.from(separator, () => rng.normal());
    const behind = dot(gold, separator) - dot(other, separator);
    // Pushed along the separator as far as needed.
    const push = Math.max(0, margin - behind);
    features.push(other.map((value, i) => value - push * separator[i]));
  }
  return { features, costs: features.map((_, y) => (y === 0 ? 0 : 1)) };
}

export function distribution(features: readonly Float64Array[], weights: ArrayLike<number>): number[] {
  const scores = features.map((row) => dot(row, weights));
  const best = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - best));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
