import { completeArcs, filterArcs, random, type Sentence, SparseVector } from "@arcwise/core";
import { type Section, SectionTable } from "@arcwise/core/container";
import { buildEncoder, TENSOR_TEMPLATES, WordFeatures } from "@arcwise/core/features";
import { describe, expect, it } from "vitest";
import {
  createParser,
  lexiconVectors,
  loadParser,
  readWordVectors,
  saveParser,
  type TrainOptions,
  trainParser,
  WordVectorError,
} from "../src/index.ts";
import {
  checkTensor,
  quantizeTensor,
  readTensor,
  tensorHeader,
  tensorVectors,
} from "../src/model/tensor-model.ts";
import { TensorScorer, type TensorSentence } from "../src/scoring/tensor/tensor.ts";
import { buildTensorAlphabet } from "../src/scoring/tensor/tensor-alphabet.ts";
import { ARC_FEATURES, arcRows } from "../src/scoring/tensor/tensor-rows.ts";
import { quantizeVectors, withVectors } from "../src/scoring/tensor/word-vectors.ts";
import { sample, TREEBANK } from "./support.ts";

const VECTORS = {
  dimension: 2,
  words: ["dog", "cat", "she", "Cats", "now"],
  values: Float32Array.of(3, 4, 0, 2, -1, 0, 1, 1, 0, 0),
};

