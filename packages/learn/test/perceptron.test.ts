import type { SparseVector } from "@arcwise/core";
import { perceptron, type StructuredTask, trainOnline, type WeightVector } from "@arcwise/learn";
import { describe, expect, it } from "vitest";
import type { PerceptronUpdate } from "../src/online/perceptron.ts";
import { listTask } from "./list-task.ts";

/**
 * Words over two letters; a letter's weight depends on the letter of the word and on the one chosen before.
 */
const LENGTH = 6;
const words = ["abbaba", "babbab", "aabbaa", "bbaaab"];
const golds = words.map((word) => [...word].map((letter, i) => ((letter === "a") === (i % 2 === 0) ? 1 : 0)));

const DIMENSION = 2 * 2 * LENGTH + 9;
const feature = (word: string, i: number, label: number): number =>
  (i * 2 + (word[i] === "a" ? 1 : 0)) * 2 + label;
const bigram = (before: number | undefined, label: number): number =>
  2 * 2 * LENGTH + (before ?? 2) * 3 + label;

function score(word: string, labels: readonly number[], weights: WeightVector): number {
  let sum = 0;
  for (const [i, label] of labels.entries()) {
    sum += weights[feature(word, i, label)] + weights[bigram(labels[i - 1], label)];
  }
  return sum;
}

function addFeatures(word: string, labels: readonly number[], scale: number, into: SparseVector): void {
  for (const [i, label] of labels.entries()) {
    into.add(feature(word, i, label), scale);
    into.add(bigram(labels[i - 1], label), scale);
  }
}

/** A beam of one prefix: greedy search. */
function greedyTask(): StructuredTask<readonly number[]> {
  const greedy = (word: string, weights: WeightVector): number[] => {
    let labels: number[] = [];
    while (labels.length < LENGTH) {
      const [zero, one] = [0, 1].map((label) => [...labels, label]) as [number[], number[]];
      labels = score(word, one, weights) > score(word, zero, weights) ? one : zero;
    }
    return labels;
  };
  const differenceOf = (example: number, labels: readonly number[], into: SparseVector): number => {
    const gold = golds[example].slice(0, labels.length);
    addFeatures(words[example], gold, 1, into);
    addFeatures(words[example], labels, -1, into);
    return gold.filter((label, i) => label !== labels[i]).length;
  };
  return {
    size: words.length,
    dimension: DIMENSION,
    decode: (example, weights) => greedy(words[example], weights),
    difference: differenceOf,
    search(example, weights) {
      const labels = greedy(words[example], weights);
      const gold = golds[example];
      const violations = Float64Array.from(
        labels,
        (_, i) =>
          score(words[example], labels.slice(0, i + 1), weights) -
          score(words[example], gold.slice(0, i + 1), weights),
      );
      const lost = labels.findIndex((label, i) => label !== gold[i]);
      return {
        steps: LENGTH,
        violations,
        lost: lost < 0 ? LENGTH : lost,
        difference: (step, into) => differenceOf(example, labels.slice(0, step + 1), into),
      };
    },
  };
}

/** A task whose search is given, and each of whose steps has its own feature. */
function traced(violations: number[], lost: number): StructuredTask<number> {
  const { length } = violations;
  return {
    ...listTask([{ features: [new Float64Array(length)], costs: [0] }], length),
    search: () => ({
      steps: length,
      violations: Float64Array.from([...violations, 99]),
      lost,
      difference(step, into) {
        into.add(step, 1);
        return 1;
      },
    }),
  };
}

describe("the step that the perceptron updates on", () => {
  it.each<[PerceptronUpdate, number[], number, number]>([
    ["early", [0, 2, 5, 1, -1], 1, 1],
    ["early", [0, 0, 0, 0, 3], 5, 4],
    ["max-violation", [0, 2, 5, 1, -1], 1, 2],
    ["max-violation", [0, 2, 5, 1, 5], 1, 4],
    ["latest", [0, 2, 5, 1, -1], 1, 3],
    ["latest", [0, 2, 5, 1, 0], 1, 4],
    ["latest", [0, -2, -5, -1, -1], 1, 0],
  ])("%s of %j, with the gold prefix lost at %d, is %d", (update, violations, lost, step) => {
    const learner = perceptron(violations.length, { update });
    learner.update(traced(violations, lost), 0);
    expect([...learner.weights.values].indexOf(1)).toBe(step);
    expect(learner.weights.values.reduce((sum, value) => sum + value, 0)).toBe(1);
  });
});

describe.each<PerceptronUpdate>(["early", "max-violation", "latest"])("the %s perceptron", (update) => {
  it("learns a task that greedy search decodes", async () => {
    const task = greedyTask();
    const learner = perceptron(DIMENSION, { update, averaged: false });
    await trainOnline(task, learner, { epochs: 30, seed: 1 });
    const weights = learner.result();
    for (const [example, gold] of golds.entries()) expect(task.decode(example, weights, false)).toEqual(gold);
  });

  it("requires a task with a search", () => {
    const task = listTask([{ features: [Float64Array.of(1), Float64Array.of(0)], costs: [0, 1] }], 1);
    expect(() => perceptron(1, { update }).update(task, 0)).toThrow(/"search"/);
  });
});

describe("perceptron", () => {
  it("keeps the weights of the last step when it does not average", async () => {
    const task = greedyTask();
    const learner = perceptron(DIMENSION, { averaged: false });
    await trainOnline(task, learner, { epochs: 2, seed: 1 });
    expect(learner.result()).toEqual(learner.weights.values);
    expect(learner.weights.average()).not.toEqual(learner.weights.values);
    const into = new Float32Array(DIMENSION);
    expect(learner.result(into)).toBe(into);
  });

  it("refuses an unknown update", () => {
    const update = "late" as PerceptronUpdate;
    expect(() => perceptron(1, { update })).toThrow(/full, early, max-violation, latest, got late/);
  });
});
