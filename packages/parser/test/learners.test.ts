import {
  completeArcs,
  type Decoder,
  type DependencyTree,
  isProjective,
  isTree,
  random,
  SparseVector,
} from "@arcwise/core";
import { arcFeatures, buildEncoder, lineLength } from "@arcwise/core/features";
import { crf, trainOnline } from "@arcwise/learn";
import { describe, expect, it } from "vitest";
import { MemoryCheckpoint } from "../../../tools/memory-checkpoint.ts";
import { decoderOf } from "../src/decoding/decoders.ts";
import { createParser, saveParser, type TrainingExample } from "../src/index.ts";
import { LabelSet } from "../src/model/model.ts";
import { ArcScorer } from "../src/scoring/arcs/arc-scorer.ts";
import { buildLabelFilter, type EncodedTree, labelsOfArc } from "../src/scoring/arcs/label-filter.ts";
import { PartScorer } from "../src/scoring/parts/part-scorer.ts";
import {
  checkLearner,
  goldFor,
  LEARNER_NAMES,
  learnerNamed,
  UnsupportedLearner,
} from "../src/training/learners.ts";
import { parsingTask } from "../src/training/parsing-task.ts";
import { trainParser } from "./fast-training.ts";
import { example, TREEBANK } from "./support.ts";

const LABELS = ["root", "det", "nsubj", "obj", "advmod"];
const TEMPLATES = [
  "h.lemma",
  "m.upos m.suffix",
  "h.upos m.upos",
  "h.lemma m.lemma",
  "h.upos between.upos m.upos",
];

function trainingDecoder(name: string): Decoder {
  return decoderOf(name, { purpose: "training", order: 1 });
}

function smallTask(decoder: Decoder, learner: string, treebank: readonly TrainingExample[] = TREEBANK) {
  const encoder = buildEncoder(
    treebank.map(({ sentence }) => sentence),
    1,
  );
  const labels = new LabelSet(LABELS);
  const sentences = treebank.map(({ sentence }) => encoder.encode(sentence));
  const golds = treebank.map(({ tree }) =>
    goldFor(learnerNamed({ name: learner }), decoder, labels.encode(tree)),
  );
  const filter = buildLabelFilter(sentences, golds, LABELS.length);
  const length = lineLength(LABELS.length);
  const arcs = new ArcScorer(arcFeatures(TEMPLATES, 8, length), LABELS.length, filter);
  const scorers = { arcs, parts: new PartScorer({}, 8) };
  const examples = sentences.map((sentence, index) => ({
    sentence,
    arcs: completeArcs(sentence.n),
    gold: golds[index]!,
  }));
  const dimensions = { arcs: length * 2 ** 8, parts: 0, global: 0 };
  const task = parsingTask(examples, scorers, decoder, dimensions, 0);
  return { task, examples, scorers, filter };
}

function randomWeights(seed: number, dimension: number): Float32Array {
  const rng = random(seed);
  return Float32Array.from({ length: dimension }, () => rng.normal() / 2);
}

/** All trees of n words with a single root (or several), each with every allowed labelling. */
function labelledTrees(
  n: number,
  allowed: (h: number, m: number) => readonly number[],
  keep: (heads: Int32Array) => boolean,
): EncodedTree[] {
  let found: { heads: number[]; labels: number[] }[] = [{ heads: [-1], labels: [-1] }];
  for (let m = 1; m <= n; m++) {
    found = found.flatMap((tree) =>
      Array.from({ length: n + 1 }, (_, h) => h)
        .filter((h) => h !== m)
        .flatMap((h) =>
          allowed(h, m).map((label) => ({ heads: [...tree.heads, h], labels: [...tree.labels, label] })),
        ),
    );
  }
  return found
    .map((tree) => ({ heads: Int32Array.from(tree.heads), labels: Int32Array.from(tree.labels) }))
    .filter((tree) => keep(tree.heads));
}

