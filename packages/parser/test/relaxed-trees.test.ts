import {
  type Arcs,
  activeParts,
  arcIndex,
  completeArcs,
  type Decoder,
  type ParsingProblem,
  type PartKind,
  type Random,
  random,
  SparseVector,
  scoreTree,
} from "@arcwise/core";
import {
  ARC_TEMPLATES,
  arcFeatures,
  buildEncoder,
  lineLength,
  PART_FEATURES,
  PART_LINE,
} from "@arcwise/core/features";
import { ad3Decoder } from "@arcwise/decode-ad3";
import { mstDecoder } from "@arcwise/decode-mst";
import { describe, expect, test } from "vitest";
import type { RoundedTree } from "../src/decoding/relaxed-trees.ts";
import { LabelSet } from "../src/model/model.ts";
import { ArcScorer } from "../src/scoring/arcs/arc-scorer.ts";
import { buildLabelFilter, type EncodedTree } from "../src/scoring/arcs/label-filter.ts";
import { trainingWeights } from "../src/scoring/model-weights.ts";
import { PartScorer } from "../src/scoring/parts/part-scorer.ts";
import { SentenceScorer } from "../src/scoring/sentence-scorer.ts";
import { parsingTask } from "../src/training/parsing-task.ts";
import { prepareTraining } from "../src/training/train.ts";
import { TREEBANK } from "./support.ts";

const LABELS = [...new Set(TREEBANK.flatMap(({ tree }) => tree.labels.slice(1)))];
const KINDS: readonly PartKind[] = [
  "grandparent",
  "nextSibling",
  "lastSibling",
  "sibling",
  "grandSibling",
  "triSibling",
  "headBigram",
];
const COSTS = { head: 1, label: 0.5 };
const BITS = 10;

/** The same task by fractional solutions and by rounded ones. */
function tasks(decoder: Decoder) {
  const encoder = buildEncoder(
    TREEBANK.map(({ sentence }) => sentence),
    1,
  );
  const labels = new LabelSet(LABELS);
  const sentences = TREEBANK.map(({ sentence }) => encoder.encode(sentence));
  const golds = TREEBANK.map(({ tree }) => labels.encode(tree));
  const length = lineLength(LABELS.length);
  const filter = buildLabelFilter(sentences, golds, LABELS.length);
  const scorers = {
    arcs: new ArcScorer(arcFeatures(ARC_TEMPLATES, BITS, length), LABELS.length, filter),
    parts: new PartScorer(
      Object.fromEntries(KINDS.map((kind) => [kind, PART_FEATURES[kind].templates])),
      BITS,
    ),
  };
  const examples = sentences.map((sentence, i) => ({
    sentence,
    arcs: completeArcs(sentence.n),
    gold: golds[i]!,
  }));
  const dimensions = { arcs: length * 2 ** BITS, parts: PART_LINE * 2 ** BITS, global: 0 };
  const rounded = parsingTask(examples, scorers, decoder, dimensions, { costs: COSTS });
  const make = () => parsingTask(examples, scorers, decoder, dimensions, { costs: COSTS, fractional: true });
  const scorer = new SentenceScorer(scorers, ({ n }) => completeArcs(n));
  /** The problem of an example. */
  function scored(index: number, weights: Float32Array, augmented: boolean) {
    const { sentence, arcs, gold } = examples[index]!;
    const costs = augmented ? { gold, ...COSTS } : undefined;
    return scorer.score(sentence, trainingWeights(weights, dimensions), { arcs, costs }).problem;
  }
  return { rounded, make, scored };
}

function randomWeights(seed: number, dimension: number): Float32Array {
  const rng = random(seed);
  return Float32Array.from({ length: dimension }, () => rng.normal());
}

/** The entries of a vector that are not 0, by index. */
function entries(vector: SparseVector): [number, number][] {
  return Array.from(vector.indices.subarray(0, vector.size), (index, k): [number, number] => [
    index,
    vector.values[k]!,
  ])
    .filter(([, value]) => value !== 0)
    .sort(([a], [b]) => a - b);
}

const strict = () => ad3Decoder({ ascent: 1, maxIterations: 3000, residualThreshold: 1e-7 });

test("where the best tree is proven, the update is the usual one exactly", () => {
  const { rounded, make } = tasks(ad3Decoder({ exact: true }));
  const fractional = make();
  for (let index = 0; index < rounded.size; index++) {
    const weights = randomWeights(index, rounded.dimension);
    const [usual, other] = [new SparseVector(), new SparseVector()];
    const cost = rounded.difference(index, rounded.decode(index, weights, true), usual);
    expect(fractional.difference(index, fractional.decode(index, weights, true), other)).toBe(cost);
    expect(other.indices.subarray(0, other.size)).toEqual(usual.indices.subarray(0, usual.size));
    expect(other.values.subarray(0, other.size)).toEqual(usual.values.subarray(0, usual.size));
    expect(usual.size).toBeGreaterThan(0);
  }
});

/** A random tree of a problem's arcs. */
function drawTree(arcs: Arcs, rng: Random): Int32Array {
  return mstDecoder().decode({ arcs, arcScores: Float64Array.from(arcs.head, () => rng.normal()), parts: [] })
    .heads;
}