describe("lexiconVectors", () => {
  const LEXICON = [
    "dog\tdogs\tN;PL",
    "dog\tdogs\tV;3;SG\tdog|s",
    "",
    "be\tare\tV;PL\r",
    "hot dog\thot dogs\tN;PL",
    "a b\ta\tN;SG",
  ];
  const table = async (minimumCount: number) => {
    const { dimension, words, values } = await lexiconVectors(LEXICON, { minimumCount });
    return words.map((word, w) => [word, ...values.subarray(w * dimension, (w + 1) * dimension)]);
  };

  it("has a number for each attribute, 1 where an analysis of the word has it", async () => {
    // 3, N, PL, SG, V
    expect(await table(1)).toEqual([
      ["dogs", 1, 1, 1, 1, 1],
      ["are", 0, 0, 1, 0, 1],
      ["a", 0, 1, 0, 1, 0],
    ]);
    expect(await table(2)).toEqual([
      ["dogs", 1, 1, 1, 1],
      ["are", 0, 1, 0, 1],
      ["a", 1, 0, 1, 0],
    ]);
  });

  it.each([
    [
      ["dog\tdogs\tN", "dog dogs N"],
      'l.tsv:2: expected lemma, form and attributes with tabs between them, found "dog dogs N"',
    ],
    [["dog\t\tN"], 'l.tsv:1: expected lemma, form and attributes with tabs between them, found "dog\\t\\tN"'],
    [[], "l.tsv: expected attributes of at least 5 words, found none"],
    [["dog\tdogs\tN"], "l.tsv: expected attributes of at least 5 words, found none"],
    [
      Array.from({ length: 5 }, (_, w) => `l\tw${w}\t${Array.from({ length: 4097 }, (_, a) => a).join(";")}`),
      "l.tsv: expected at most 4096 attributes, found 4097 of at least 5 words",
    ],
  ])("refuses lines as in case %#", async (lines, message) => {
    const error = await lexiconVectors(lines, { source: "l.tsv" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WordVectorError);
    expect((error as Error).message).toBe(message);
  });
});

describe("readWordVectors", () => {
  it.each([
    ["with a header", ["3 2", "a 1 2", "b -0.5 1e-2", "c 3 4 "]],
    ["without", ["a 1 2", "b -0.5 1e-2", "", "c 3 4"]],
    ["with tabs and the ends of lines of Windows", ["3\t2\r", "a\t1\t2\r", "b\t-0.5\t1e-2\r", "c\t3\t4\r"]],
  ])("reads a file %s", async (_, lines) => {
    const { dimension, words, values } = await readWordVectors(lines);
    expect(dimension).toBe(2);
    expect(words).toEqual(["a", "b", "c"]);
    expect([...values]).toEqual([1, 2, -0.5, Math.fround(1e-2), 3, 4]);
  });

  it("keeps the first of each word, the first so many, and the words asked for", async () => {
    async function* lines() {
      yield* ["a 1", "b 2", "a 3", "c 4", "d 5", "e 6"];
    }
    const { words, values } = await readWordVectors(lines(), { most: 2, keep: (word) => word === "d" });
    expect(words).toEqual(["a", "b", "d"]);
    expect([...values]).toEqual([1, 2, 5]);
  });

  it.each([
    [["2 2", "a 1 2", "b 1"], "v.txt:3: expected a word and 2 numbers, found 1 numbers"],
    [["a 1 2", "b 1 2 3"], "v.txt:2: expected a word and 2 numbers, found 3 numbers"],
    [["a 1 2", "b 1 x"], 'v.txt:2: expected a number as field 3, found "x"'],
    [["a 1 2", "b Infinity 2"], 'v.txt:2: expected a number as field 2, found "Infinity"'],
    [["a"], "v.txt:1: expected from 1 to 4096 numbers a word, found 0"],
    [["9 100000"], "v.txt:1: expected from 1 to 4096 numbers a word, found 100000"],
    [["4 2"], "v.txt: expected vectors of words, found none"],
    [[], "v.txt: expected vectors of words, found none"],
  ])("refuses %j", async (lines, message) => {
    const error = await readWordVectors(lines, { source: "v.txt" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WordVectorError);
    expect((error as Error).message).toBe(message);
  });
});

describe("quantizeVectors", () => {
  const { values, scales } = quantizeVectors(VECTORS);
  const restored = (word: number) =>
    Array.from(values.subarray(2 * word, 2 * word + 2), (value) => value * scales[word]!);

  it("gives vectors length 1, but for zeros", () => {
    // 3 and 4 are rounded to 5 and 7.
    expect(restored(0)[0]).toBeCloseTo(5 / Math.hypot(5, 7), 6);
    expect(restored(0)[1]).toBeCloseTo(7 / Math.hypot(5, 7), 6);
    expect(restored(2)[0]).toBeCloseTo(-1, 6);
    expect(restored(4)).toEqual([0, 0]);
    for (let word = 0; word < 4; word++) expect(Math.hypot(...restored(word))).toBeCloseTo(1, 6);
  });

  it.each([
    [{ ...VECTORS, dimension: 3 }, /expected 5 vectors of 3 numbers, got 10/],
    [{ ...VECTORS, words: ["a", "a", "b", "c", "d"] }, /"a" comes twice/],
    [{ ...VECTORS, beginnings: 0 }, /expected a minimum length of beginnings from 1 to 1000, got 0/],
    [{ ...VECTORS, beginnings: 2.5 }, /beginnings from 1 to 1000, got 2.5/],
    [{ ...VECTORS, beginnings: 1001 }, /beginnings from 1 to 1000, got 1001/],
    [{ ...VECTORS, values: VECTORS.values.with(3, Number.NaN) }, /number 3 of the word vectors: .* got NaN/],
  ])("refuses %j", (vectors, message) => {
    expect(() => quantizeVectors(vectors)).toThrow(message);
  });
});

const vectors = quantizeVectors(VECTORS);
const encoder = withVectors(
  buildEncoder(
    TREEBANK.map(({ sentence }) => sentence),
    1,
  ),
  vectors,
);
const configuration = { rank: 2, templates: TENSOR_TEMPLATES, scale: 0.5 };
const sentences = TREEBANK.map(({ sentence }) => encoder.encode(sentence));
const { codes } = buildTensorAlphabet(sentences, new WordFeatures(TENSOR_TEMPLATES), 2);

describe("vectors in a tensor", () => {
  const scorer = new TensorScorer({ configuration, codes, vectors });
  const stream = random(4);
  const weights = Float32Array.from({ length: scorer.dimension }, () => stream.normal());
  const tensor = { values: weights, first: 0, scale: 1 };
  const scoreOf = (reading: TensorSentence, n: number, h: number, m: number) => {
    const scores = new Float64Array(1);
    reading.addArcScores(
      filterArcs(n, (head, modifier) => head === h && modifier === m),
      scores,
    );
    return scores[0]!;
  };

  it("are found by the form, or by the form in lower case", () => {
    // Cats she now sees; Dogs has none, dog has one.
    expect([...sentences[3]!.vectors!]).toEqual([0, 4, 3, 5, 0]);
    expect([...sentences[1]!.vectors!]).toEqual([0, 0, 1, 0, 0]);
  });

  it("are those of the longest beginning that has one, if asked", () => {
    const rows = (beginnings: number | undefined, ...forms: string[]) => {
      const found = withVectors(buildEncoder([], 1), quantizeVectors({ ...VECTORS, beginnings })).encode(
        forms.map((form) => ({ form })),
      );
      return [...found.vectors!.subarray(1)];
    };
    // dog, cat, she, Cats, now
    const forms = ["dogs", "Doggy", "do", "Catsuit", "catsuit", "SHEs", "now"];
    expect(rows(undefined, ...forms)).toEqual([0, 0, 0, 0, 0, 0, 5]);
    expect(rows(3, ...forms)).toEqual([1, 1, 0, 4, 2, 3, 5]);
    expect(rows(4, ...forms)).toEqual([0, 0, 0, 4, 0, 0, 5]);
  });

  it("are features of the word and of its neighbours, one a number", () => {
    const without = new TensorScorer({ configuration, codes });
    const size = 1 + codes.length;
    const rows = size + 3 * 2;
    // The same weights without those of the vectors.
    const plain = new Float32Array(without.dimension);
    plain.set(weights.subarray(0, 2 * size));
    plain.set(weights.subarray(2 * rows, 2 * (rows + size)), 2 * size);
    plain.set(weights.subarray(4 * rows), 4 * size);
    const sentence = sentences[3]!;
    const reading = scorer.read(sentence, { tensor });
    const readingWithout = without.read(sentence, { tensor: { ...tensor, values: plain } });
    const number = (i: number, d: number) => {
      const word = sentence.vectors![i] ?? 0;
      return word === 0 ? 0 : vectors.values[2 * (word - 1) + d]! * vectors.scales[word - 1]!;
    };
    const extra = (table: number, i: number, r: number) => {
      let sum = 0;
      for (const near of [0, 1, 2]) {
        for (const d of [0, 1]) {
          sum += number(i + near - 1, d) * weights[2 * (table * rows + size + 2 * near + d) + r]!;
        }
      }
      return sum;
    };
    // The sums of the others, through the gradient of a factor whose other two are known.
    const words = new WordFeatures(TENSOR_TEMPLATES);
    words.prepare(sentence);
    const base = (table: number, i: number, r: number) => {
      let sum = weights[2 * table * rows + r]!;
      for (const code of words.codes.subarray(words.start[i]!, words.start[i + 1]!)) {
        const k = codes.indexOf(code);
        if (k >= 0) sum += weights[2 * (table * rows + 1 + k) + r]!;
      }
      return sum;
    };
    const ofArc = new Int32Array(ARC_FEATURES);
    const arcs = completeArcs(sentence.n);
    for (let a = 0; a < arcs.head.length; a++) {
      const [h, m] = [arcs.head[a]!, arcs.modifier[a]!];
      arcRows(sentence, h, m, ofArc);
      let expected = 0;
      let plainly = 0;
      for (const r of [0, 1]) {
        const third = ofArc.reduce((sum, row) => sum + weights[2 * (2 * rows + row) + r]!, 0);
        expected += (base(0, h, r) + extra(0, h, r)) * (base(1, m, r) + extra(1, m, r)) * third;
        plainly += base(0, h, r) * base(1, m, r) * third;
      }
      expect(scoreOf(reading, sentence.n, h, m)).toBeCloseTo(0.5 * expected, 8);
      expect(scoreOf(readingWithout, sentence.n, h, m)).toBeCloseTo(0.5 * plainly, 8);
    }
  });

  it.each([0, 1, 2] as const)("have gradients: factor %d", (turn) => {
    const sentence = sentences[3]!;
    const score = () => {
      const reading = scorer.read(sentence, { tensor });
      return scoreOf(reading, sentence.n, 4, 2) - scoreOf(reading, sentence.n, 1, 2);
    };
    const before = score();
    const changes = [
      { h: 4, m: 2, amount: 1 },
      { h: 1, m: 2, amount: -1 },
    ];
    const gradient = new SparseVector();
    scorer.read(sentence, { tensor }).addFeatures(changes, turn, gradient);
    expect(gradient.dot(weights)).toBeCloseTo(before, 8);
    const rows = 1 + codes.length + 6;
    for (let index = 2 * turn * rows; index < Math.min(2 * (turn + 1) * rows, weights.length); index++) {
      const kept = weights[index]!;
      weights[index] = kept + 0.5;
      expect((score() - before) / 0.5).toBeCloseTo(gradient.get(index), 5);
      weights[index] = kept;
    }
  });

  it("are kept in model files, and refused when they are damaged", () => {
    const rest = quantizeTensor({ configuration, codes, vectors }, weights);
    const parts = tensorVectors(rest);
    const header = tensorHeader(rest);
    expect(readTensor(header, parts)).toEqual(rest);
    const sections = Object.entries(parts).map(([name, vector]) => ({
      name,
      type: vector instanceof Int8Array ? "int8" : vector instanceof Int32Array ? "int32" : "float32",
      entries: vector.length,
      bytes: 2 ** 30,
    })) as Section[];
    const listed = () => new SectionTable("model", sections);
    expect(() => checkTensor(header, listed())).not.toThrow();
    const check = (changed: object) => () => checkTensor({ ...header, vectors: changed }, listed());
    expect(check({ dimension: 3, words: VECTORS.words })).toThrow(/entries of its section "tensor"/);
    expect(check({ dimension: 2, words: VECTORS.words.slice(1) })).toThrow(
      /8 entries of its section "wordVectors", found 10/,
    );
    expect(check({ dimension: 2, words: ["a", "a", "b", "c", "d"] })).toThrow(
      /vectors\.words\[1\]: expected each item once/,
    );
    expect(check({ dimension: 2, words: VECTORS.words, beginnings: 3 })).not.toThrow();
    expect(check({ dimension: 2, words: VECTORS.words, beginnings: 0 })).toThrow(/vectors\.beginnings/);
    const { wordVectors: _, ...missing } = parts;
    expect(() => readTensor(header, missing)).toThrow(/no word vectors/);
  });
});

describe("training with word vectors", () => {
  const examples = sample("train").slice(0, 12);
  const forms = [
    ...new Set(examples.flatMap(({ sentence }) => sentence.map(({ form }) => form.toLowerCase()))),
  ];
  const stream = random(3);
  const values = Float32Array.from({ length: 4 * (forms.length + 1) }, () => stream.normal());
  const words = [...forms, "unseen-in-training"];
  const common: TrainOptions = { epochs: 2, prune: false, labels: { labeller: "joint" } };

  it("gives words unseen in training the vectors of the file, and resumes to the same bytes", async () => {
    const options = { ...common, tensor: { rank: 3, vectors: { dimension: 4, words, values } } };
    const states: Uint8Array[] = [];
    const model = await trainParser(examples, {
      ...options,
      onCheckpoint: (state) => void states.push(state.slice()),
    });
    const bytes = saveParser(model);
    expect(
      Buffer.compare(bytes, saveParser(await trainParser(examples, { ...options, resume: states[0]! }))),
    ).toBe(0);
    expect(model.description.tensor).toMatchObject({
      rank: 3,
      vectors: { words: words.length, dimension: 4 },
    });
    const parser = createParser(loadParser(bytes));
    const scores = (form: string) => {
      const sentence: Sentence = examples[0]!.sentence.map((word, i) =>
        i === 1 ? { ...word, form, lemma: "?" } : word,
      );
      return [...parser.read([sentence])[0]!.problem().arcScores];
    };
    // Affixes and shapes are alike: only the vector tells the two apart.
    expect(scores("unseen-in-training")).not.toEqual(scores("unseen-on-training"));
    const other = {
      ...options,
      tensor: { ...options.tensor, vectors: { dimension: 4, words, values: values.with(0, 9) } },
    };
    await expect(trainParser(examples, { ...other, resume: states[0]! })).rejects.toThrow(
      /other training data/,
    );
  });
});