describe.each(["mst", "eisner", "projective"])("the log-linear model of the trees of %s", (name) => {
  const { task, examples, scorers, filter } = smallTask(trainingDecoder(name), "crf");

  it("has the loss, the expected cost and the gradient of an enumeration of all labelled trees", () => {
    const weights = randomWeights(1, task.dimension);
    for (const index of [0, 1, 3]) {
      const { sentence, gold } = examples[index]!;
      const allowed = (h: number, m: number) => [...labelsOfArc(filter, sentence, h, m)];
      const keep = (tree: Int32Array) => isTree(tree) && (name === "mst" || isProjective(tree));
      const gradient = new SparseVector();
      const { loss, cost } = task.expectations!(index, weights, gradient);
      const trees = labelledTrees(sentence.n, allowed, keep);
      const arcs = scorers.arcs.features(sentence);
      const features = trees.map((tree) => {
        const vector = new SparseVector();
        for (let m = 1; m <= sentence.n; m++) {
          arcs.addFeatures(tree.heads[m]!, m, tree.labels[m]!, 1, vector);
        }
        return vector;
      });
      const shares = features.map((vector) => Math.exp(vector.dot(weights)));
      const total = shares.reduce((sum, share) => sum + share, 0);
      const expected = new SparseVector();
      let expectedCost = 0;
      let goldIndex = -1;
      for (const [t, tree] of trees.entries()) {
        const p = shares[t]! / total;
        expected.addScaled(features[t]!, -p);
        for (let m = 1; m <= sentence.n; m++) {
          if (tree.heads[m] !== gold.heads[m]) expectedCost += p;
          else if (tree.labels[m] !== gold.labels[m]) expectedCost += 0.5 * p;
        }
        if (String(tree.heads) === String(gold.heads) && String(tree.labels) === String(gold.labels)) {
          goldIndex = t;
        }
      }
      expected.addScaled(features[goldIndex]!, 1);
      expect(loss).toBeCloseTo(Math.log(total / shares[goldIndex]!), 6);
      expect(cost).toBeCloseTo(expectedCost, 6);
      for (const i of new Set([...expected.indices.slice(0, expected.size), ...gradient.indices])) {
        expect(gradient.get(i)).toBeCloseTo(expected.get(i), 6);
      }
    }
  });

  it("has the gradient of finite differences", () => {
    const weights = randomWeights(2, task.dimension);
    const loss = (index: number) => task.expectations!(index, weights, new SparseVector()).loss;
    for (const index of examples.keys()) {
      const gradient = new SparseVector();
      task.expectations!(index, weights, gradient);
      for (let k = 0; k < gradient.size; k += 7) {
        const i = gradient.indices[k]!;
        const old = weights[i]!;
        weights[i] = old + 2 ** -7;
        const above = loss(index);
        const up = weights[i]! - old;
        weights[i] = old - 2 ** -7;
        const quotient = (above - loss(index)) / (up + old - weights[i]!);
        weights[i] = old;
        expect(-quotient).toBeCloseTo(gradient.get(i), 3);
      }
    }
  });

  it("learns the treebank, so that the best trees are the gold ones", async () => {
    const learner = crf(task.dimension, { rate: 0.5 });
    await trainOnline(task, learner, { epochs: 30, seed: 1 });
    const weights = learner.result();
    for (const [index, { gold }] of examples.entries()) {
      const { heads: predicted, labels } = task.decode(index, weights, false);
      expect([...predicted]).toEqual([...gold.heads]);
      expect([...labels]).toEqual([...gold.labels]);
    }
  });
});

it("sums over trees with several roots when the gold tree has several", () => {
  const treebank = [example("Dogs/NOUN bark/VERB loudly/ADV", "0 0 2", "root root advmod")];
  for (const name of ["mst", "eisner"]) {
    const { task } = smallTask(trainingDecoder(name), "crf", treebank);
    const { loss } = task.expectations!(0, new Float32Array(task.dimension), new SparseVector());
    // Without weights all trees are equal, and each arc has one or two labels at random: it is a proper loss.
    expect(loss).toBeGreaterThan(0);
    expect(loss).toBeLessThan(20);
  }
});

describe.each(["mst", "eisner", "projective"])("the k best trees of %s", (name) => {
  const { task, examples } = smallTask(trainingDecoder(name), "kbest-mira");

  it.each([false, true])("begin with the decoder's (cost-augmented: %s), and differ", (costAugmented) => {
    for (let seed = 1; seed <= 5; seed++) {
      const weights = randomWeights(seed, task.dimension);
      for (const index of examples.keys()) {
        const trees = task.kBest!(index, weights, 5, costAugmented);
        const best = task.decode(index, weights, costAugmented);
        expect(trees[0]).toMatchObject({ heads: best.heads, labels: best.labels });
        expect(trees.length).toBe(5);
        expect(new Set(trees.map((tree) => String(tree.heads))).size).toBe(5);
        // Scores as the learner sees them: never rising.
        const scores = trees.map((tree) => {
          const difference = new SparseVector();
          const cost = task.difference(index, tree, difference);
          return (costAugmented ? cost : 0) - difference.dot(weights);
        });
        for (let k = 1; k < 5; k++) expect(scores[k]).toBeLessThanOrEqual(scores[k - 1]! + 1e-4);
      }
    }
  });
});

