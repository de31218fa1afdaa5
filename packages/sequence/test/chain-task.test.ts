import { random, SparseVector } from "@arcwise/core";
import type { GradientSink } from "@arcwise/learn";
import { describe, expect, test } from "vitest";
import { type ChainOptions, type ChainTraining, type LabelledSentence, prepareChain } from "../src/index.ts";

/** Random sentences over a small vocabulary, with labels that depend on words and on the previous label. */
function toySentences(seed: number, count: number, labels: readonly string[]): LabelledSentence[] {
  const rng = random(seed);
  const forms = ["the", "The", "dog", "dogs", "ran", "x-1", "Rome", "of"];
  return Array.from({ length: count }, () => {
    const n = 1 + rng.int(4);
    const sentence = Array.from({ length: n }, () => ({ form: forms[rng.int(forms.length)] }));
    return { sentence, labels: sentence.map(() => labels[rng.int(labels.length)]) };
  });
}

const UNARY = ["bias", "form", "suffix1", "word-1", "word+1 word"];
const configurations: Readonly<Record<string, ChainOptions>> = {
  "order 1": { templates: UNARY },
  "order 2": { templates: [...UNARY, "label-1"] },
  "order 2 with input": { templates: [...UNARY, "label-1", "label-1 word", "label-1 suffix1 word+1"] },
  "order 3": { templates: [...UNARY, "label-1", "label-1 label-2"] },
  "order 3 with input": {
    templates: [...UNARY, "label-1 form", "label-1 label-2", "label-1 label-2 capital"],
  },
  "order 2, observed pairs": { templates: [...UNARY, "label-1", "label-1 word"], pairs: "observed" },
  "order 3, observed pairs": { templates: [...UNARY, "label-1", "label-1 label-2"], pairs: "observed" },
  "order 2, dictionary": {
    templates: [...UNARY, "label-1", "label-1 word"],
    dictionary: [{ template: "form", minimum: 3 }],
  },
  "order 3, dictionary": {
    templates: [...UNARY, "label-1", "label-1 label-2", "label-1 label-2 word"],
    dictionary: [{ template: "form", minimum: 3 }],
  },
  "order 3, dictionary, observed pairs": {
    templates: [...UNARY, "label-1", "label-1 label-2"],
    pairs: "observed",
    dictionary: [{ template: "form", minimum: 2 }],
  },
};

const sentences = toySentences(3, 12, ["A", "B", "C"]);

function weightsFor({ task }: ChainTraining, seed: number): Float64Array {
  const rng = random(seed);
  return Float64Array.from({ length: task.dimension }, () => rng.normal());
}

/** Sums gradients; runs that begin at the same weight must have the same length. */
function sinkInto(sums: Float64Array, lengths: Map<number, number>): GradientSink {
  const check = (from: number, count: number): void => {
    const length = lengths.get(from) ?? count;
    expect(count).toBe(length);
    lengths.set(from, length);
  };
  return {
    add(weight, gradient) {
      check(weight, 1);
      sums[weight] += gradient;
    },
    addRun(from, gradients, count) {
      check(from, count);
      for (let k = 0; k < count; k++) sums[from + k] += gradients[k];
    },
  };
}

/**
 * Returns the score of each labelling of an example, by the features in which it differs from the gold one.
 */
function differences(training: ChainTraining, weights: Float64Array, example: number) {
  const { prepared, labels: gold } = training.examples[example];
  const { start, labels, n } = prepared.lattice;
  let all: number[][] = [[]];
  for (let i = 0; i < n; i++) {
    const own = Array.from(labels.subarray(start[i], start[i + 1]));
    all = all.flatMap((before) => own.map((y) => [...before, y]));
  }
  return all.map((one) => {
    const difference = new SparseVector();
    const cost = training.task.difference(example, Int32Array.from(one), difference);
    expect(cost).toBe(one.filter((y, i) => y !== gold[i]).length);
    return { labels: one, cost, score: -difference.dot(weights), difference };
  });
}