describe("of a mixture of two trees", () => {
  const { rounded, scored } = tasks(strict());

  /**
   * A solution that has some trees, each with its weight, and is rounded to another one; and how trees are
   * labelled.
   */
  function mixture(
    problem: ParsingProblem,
    mixed: readonly (readonly [Int32Array, number])[],
    to: Int32Array,
  ) {
    const { arcs } = problem;
    const labels = Int32Array.from(arcs.head, (_, arc) => (arc * 7) % LABELS.length);
    const labelled = (heads: Int32Array): EncodedTree => ({
      heads,
      labels: Int32Array.from(heads, (h, m) => (m === 0 ? -1 : labels[arcIndex(arcs, h, m)]!)),
    });
    const ofArcs = new Float64Array(arcs.head.length);
    const parts = problem.parts.map(({ scores }) => new Float64Array(scores.length));
    for (const [heads, weight] of mixed) {
      for (let m = 1; m <= arcs.n; m++) ofArcs[arcIndex(arcs, heads[m]!, m)]! += weight;
      problem.parts.forEach((table, t) => {
        for (const part of activeParts(table, arcs, heads)) parts[t]![part]! += weight;
      });
    }
    const output: RoundedTree = { ...labelled(to), relaxed: { problem, arcs: ofArcs, parts, labels } };
    return { output, labelled };
  }

  test.each([0, 1, 3])("the update is the weighted sum of theirs (sentence %i)", (index) => {
    const rng = random(index);
    for (let round = 0; round < 10; round++) {
      const problem = scored(index, new Float32Array(rounded.dimension), false);
      const [first, second, third] = [0, 1, 2].map(() => drawTree(problem.arcs, rng)) as [
        Int32Array,
        Int32Array,
        Int32Array,
      ];
      const mixed = [
        [first, 0.25],
        [second, 0.75],
      ] as const;
      const { output, labelled } = mixture(problem, mixed, third);
      const [found, one, other] = [new SparseVector(), new SparseVector(), new SparseVector()];
      const cost = rounded.difference(index, output, found);
      const sum =
        0.25 * rounded.difference(index, labelled(first), one) +
        0.75 * rounded.difference(index, labelled(second), other);
      expect(cost).toBe(sum);
      const expected = new SparseVector();
      expected.addScaled(one, 0.25);
      expected.addScaled(other, 0.75);
      expect(entries(found)).toEqual(entries(expected));
    }
  });

  test("of one tree alone it is the usual one", () => {
    const rng = random(1);
    const problem = scored(1, new Float32Array(rounded.dimension), false);
    const [tree, other] = [drawTree(problem.arcs, rng), drawTree(problem.arcs, rng)];
    expect(tree).not.toEqual(other);
    const { output, labelled } = mixture(problem, [[tree, 1]], other);
    const [found, usual] = [new SparseVector(), new SparseVector()];
    expect(rounded.difference(1, output, found)).toBe(rounded.difference(1, labelled(tree), usual));
    expect(entries(found)).toEqual(entries(usual));
  });
});

test("the loss is the bound less the gold tree's score, and at least that of the rounded tree", () => {
  const decoder = strict();
  const { make, rounded, scored } = tasks(decoder);
  const task = make();
  let fractional = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const index = seed % task.size;
    const weights = randomWeights(seed, task.dimension);
    const { bound, status } = decoder.decodeWithReport(scored(index, weights, true));
    if (status !== "fractional") continue;
    fractional++;
    const goldScore = goldScoreOf(index, weights);
    const output = task.decode(index, weights, true);
    const [difference, usual] = [new SparseVector(), new SparseVector()];
    const loss = task.difference(index, output, difference) - difference.dot(weights);
    expect(loss).toBeGreaterThan(0);
    expect(Math.abs(loss - (bound - goldScore))).toBeLessThan(1e-3 * (1 + Math.abs(bound)));
    const { relaxed: _, ...tree } = output;
    expect(rounded.difference(index, tree, usual) - usual.dot(weights)).toBeLessThan(loss + 1e-3);
  }
  expect(fractional).toBeGreaterThan(3);

  /** The score of the best tree, and how much more or less the gold tree scores by its features. */
  function goldScoreOf(index: number, weights: Float32Array): number {
    const problem = scored(index, weights, false);
    const { heads, labels } = rounded.decode(index, weights, false);
    const score = scoreTree(problem, heads);
    const vector = new SparseVector();
    rounded.difference(index, { heads, labels }, vector);
    return score + vector.dot(weights);
  }
});

test("needs a decoder with posteriors", () => {
  const message = 'the decoder "mst" does not give solutions of a relaxation';
  expect(() => tasks(mstDecoder()).make()).toThrow(message);
});

test("are an option of prepareTraining, for decoders that have relaxations", async () => {
  const options = { preset: "linear", decoder: "ad3", order: 2, prune: false } as const;
  const { work } = await prepareTraining(TREEBANK, options);
  expect(work.fractional).toBe(false);
  expect((await prepareTraining(TREEBANK, { ...options, fractional: true })).work).toEqual({
    ...work,
    fractional: true,
  });
  const exact = prepareTraining(TREEBANK, { ...options, decoder: "eisner", fractional: true });
  await expect(exact).rejects.toMatchObject({ code: "unsupported-capability" });
});