describe.each(["mst", "eisner"])("the parts of trees (%s)", (name) => {
  const { task, examples, filter } = smallTask(trainingDecoder(name), "crf");
  const parts = task.parts!;

  it("score, count and weigh trees as their likelihood does", () => {
    for (let seed = 0; seed < 5; seed++) {
      const weights = Float64Array.from(randomWeights(seed, task.dimension));
      for (const [index] of examples.entries()) {
        const count = parts.count(index);
        const [scores, gold, marginals] = [0, 1, 2].map(() => new Float64Array(count)) as [
          Float64Array,
          Float64Array,
          Float64Array,
        ];
        parts.scores(index, weights, scores);
        parts.gold(index, gold);
        const logPartition = parts.marginals(index, scores, marginals);
        const goldScore = scores.reduce((sum, score, k) => sum + score * gold[k]!, 0);
        const gradient = new SparseVector();
        const { loss } = task.expectations!(index, weights, gradient);
        expect(logPartition - goldScore).toBeCloseTo(loss, 8);
        const difference = new SparseVector();
        parts.addFeatures(
          index,
          gold.map((on, k) => on - marginals[k]!),
          difference,
        );
        for (let i = 0; i < task.dimension; i++) expect(difference.get(i)).toBeCloseTo(gradient.get(i), 8);
        expect(marginals.reduce((sum, p) => sum + p, 0)).toBeCloseTo(examples[index]!.sentence.n, 8);
      }
    }
  });

  it("have the allowed labels of each arc, and one part a word in the gold tree", () => {
    for (const [index, { sentence, arcs, gold }] of examples.entries()) {
      const on = new Float64Array(parts.count(index));
      parts.gold(index, on);
      expect(on.reduce((sum, value) => sum + value, 0)).toBe(sentence.n);
      let part = 0;
      for (let a = 0; a < arcs.head.length; a++) {
        const [h, m] = [arcs.head[a]!, arcs.modifier[a]!];
        for (const label of labelsOfArc(filter, sentence, h, m)) {
          expect(on[part++] === 1).toBe(gold.heads[m] === h && gold.labels[m] === label);
        }
      }
      expect(part).toBe(on.length);
    }
  });
});

describe("checkLearner", () => {
  it.each([
    ["mira", "ad3", 3],
    ["kbest-mira", "mst", 1],
    ["kbest-mira", "projective", 3],
    ["crf", "mst", 1],
    ["crf", "eisner", 1],
    ["svm", "hillclimb", 3],
    ["frank-wolfe", "ad3", 3],
    ["exponentiated-gradient", "mst", 1],
    ["lbfgs", "eisner", 1],
  ])("lets %s learn with %s, order %d", (learner, decoder, order) => {
    expect(() =>
      checkLearner(learnerNamed({ name: learner }), trainingDecoder(decoder), order),
    ).not.toThrow();
  });

  it.each([
    ["kbest-mira", "ad3", 2, "needs the k best trees"],
    ["kbest-mira", "hillclimb", 1, "needs the k best trees"],
    ["crf", "ad3", 1, "needs sums over trees"],
    ["crf", "projective", 2, "needs sums over trees"],
    ["lbfgs", "projective", 2, "needs sums over trees"],
    ["exponentiated-gradient", "hillclimb", 1, "needs sums over trees"],
  ])("refuses %s with %s, order %d", (name, decoder, order, message) => {
    const learner = learnerNamed({ name });
    expect(() => checkLearner(learner, trainingDecoder(decoder), order)).toThrow(UnsupportedLearner);
    expect(() => checkLearner(learner, trainingDecoder(decoder), order)).toThrow(message);
    expect(() => checkLearner(learner, trainingDecoder(decoder), order)).toThrow(
      `"${decoder}" with order ${order}`,
    );
  });
});

describe.each([...LEARNER_NAMES.map((name) => [name, "mst", 1] as const), ["crf", "eisner", 1]] as const)(
  "a parser trained by %s with %s, order %d",
  (learner, decoder, order) => {
    const sentences = Array.from({ length: 3 }, () => TREEBANK).flat();

    it("finds the trees that it was trained on, and resumes to the same bytes", async () => {
      const kept = new MemoryCheckpoint();
      const options = { learner, decoder, order, epochs: 3 };
      const model = await trainParser(sentences, { ...options, checkpoint: kept });
      const parser = createParser(model);
      for (const { sentence, tree } of TREEBANK.slice(0, 3)) {
        const parse: DependencyTree = parser.parse(sentence);
        expect([...parse.heads]).toEqual([...tree.heads]);
        expect(parse.labels.slice(1)).toEqual(tree.labels.slice(1));
      }
      const resumed = await trainParser(sentences, { ...options, checkpoint: kept.after(0) });
      expect(saveParser(resumed)).toEqual(saveParser(model));
    });
  },
);
