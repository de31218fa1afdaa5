import { completeArcs, filterArcs, random, SparseVector } from "@arcwise/core";
import { SectionTable } from "@arcwise/core/container";
import {
  ARC_TEMPLATES,
  arcFeatures,
  buildEncoder,
  distanceBucket,
  type EncodedSentence,
  lineLength,
  TENSOR_TEMPLATES,
  WordFeatures,
} from "@arcwise/core/features";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createParser,
  loadParser,
  ModelError,
  saveParser,
  type TrainOptions,
  trainParser,
} from "../src/index.ts";
import { trained } from "../src/model/model.ts";
import { checkTensor, quantizeTensor, readTensor, restoreTensor } from "../src/model/tensor-model.ts";
import { ArcScorer } from "../src/scoring/arcs/arc-scorer.ts";
import { PartScorer } from "../src/scoring/parts/part-scorer.ts";
import { SentenceScorer } from "../src/scoring/sentence-scorer.ts";
import { TensorScorer, type TensorSentence } from "../src/scoring/tensor/tensor.ts";
import { buildTensorAlphabet } from "../src/scoring/tensor/tensor-alphabet.ts";
import { sparseEntries } from "../src/scoring/tensor/tensor-entries.ts";
import { ARC_FEATURES, ARC_ROWS, arcRows } from "../src/scoring/tensor/tensor-rows.ts";
import { decompose, type RankOne, type SparseTensor } from "../src/scoring/tensor/tensor-svd.ts";
import { prepareTraining } from "../src/training/train.ts";
import { sample, TREEBANK } from "./support.ts";

const RANK = 3;
const SCALE = 0.7;
const examples = [...TREEBANK, ...sample("train").slice(0, 8)];
const encoder = buildEncoder(
  examples.map(({ sentence }) => sentence),
  1,
);
const sentences = examples.map(({ sentence }) => encoder.encode(sentence));
const words = new WordFeatures(TENSOR_TEMPLATES);
const alphabet = buildTensorAlphabet(sentences, words, 2);
const configuration = { rank: RANK, templates: TENSOR_TEMPLATES, scale: SCALE };
const FIRST = 5;

function randomScorer(seed: number) {
  const scorer = new TensorScorer({ configuration, codes: alphabet.codes });
  const stream = random(seed);
  const weights = Float32Array.from({ length: FIRST + scorer.dimension + 2 }, () => stream.normal() / 2);
  const tensor = { values: weights, first: FIRST, scale: 1 };
  return { scorer, weights, read: (sentence: EncodedSentence) => scorer.read(sentence, { tensor }) };
}

/** The score of an arc. */
function scoreOf(reading: TensorSentence, n: number, h: number, m: number): number {
  const arcs = filterArcs(n, (head, modifier) => head === h && modifier === m);
  const scores = new Float64Array(1);
  reading.addArcScores(arcs, scores);
  return scores[0]!;
}

/** Rows of the features of a word. */
function rowsOf(index: number, word: number): number[] {
  words.prepare(sentences[index]!);
  const codes = words.codes.subarray(words.start[word]!, words.start[word + 1]!);
  return [0, ...Array.from(codes, (code) => alphabet.row(code)).filter((row) => row > 0)];
}

function arcRowsOf(index: number, h: number, m: number): number[] {
  const rows = new Int32Array(ARC_FEATURES);
  arcRows(sentences[index]!, h, m, rows);
  return [...rows];
}

/** The score by its definition: a sum over all triples of features and over ranks. */
function naiveScore(index: number, h: number, m: number, weights: Float32Array): number {
  const weight = (table: number, row: number, r: number) =>
    weights[FIRST + (table * alphabet.size + row) * RANK + r]!;
  let sum = 0;
  for (const i of rowsOf(index, h)) {
    for (const j of rowsOf(index, m)) {
      for (const k of arcRowsOf(index, h, m)) {
        for (let r = 0; r < RANK; r++) sum += weight(0, i, r) * weight(1, j, r) * weight(2, k, r);
      }
    }
  }
  return SCALE * sum;
}

