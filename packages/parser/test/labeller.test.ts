import { random, SparseVector } from "@arcwise/core";
import { quantize } from "@arcwise/core/container";
import { buildEncoder, type EncodedSentence, type Weights } from "@arcwise/core/features";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Labeller } from "../src/labelling/labeller.ts";
import { type LabellerConfiguration, labellerDimension } from "../src/labelling/labeller-configuration.ts";
import { trainLabeller } from "../src/labelling/labeller-training.ts";
import { buildLabelFilter, type LabelFilter } from "../src/scoring/arcs/label-filter.ts";
import { parseTreeTemplate } from "../src/scoring/templates/labeller-templates.ts";

const LABELS = 3;
const SMALL: LabellerConfiguration = {
  arcTemplates: ["m.lemma", "h.upos m.upos"],
  treeTemplates: [
    "g.upos m.lemma",
    "m.upos c.lemma",
    "m.upos s.lemma tree.place",
    "p.label",
    "h.upos m.lemma p.label",
    "h.label m.upos",
    "h.label h.lemma tree.below",
  ],
  bits: 8,
  most: LABELS,
  margin: 1e3,
};

function sentenceOf(words: readonly string[]): EncodedSentence {
  const sentence = words.map((form) => ({ form, lemma: form, upos: form[0]! }));
  return buildEncoder([sentence], 1).encode(sentence);
}

/** Heads of a random tree: each word, in a random order, hangs off the root or an earlier word. */
function randomHeads(n: number, seed: number): Int32Array {
  const source = random(seed);
  const order = source.shuffle(Int32Array.from({ length: n }, (_, i) => i + 1));
  const heads = new Int32Array(n + 1).fill(-1);
  for (let k = 0; k < n; k++) heads[order[k]!] = k === 0 ? 0 : order[Math.floor(source.next() * k)]!;
  return heads;
}

/** Every pair of tags may have the labels of the bits of the mask. */
function filterOf(masks: readonly number[]): LabelFilter {
  const list: number[] = [];
  const start = new Int32Array(32 * 32 + 1);
  for (let pair = 0; pair < 32 * 32; pair++) {
    const mask = masks[pair % masks.length]!;
    for (let label = 0; label < LABELS; label++) if ((mask >> label) & 1) list.push(label);
    start[pair + 1] = list.length;
  }
  return { start, list: Int32Array.from(list) };
}

function* labellings(sentence: EncodedSentence, heads: Int32Array, { start, list }: LabelFilter) {
  const labels = new Int32Array(sentence.n + 1).fill(-1);
  const allowed = Array.from(labels, (_, m) => {
    const pair = m === 0 ? 0 : sentence.tag[heads[m]!]! * 32 + sentence.tag[m]!;
    return m === 0 ? Int32Array.of(-1) : list.slice(start[pair]!, start[pair + 1]!);
  });
  const total = allowed.reduce((product, choices) => product * choices.length, 1);
  for (let code = 0; code < total; code++) {
    let rest = code;
    for (let m = 1; m <= sentence.n; m++) {
      labels[m] = allowed[m]![rest % allowed[m]!.length]!;
      rest = Math.floor(rest / allowed[m]!.length);
    }
    yield labels.slice();
  }
}

