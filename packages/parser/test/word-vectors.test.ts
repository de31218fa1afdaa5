import { buildEncoder } from "@arcwise/core/features";
import { describe, expect, it } from "vitest";
import { lexiconVectors, readWordVectors } from "../src/index.ts";
import { quantizeVectors, WordVectorError, withVectors } from "../src/scoring/vectors/word-vectors.ts";
import { TREEBANK } from "./support.ts";

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
    [["2 2", "a 1 2", "b 1"], "v.txt:3: expected a word and 2 numbers, found 1 number"],
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

describe("withVectors", () => {
  const words = TREEBANK.map(({ sentence }) => sentence);
  const encoder = withVectors(buildEncoder(words, 1), quantizeVectors(VECTORS));
  const sentences = words.map((sentence) => encoder.encode(sentence));

  it("finds vectors by the form, or by the form in lower case", () => {
    // Cats she now sees; Dogs has none, dog has one.
    expect([...sentences[3]!.vectors!]).toEqual([0, 4, 3, 5, 0]);
    expect([...sentences[1]!.vectors!]).toEqual([0, 0, 1, 0, 0]);
  });

  it("uses the vector of the longest prefix on request", () => {
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
});