describe("features of words and arcs", () => {
  it("are the bias, and the features seen often enough", () => {
    const counts = new Map<number, number>();
    for (const sentence of sentences) {
      words.prepare(sentence);
      for (const code of words.codes.subarray(0, words.start[sentence.n + 1])) {
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
    const frequent = [...counts].filter(([, count]) => count >= 2).map(([code]) => code);
    expect([...alphabet.codes]).toEqual(frequent.sort((a, b) => a - b));
    expect(alphabet.size).toBe(1 + frequent.length);
    for (const [k, code] of alphabet.codes.entries()) expect(alphabet.row(code)).toBe(k + 1);
    for (const [code, count] of counts) if (count < 2) expect(alphabet.row(code)).toBe(0);
  });

  it("tell arcs apart by direction, distance and what stands between", () => {
    // The/DET dog/NOUN sees/VERB cats/NOUN
    const rows = (h: number, m: number) => arcRowsOf(1, h, m);
    expect(rows(2, 1)).not.toEqual(rows(1, 2));
    expect(rows(3, 2)).toEqual(rows(4, 3));
    expect(rows(4, 1)[3]).toBe(rows(4, 2)[3]); // one verb between
    expect(rows(4, 2)[3]).not.toBe(rows(4, 3)[3]); // none
    expect(rows(4, 1)[4]).not.toBe(rows(4, 2)[4]); // one noun, none
    const all = completeArcs(4);
    for (let a = 0; a < all.head.length; a++) {
      for (const row of rows(all.head[a]!, all.modifier[a]!)) expect(row).toBeLessThan(ARC_ROWS);
    }
  });
});

describe("TensorScorer", () => {
  it.each([0, 1, 3, 5])("scores the arcs of sentence %d as three nested loops do", (index) => {
    const { read, weights } = randomScorer(index);
    const arcs = completeArcs(sentences[index]!.n);
    const scores = new Float64Array(arcs.head.length).fill(2);
    read(sentences[index]!).addArcScores(arcs, scores);
    for (let a = 0; a < scores.length; a += index === 5 ? 17 : 1) {
      const expected = naiveScore(index, arcs.head[a]!, arcs.modifier[a]!, weights);
      expect(scores[a]! - 2).toBeCloseTo(expected, 8);
    }
  });

  it.each([0, 1, 2] as const)("gives factor %d the gradient of the score, which is linear in it", (turn) => {
    const { read, weights } = randomScorer(7);
    const sentence = sentences[2]!;
    const change = [
      { h: 2, m: 1, amount: 1 },
      { h: 2, m: 4, amount: -1 },
      { h: 0, m: 2, amount: 0.5 },
      { h: 2, m: 3, amount: 1 },
    ];
    const score = () => {
      const reading = read(sentence);
      return change.reduce((sum, { h, m, amount }) => sum + amount * scoreOf(reading, sentence.n, h, m), 0);
    };
    const before = score();
    const gradient = new SparseVector();
    read(sentence).addFeatures(change, turn, gradient);
    expect(gradient.dot(weights)).toBeCloseTo(before, 8);
    const size = alphabet.size * RANK;
    const [from, to] = [
      FIRST + turn * size,
      FIRST + (turn === 2 ? 2 * size + ARC_ROWS * RANK : (turn + 1) * size),
    ];
    for (const index of gradient.indices.subarray(0, gradient.size)) {
      expect(index).toBeGreaterThanOrEqual(from);
      expect(index).toBeLessThan(to);
    }
    for (let index = from; index < to; index += 7) {
      const kept = weights[index]!;
      weights[index] = kept + 0.5;
      expect((score() - before) / 0.5).toBeCloseTo(gradient.get(index), 5);
      weights[index] = kept;
    }
  });

  it("reads sentences in any order: each keeps its scores and its gradient", () => {
    const { read } = randomScorer(1);
    const [one, other] = [sentences[0]!, sentences[3]!];
    const reading = read(one);
    const look = () => {
      const vector = new SparseVector();
      reading.addFeatures([{ h: 2, m: 1, amount: 1 }], 0, vector);
      return [scoreOf(reading, one.n, 2, 1), [...vector.indices.subarray(0, vector.size)]];
    };
    const before = look();
    const second = read(other);
    expect(look()).toEqual(before);
    second.addFeatures([{ h: 0, m: 3, amount: 1 }], 0, new SparseVector());
    expect(look()).toEqual(before);
  });

  it("adds to the scores of arcs, whatever their labels", () => {
    const { scorer, weights } = randomScorer(3);
    const parts = new PartScorer({}, 8);
    const arcs = new ArcScorer(arcFeatures(ARC_TEMPLATES, 8, lineLength(0)), 0);
    const values = Float32Array.from({ length: lineLength(0) * 2 ** 8 }, () => 0.1);
    const table = { values, first: 0, scale: 1 };
    const tensor = { values: weights, first: FIRST, scale: 1 };
    const all = { arcs: table, parts: table, tensor, trees: undefined };
    const candidates = ({ n }: EncodedSentence) => completeArcs(n);
    const both = new SentenceScorer({ arcs, parts, tensor: scorer }, [scorer], candidates);
    const plain = new SentenceScorer({ arcs, parts }, [], candidates);
    const sentence = sentences[2]!;
    const expected = plain.score(sentence, all).problem.arcScores;
    scorer.read(sentence, { tensor }).addArcScores(completeArcs(sentence.n), expected);
    expect(both.score(sentence, all).problem.arcScores).toEqual(expected);
    expect(both.sum(sentence, all, {}).scores).toEqual(expected);
  });

  it("refuses too few weights, and templates that cannot be read", () => {
    const { scorer } = randomScorer(0);
    const tensor = { values: new Float32Array(10), first: 2, scale: 1 };
    expect(() => scorer.read(sentences[0]!, { tensor })).toThrow(/weights of a tensor from 2 on, got 10/);
    const twice = { configuration: { ...configuration, templates: ["feat feat"] } };
    const wrong = { ...configuration, templates: ["upos colour"] };
    expect(() => new TensorScorer({ configuration: wrong, codes: alphabet.codes })).toThrow(
      /found "m.colour"/,
    );
    expect(() => new TensorScorer({ ...twice, codes: alphabet.codes })).toThrow(/twice/);
  });
});

/** A sum of rank-one tensors as a dense array. */
function dense(terms: readonly RankOne[], [n, m, k]: readonly [number, number, number]): Float64Array {
  const values = new Float64Array(n * m * k);
  for (const { weight, head, modifier, arc } of terms) {
    for (let i = 0; i < values.length; i++) {
      values[i]! += weight * head[Math.floor(i / (m * k))]! * modifier[Math.floor(i / k) % m]! * arc[i % k]!;
    }
  }
  return values;
}

function sparse(values: Float64Array, words: number, arcRows: number): SparseTensor {
  const places = [...values.keys()].filter((i) => values[i] !== 0);
  return {
    heads: Int32Array.from(places, (i) => Math.floor(i / (words * arcRows))),
    modifiers: Int32Array.from(places, (i) => Math.floor(i / arcRows) % words),
    arcs: Int32Array.from(places, (i) => i % arcRows),
    values: Float64Array.from(places, (i) => values[i]!),
    words,
    arcRows,
  };
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0);
}

describe("decompose", () => {
  const unit = (size: number, place: number) => new Float64Array(size).fill(1, place, place + 1);

  it("finds the terms of a tensor whose terms are orthogonal, largest first", () => {
    const mixed = Float64Array.of(0.6, 0.8, 0, 0, 0, 0);
    const terms = [5, 3, 1].map((weight, i) => ({
      weight,
      head: unit(6, i),
      modifier: i === 0 ? mixed : unit(6, i + 2),
      arc: unit(2, i % 2),
    }));
    const values = dense(terms, [6, 6, 2]);
    const found = decompose(sparse(values, 6, 2), 3, 1);
    for (const [i, { weight }] of found.entries()) expect(weight).toBeCloseTo(terms[i]!.weight, 10);
    expect(squaredDistance(dense(found, [6, 6, 2]), values)).toBeLessThan(1e-18);
    const first = decompose(sparse(values, 6, 2), 1, 1);
    expect(squaredDistance(dense(first, [6, 6, 2]), values)).toBeCloseTo(3 ** 2 + 1, 10);
    expect(decompose(sparse(values, 6, 2), 6, 1)).toHaveLength(3);
  });

  it("approximates matrices as well as any matrix of the rank does (Eckart and Young)", () => {
    const entry = fc.integer({ min: -3, max: 3 });
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 36, maxLength: 36 }),
        fc.integer({ min: 1, max: 5 }),
        (list, rank) => {
          const values = Float64Array.from(list);
          const all = decompose(sparse(values, 6, 1), 6, 1);
          expect(squaredDistance(dense(all, [6, 6, 1]), values)).toBeLessThan(1e-12);
          const some = decompose(sparse(values, 6, 1), rank, 2);
          const cut = all.slice(rank).reduce((sum, { weight }) => sum + weight ** 2, 0);
          expect(squaredDistance(dense(some, [6, 6, 1]), values)).toBeCloseTo(cut, 6);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("has no terms for a tensor of zeros", () => {
    expect(decompose(sparse(new Float64Array(8), 2, 2), 2, 1)).toEqual([]);
  });
});

describe("sparseEntries", () => {
  // Contexts of both words are among those of the tensor, but for the last template.
  const templates = [
    "h.lemma",
    "m.upos m.feats",
    "h.upos m.upos",
    "h.lemma m.upos",
    "h.upos h.feat m.upos m.feat",
    "m.upos m.feat",
    "h.upos m.upos count.verb",
  ];
  const others = ["h.upos between.upos m.upos", "h.shape m.shape"];
  const all = buildTensorAlphabet(sentences, words, 1);

  it("holds for each arc what its sparse features sum up to", () => {
    const [bits, length] = [12, lineLength(0)];
    const stream = random(1);
    const weights = Float32Array.from({ length: length << bits }, () => stream.normal());
    const arcs = sentences.map(({ n }) => completeArcs(n));
    const sparseArcs = { templates: [...templates, ...others], bits, length, weights };
    const tensor = sparseEntries(sentences, arcs, sparseArcs, TENSOR_TEMPLATES, all);
    const entries = new Map<string, number>();
    for (let k = 0; k < tensor.values.length; k++) {
      entries.set(`${tensor.heads[k]} ${tensor.modifiers[k]} ${tensor.arcs[k]}`, tensor.values[k]!);
    }
    const rows = (index: number, word: number) => {
      words.prepare(sentences[index]!);
      return [
        0,
        ...Array.from(words.codes.subarray(words.start[word], words.start[word + 1]), (c) => all.row(c)),
      ];
    };
    const lines = new Int32Array(1000);
    for (const index of [1, 2, 5]) {
      for (const [h, m] of [
        [2, 1],
        [1, 3],
        [0, 2],
      ] as const) {
        let expected = 0;
        for (const template of templates) {
          const features = arcFeatures([template], bits, length);
          features.prepare(sentences[index]!);
          const add = (count: number) => {
            for (const line of lines.subarray(0, count)) {
              expected += weights[line]!;
              if (!template.includes("count")) expected += weights[line + distanceBucket(Math.abs(h - m))]!;
            }
          };
          add(features.arc(h, m, lines));
          add(features.head(h, h < m, lines));
          add(features.modifier(m, h < m, lines));
        }
        let found = 0;
        const [heads, modifiers, places] = [rows(index, h), rows(index, m), arcRowsOf(index, h, m)];
        for (const i of heads) {
          for (const j of modifiers) for (const k of places) found += entries.get(`${i} ${j} ${k}`) ?? 0;
        }
        expect(found).toBeCloseTo(expected, 5);
      }
    }
  });
});

describe("a quantised tensor", () => {
  const settings = { configuration, codes: alphabet.codes };
  const stream = random(5);
  const { dimension } = new TensorScorer({ configuration, codes: alphabet.codes });
  const weights = Float32Array.from({ length: dimension }, (_, i) =>
    i < 9 ? 0 : stream.normal() * 2 ** (i % 9),
  );
  const rest = quantizeTensor(settings, weights);
  const { codes: tensorCodes, values: tensor, scales: tensorScales } = rest;
  const vectors = { tensorCodes, tensor, tensorScales };
  const sections = [
    { name: "tensorCodes", type: "int32", entries: tensorCodes.length, bytes: 2 ** 30 },
    { name: "tensor", type: "int8", entries: tensor.length, bytes: 2 ** 30 },
    { name: "tensorScales", type: "float32", entries: tensorScales.length, bytes: 2 ** 30 },
  ] as const;

  it("keeps each weight to half a step of its row", () => {
    const restored = restoreTensor(rest);
    for (let row = 0; row < dimension / RANK; row++) {
      const own = weights.subarray(row * RANK, (row + 1) * RANK);
      const largest = Math.max(...own.map(Math.abs));
      for (const [r, weight] of own.entries()) {
        expect(Math.abs(restored[row * RANK + r]! - weight)).toBeLessThanOrEqual(
          (largest / 254) * (1 + 1e-5),
        );
      }
    }
    expect(() => quantizeTensor(settings, weights.with(4, Number.NaN))).toThrow(
      /number 4 of the weights of the tensor: .* got NaN/,
    );
  });

  it.each([
    ["a rank that is none", { ...configuration, rank: 0 }, sections, /tensor\.rank/],
    ["templates that are none", { ...configuration, templates: [1] }, sections, /tensor\.templates\[0\]/],
    ["no codes", configuration, sections.slice(1), /section "tensorCodes" of int32/],
    [
      "another rank",
      { ...configuration, rank: RANK + 1 },
      sections,
      /expected \d+ entries of its section "tensor", found/,
    ],
    [
      "a vector of another type",
      configuration,
      [sections[0], { ...sections[1], type: "float32" as const }],
      /"tensor" of int8/,
    ],
    [
      "scales of another number",
      configuration,
      [...sections.slice(0, 2), { ...sections[2], entries: 3 }],
      /"tensorScales", found 3/,
    ],
  ])("is refused with %s", (_, header, found, message) => {
    const check = (value: unknown, listed: typeof found) => () =>
      checkTensor(value, new SectionTable("model", listed));
    expect(check(configuration, [...sections])).not.toThrow();
    expect(check(header, found)).toThrow(ModelError);
    expect(check(header, found)).toThrow(message);
  });

  it.each([
    ["features out of order", { ...vectors, tensorCodes: tensorCodes.toReversed() }, /not in order/],
    ["a negative scale", { ...vectors, tensorScales: tensorScales.with(0, -1) }, /scales of its tensor/],
    ["a missing vector", { tensorCodes, tensor }, /no weights of the tensor/],
  ])("is refused with %s", (_, found, message) => {
    expect(readTensor(configuration, vectors)).toEqual(rest);
    expect(() => readTensor(configuration, found)).toThrow(message);
  });
});

describe("training with a tensor", () => {
  const treebank = sample("train").slice(0, 12);
  const common: TrainOptions = {
    epochs: 2,
    prune: false,
    labels: { labeller: "joint" },
    tensor: { rank: 4 },
  };

  it.each<[string, TrainOptions]>([
    ["mira, first order", {}],
    ["crf, from a start at random", { learner: "crf", tensor: { rank: 4, start: "random" } }],
    ["k-best mira, second order", { order: 2, learner: "kbest-mira" }],
  ])("gives the same model again, and resumed after an epoch: %s", async (_, options) => {
    const states: Uint8Array[] = [];
    const all = { ...common, ...options };
    const model = await trainParser(treebank, {
      ...all,
      onCheckpoint: (state) => void states.push(state.slice()),
    });
    const bytes = saveParser(model);
    const resumed = await trainParser(treebank, { ...all, resume: states[0]! });
    expect(Buffer.compare(bytes, saveParser(resumed))).toBe(0);
    const { tensor } = trained(model);
    expect(tensor!.scales.filter((scale) => scale > 0).length).toBeGreaterThan(5);
    const loaded = createParser(loadParser(bytes));
    const parser = createParser(model);
    for (const { sentence } of treebank.slice(0, 3)) {
      expect(loaded.parse(sentence)).toEqual(parser.parse(sentence));
    }
  });

  it("learns what the arcs alone are scored by: without the tensor the scores differ", async () => {
    const model = trained(await trainParser(treebank, common));
    const { tensor: _, ...without } = model;
    const { sentence } = treebank[0]!;
    const scores = (of: typeof without) => createParser(of).read([sentence])[0]!.problem().arcScores;
    const difference = squaredDistance(scores(model), scores(without));
    expect(difference).toBeGreaterThan(1e-3);
  });

  // It begins from weights of arcs alone, by another decoder, which takes neither of the two.
  it.each<TrainOptions>([
    { decoder: "hillclimb", global: true },
    { decoder: "ad3", learning: { fractional: true } },
  ])("goes with %o", async (options) => {
    const parser = createParser(await trainParser(treebank, { ...common, ...options, epochs: 1 }));
    expect(parser.parse(treebank[0]!.sentence).heads).toHaveLength(treebank[0]!.sentence.length + 1);
  });

  it("is not for those who learn weights elsewhere", async () => {
    await expect(prepareTraining(treebank, common)).rejects.toThrow(/only trainParser finds/);
  });
});