describe.each(Object.entries(configurations))("%s", (_name, options) => {
  const training = prepareChain(sentences, options);
  const { task } = training;
  const weights = weightsFor(training, 8);

  test("decodes and ranks by the weights of features, with and without costs", () => {
    for (let example = 0; example < task.size; example++) {
      const all = differences(training, weights, example);
      for (const augmented of [false, true]) {
        const value = ({ score, cost }: (typeof all)[number]) => score + (augmented ? cost : 0);
        const ranked = [...all].sort((a, b) => value(b) - value(a));
        const { n } = training.examples[example].prepared;
        const best = Array.from(task.decode(example, weights, augmented).subarray(0, n));
        expect(best).toEqual(ranked[0].labels);
        const five = task.kBest(example, weights, 5, augmented).map((labels) => Array.from(labels));
        expect(five).toEqual(ranked.slice(0, 5).map(({ labels }) => labels));
      }
    }
  });

  test("gives the gradient of the log-likelihood", () => {
    for (let example = 0; example < task.size; example++) {
      const all = differences(training, weights, example);
      const sum = all.reduce((total, { score }) => total + Math.exp(score), 0);
      const expected = new SparseVector();
      let cost = 0;
      for (const one of all) {
        expected.addScaled(one.difference, Math.exp(one.score) / sum);
        cost += (one.cost * Math.exp(one.score)) / sum;
      }
      const gradient = new SparseVector();
      const seen = task.expectations(example, weights, gradient);
      expect(seen.loss).toBeCloseTo(Math.log(sum), 8);
      expect(seen.cost).toBeCloseTo(cost, 8);
      for (let w = 0; w < task.dimension; w++) expect(gradient.get(w)).toBeCloseTo(expected.get(w), 8);
    }
  });

  test.each(["global", "local"] as const)("reports the gradient in runs: the same (%s)", (normalisation) => {
    const own = prepareChain(sentences, { ...options, normalisation }).task;
    const lengths = new Map<number, number>();
    for (let example = 0; example < own.size; example++) {
      const gradient = new SparseVector();
      const sums = new Float64Array(own.dimension);
      const seen = own.expectations(example, weights, gradient);
      expect(own.addExpectations(example, weights, sinkInto(sums, lengths))).toEqual(seen);
      for (let w = 0; w < own.dimension; w++) expect(sums[w]).toBeCloseTo(gradient.get(w), 12);
    }
  });

  test("gives the gradient of the local log-likelihood", () => {
    const local = prepareChain(sentences, { ...options, normalisation: "local" }).task;
    const gradient = new SparseVector();
    local.expectations(2, weights, gradient);
    const loss = (at: Float64Array) => local.expectations(2, at, new SparseVector()).loss;
    for (let k = 0; k < gradient.size; k++) {
      const w = gradient.indices[k];
      const [up, down] = [1e-5, -1e-5].map((step) => loss(weights.map((v, i) => (i === w ? v + step : v))));
      expect(gradient.values[k]).toBeCloseTo((down! - up!) / 2e-5, 6);
    }
  });

  test("reports the trace of a beam search", () => {
    const wide = prepareChain(sentences, { ...options, beam: 81 }).task;
    const narrow = prepareChain(sentences, { ...options, beam: 1 }).task;
    for (let example = 0; example < task.size; example++) {
      const { n } = training.examples[example].prepared;
      const best = Math.max(...differences(training, weights, example).map(({ score }) => score));
      const exact = wide.search(example, weights);
      expect(exact.steps).toBe(n);
      expect(exact.violations[n - 1]).toBeCloseTo(Math.max(0, best), 8);
      for (const { steps, violations, lost, difference } of [exact, narrow.search(example, weights)]) {
        for (let step = 0; step < steps; step++) {
          const vector = new SparseVector();
          const cost = difference(step, vector);
          expect(-vector.dot(weights)).toBeCloseTo(violations[step], 8);
          if (step < lost) expect(violations[step]).toBeGreaterThan(-1e-9);
          if (cost === 0) expect(violations[step]).toBeCloseTo(0, 9);
        }
      }
    }
  });

  test("has parts whose sums are the scores", () => {
    const { parts } = task;
    for (let example = 0; example < task.size; example++) {
      const count = parts.count(example);
      const [gold, scores, marginals] = [0, 0, 0].map(() => new Float64Array(count));
      parts.gold(example, gold!);
      parts.scores(example, weights, scores!);
      const logSum = parts.marginals(example, scores!, marginals!);
      const goldScore = scores!.reduce((sum, score, part) => sum + gold![part] * score, 0);
      const gradient = new SparseVector();
      const { loss, cost } = task.expectations(example, weights, gradient);
      expect(logSum - goldScore).toBeCloseTo(loss, 8);
      const costs = new Float64Array(count);
      parts.costs!(example, costs);
      expect(gold!.reduce((sum, share, part) => sum + share * costs[part], 0)).toBe(0);
      expect(marginals!.reduce((sum, share, part) => sum + share * costs[part], 0)).toBeCloseTo(cost, 8);
      const own = new SparseVector();
      parts.addFeatures(example, gold!, own);
      parts.addFeatures(
        example,
        marginals!.map((p) => -p),
        own,
      );
      for (let w = 0; w < task.dimension; w++) expect(own.get(w)).toBeCloseTo(gradient.get(w), 8);
    }
  });
});