const problems = fc
  .record({
    words: fc.array(fc.constantFrom("va", "vb", "na", "nb", "nc", "d"), { minLength: 1, maxLength: 5 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
    masks: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
  })
  .map(({ words, seed, masks }) => {
    const source = random(seed);
    const weights = Float32Array.from(
      { length: labellerDimension(SMALL, LABELS) },
      () => source.next() - 0.5,
    );
    return {
      sentence: sentenceOf(words),
      heads: randomHeads(words.length, seed),
      filter: filterOf(masks),
      weights,
      seed,
    };
  });

/** A labeller of `LABELS` labels. */
function labellerOf(
  configuration: LabellerConfiguration,
  filter: LabelFilter,
  values: Weights,
  scale: number,
): Labeller {
  return new Labeller({ configuration, weights: { values, scale } }, LABELS, filter);
}

describe("labelling a tree", () => {
  test("finds the labels of highest score among all that are allowed", () => {
    fc.assert(
      fc.property(problems, ({ sentence, heads, filter, weights }) => {
        const labeller = labellerOf(SMALL, filter, weights, 1);
        const best = labeller.label(sentence, heads);
        const difference = new SparseVector();
        let seen = false;
        for (const other of labellings(sentence, heads, filter)) {
          difference.clear();
          const wrong = labeller.addDifference(heads, best, other, difference);
          expect(wrong).toBe(best.reduce((count, label, m) => count + (label === other[m] ? 0 : 1), 0));
          expect(difference.dot(weights)).toBeGreaterThanOrEqual(-1e-6);
          seen ||= wrong === 0;
        }
        expect(seen).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("adds other scores of single labels to its own, whatever a weight is worth", () => {
    fc.assert(
      fc.property(problems, fc.constantFrom(1, 0.25), (problem, scale) => {
        const { sentence, heads, filter, weights, seed } = problem;
        const { normal } = random(seed).fork(2);
        const others = Float64Array.from({ length: (sentence.n + 1) * LABELS }, normal);
        const sumOf = (labels: Int32Array) =>
          labels.subarray(1).reduce((sum, label, k) => sum + others[(k + 1) * LABELS + label]!, 0);
        const labeller = labellerOf(SMALL, filter, weights, scale);
        const best = labeller.label(sentence, heads, undefined, others);
        const difference = new SparseVector();
        for (const other of labellings(sentence, heads, filter)) {
          difference.clear();
          labeller.addDifference(heads, best, other, difference);
          expect(scale * difference.dot(weights) + sumOf(best) - sumOf(other)).toBeGreaterThanOrEqual(-1e-6);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("with costs, finds those of highest score plus cost; words without a gold label cost nothing", () => {
    fc.assert(
      fc.property(problems, fc.double({ min: 0.1, max: 3, noNaN: true }), (problem, cost) => {
        const { sentence, heads, filter, weights, seed } = problem;
        const all = [...labellings(sentence, heads, filter)];
        const source = random(seed).fork(1);
        const gold = all[Math.floor(source.next() * all.length)]!.slice();
        for (let m = 1; m <= sentence.n; m++) if (source.next() < 0.3) gold[m] = -1;
        const labeller = labellerOf(SMALL, filter, weights, 1);
        const costOf = (labels: Int32Array) =>
          labels.reduce((sum, label, m) => sum + (gold[m]! < 0 || label === gold[m] ? 0 : cost), 0);
        const best = labeller.label(sentence, heads, { labels: gold, cost });
        const difference = new SparseVector();
        for (const other of all) {
          difference.clear();
          labeller.addDifference(heads, best, other, difference);
          expect(difference.dot(weights) + costOf(best) - costOf(other)).toBeGreaterThanOrEqual(-1e-6);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("keeps the gold label among the candidates in training, however low its score", () => {
    const sentence = sentenceOf(["va", "na", "nb"]);
    const heads = Int32Array.of(-1, 0, 1, 1);
    const configuration = { ...SMALL, treeTemplates: ["p.label"], most: 1 };
    const weights = new Float32Array(labellerDimension(configuration, LABELS));
    for (let i = 0; i < weights.length; i += 8) weights[i] = 1;
    const labeller = labellerOf(configuration, filterOf([7]), weights, 1);
    expect([...labeller.label(sentence, heads)]).toEqual([-1, 0, 0, 0]);
    const labels = Int32Array.of(-1, 2, -1, 1);
    expect([...labeller.label(sentence, heads, { labels, cost: 1 })]).toEqual([-1, 2, 0, 1]);
  });

  test("bytes with a scale give the labels of the weights that they stand for", () => {
    fc.assert(
      fc.property(problems, ({ sentence, heads, filter, weights }) => {
        const { values, scale } = quantize(weights);
        const restored = Float32Array.from(values, (value) => value * scale);
        const ofBytes = labellerOf(SMALL, filter, values, scale).label(sentence, heads);
        const labeller = labellerOf(SMALL, filter, restored, 1);
        const ofFloats = labeller.label(sentence, heads);
        const difference = new SparseVector();
        labeller.addDifference(heads, ofFloats, ofBytes, difference);
        expect(Math.abs(difference.dot(restored))).toBeLessThan(1e-5);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ["no word", [], [-1]],
    ["one word", ["va"], [-1, 0]],
  ])("%s", (_, words, heads) => {
    const weights = new Float32Array(labellerDimension(SMALL, LABELS));
    const labels = labellerOf(SMALL, filterOf([6]), weights, 1).label(
      sentenceOf(words),
      Int32Array.from(heads),
    );
    expect([...labels]).toEqual(words.length === 0 ? [-1] : [-1, 1]);
  });

  test("long chains and broad trees do not overflow, and leave an instance as it was", () => {
    const n = 1500;
    const long = sentenceOf(Array.from({ length: n }, (_, i) => (i % 3 === 0 ? "va" : "nb")));
    const short = sentenceOf(["va", "na", "nb"]);
    const heads = Int32Array.of(-1, 0, 1, 1);
    const source = random(3);
    const weights = Float32Array.from(
      { length: labellerDimension(SMALL, LABELS) },
      () => source.next() - 0.5,
    );
    const labeller = labellerOf(SMALL, filterOf([7]), weights, 1);
    const before = labeller.label(short, heads);
    const chain = labeller.label(
      long,
      Int32Array.from({ length: n + 1 }, (_, m) => m - 1),
    );
    const star = labeller.label(
      long,
      Int32Array.from({ length: n + 1 }, (_, m) => Math.min(m - 1, 1)),
    );
    for (const labels of [chain, star]) {
      expect(labels.length).toBe(n + 1);
      expect(labels.slice(1).every((label) => label >= 0 && label < LABELS)).toBe(true);
    }
    expect(labeller.label(short, heads)).toEqual(before);
  });

  test("refuses what is no tree, and weights that are no numbers or too few", () => {
    const sentence = sentenceOf(["va", "na"]);
    const weights = new Float32Array(labellerDimension(SMALL, LABELS));
    const labeller = labellerOf(SMALL, filterOf([7]), weights, 1);
    expect(() => labeller.label(sentence, Int32Array.of(-1, 0))).toThrow(RangeError);
    expect(() => labeller.label(sentence, Int32Array.of(-1, 2, 1))).toThrow(/cycle/);
    expect(() => labellerOf(SMALL, filterOf([7]), weights.subarray(1), 1)).toThrow(/weights/);
    expect(() => labellerOf({ ...SMALL, most: 0 }, filterOf([7]), weights, 1)).toThrow(/255/);
    weights.fill(Number.NaN);
    expect(() => labeller.label(sentence, Int32Array.of(-1, 0, 1))).toThrow(/NaN/);
  });
});

describe("templates", () => {
  test.each([
    ["h.upos m-1.lemma", 2, -1, "none"],
    ["m.upos c.lemma c.feats", 3, 7, "none"],
    ["s.upos tree.place", 2, 8, "none"],
    ["p.label", 0, -1, "p.label"],
    ["h.label h.upos m.upos", 2, -1, "h.label"],
  ])("%s", (text, pieces, turn, context) => {
    const template = parseTreeTemplate(text);
    expect([template.pieces.length, template.turn, template.context]).toEqual([pieces, turn, context]);
  });

  test.each([
    ["x.upos", /expected W.A with W one of m, h/],
    ["m.colour", /expected W.A with W one of m, h/],
    ["tree.colour", /expected W.A with W one of m, h/],
    ["m.label", /expected W.A with W one of m, h/],
    ["m+3.upos", /up to 2 words/],
    ["g-1.upos", /up to 2 words/],
    ["m.upos m.upos", /twice/],
    ["c.upos s.upos", /at most one/],
    ["p.label h.label", /at most one/],
    ["p.label c.upos", /at most one/],
  ])("%s is refused", (text, message) => {
    expect(() => parseTreeTemplate(text)).toThrow(message);
  });
});

/**
 * A language in which the arc alone never tells the label: nouns below a verb are label 0 when they are its
 * first modifier, and 1 otherwise; determiners have label 0 below a noun of label 0, and 2 below another.
 */
function treebank(size: number, seed: number) {
  const source = random(seed);
  const pick = (from: number, to: number) => from + Math.floor(source.next() * (to - from + 1));
  return Array.from({ length: size }, () => {
    const words = ["v"];
    const heads = [-1, 0];
    const labels = [-1, 2];
    for (let noun = 0, nouns = pick(1, 4); noun < nouns; noun++) {
      words.push("d", "n");
      heads.push(words.length, 1);
      labels.push(noun === 0 ? 0 : 2, noun === 0 ? 0 : 1);
    }
    return { words, tree: { heads: Int32Array.from(heads), labels: Int32Array.from(labels) } };
  });
}

describe("training", () => {
  const train = treebank(60, 1);
  const held = treebank(40, 2);
  const sentences = train.map(({ words }) => sentenceOf(words));
  const trees = train.map(({ tree }) => tree);
  const filter = buildLabelFilter(sentences, trees, LABELS);
  const options = { labels: LABELS, filter, epochs: 3, seed: 1 };

  function accuracy(configuration: LabellerConfiguration, weights: Float32Array): number {
    const labeller = labellerOf(configuration, filter, weights, 1);
    let right = 0;
    let total = 0;
    for (const { words, tree } of held) {
      const labels = labeller.label(sentenceOf(words), tree.heads);
      for (let m = 1; m < labels.length; m++) if (labels[m] === tree.labels[m]) right++;
      total += words.length;
    }
    return right / total;
  }

  test("labels that depend on labels are learnt", async () => {
    const arcTemplates = ["m.upos", "h.upos m.upos"];
    const alone = { ...SMALL, arcTemplates, treeTemplates: [] };
    const chained = { ...alone, treeTemplates: ["tree.rank m.upos", "p.label", "h.label m.upos"] };
    const weightsAlone = await trainLabeller(sentences, trees, { ...options, configuration: alone });
    const weights = await trainLabeller(sentences, trees, { ...options, configuration: chained });
    expect(accuracy(alone, weightsAlone)).toBeLessThan(0.9);
    expect(accuracy(chained, weights)).toBe(1);
  });

  test("the same seed gives the same weights, another seed others", async () => {
    const configuration = SMALL;
    const once = await trainLabeller(sentences, trees, { ...options, configuration });
    const again = await trainLabeller(sentences, trees, { ...options, configuration });
    const other = await trainLabeller(sentences, trees, { ...options, configuration, seed: 2 });
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });

  test("words with a wrong head teach nothing: they only make the average one over more steps", async () => {
    const one = sentenceOf(["v", "d", "n"]);
    const gold = { heads: Int32Array.of(-1, 0, 3, 1), labels: Int32Array.of(-1, 2, 1, 0) };
    const once = { ...options, filter: filterOf([7]), configuration: SMALL, epochs: 1 };
    const alone = await trainLabeller([one], [gold], once);
    const beside = await trainLabeller([one], [gold], { ...once, heads: [Int32Array.of(-1, 3, 1, 0)] });
    const learnt = [...alone.keys()].filter((i) => alone[i] !== 0);
    const shares = new Set(learnt.map((i) => beside[i]! / alone[i]!));
    expect(learnt.length).toBeGreaterThan(0);
    expect(shares.size).toBe(1);
    expect([0.5, 1]).toContain([...shares][0]);
    expect(beside.every((weight, i) => weight === 0 || alone[i] !== 0)).toBe(true);
  });

  test("words with a right head in a tree with faults do teach", async () => {
    const one = sentenceOf(["v", "d", "n"]);
    const unknown = { heads: Int32Array.of(-1, 0, 3, 1), labels: Int32Array.of(-1, -1, -1, -1) };
    const gold = { ...unknown, labels: Int32Array.of(-1, 2, 1, 2) };
    const once = { ...options, filter: filterOf([7]), configuration: SMALL, epochs: 1 };
    const heads = [Int32Array.of(-1, 0, 1, 1)];
    expect((await trainLabeller([one], [unknown], { ...once, heads })).every((w) => w === 0)).toBe(true);
    expect((await trainLabeller([one], [gold], { ...once, heads })).some((w) => w !== 0)).toBe(true);
    const configuration = { ...SMALL, arcTemplates: [], treeTemplates: ["h.upos m.upos tree.beside"] };
    const weights = await trainLabeller([one], [gold], { ...once, configuration, epochs: 4, heads });
    const labeller = labellerOf(configuration, filterOf([7]), weights, 1);
    const labels = labeller.label(one, heads[0]!);
    expect([labels[1], labels[3]]).toEqual([2, 2]);
  });

  test("refuses numbers of trees that do not agree", async () => {
    await expect(trainLabeller(sentences, trees.slice(1), options)).rejects.toThrow(RangeError);
    await expect(trainLabeller(sentences, trees, { ...options, heads: [] })).rejects.toThrow(RangeError);
  });
});
