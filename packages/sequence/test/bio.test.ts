import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bioForbidden } from "../src/chunks/bio.ts";
import { chunkLabels, chunkScores, chunksOf } from "../src/index.ts";

const names = (text: string) => (text === "" ? [] : text.split(" "));
const chunks = (text: string) => chunksOf(names(text)).map(({ from, end, type }) => `${type} ${from}-${end}`);

describe("chunks of labels", () => {
  test.each([
    ["", []],
    ["O O", []],
    ["B-NP I-NP O B-VP", ["NP 0-2", "VP 3-4"]],
    ["B-NP B-NP I-NP", ["NP 0-1", "NP 1-3"]],
    // What is not valid is read as conlleval reads it.
    ["I-NP I-NP O I-VP", ["NP 0-2", "VP 3-4"]],
    ["B-NP I-VP", ["NP 0-1", "VP 1-2"]],
    ["S-PER B-LOC I-LOC E-LOC", ["PER 0-1", "LOC 1-4"]],
    ["E-LOC I-LOC", ["LOC 0-1", "LOC 1-2"]],
  ])("%s", (labels, expected) => {
    expect(chunks(labels)).toEqual(expected);
  });
});

test("BIO and BIOES encode the same chunks", () => {
  const labels = fc.array(fc.constantFrom("O", "B-X", "I-X", "B-Y", "I-Y"), { maxLength: 8 });
  fc.assert(
    fc.property(labels, (given) => {
      const bioes = chunkLabels(given, "bioes");
      expect(chunksOf(bioes)).toEqual(chunksOf(given));
      const bio = chunkLabels(bioes, "bio");
      expect(chunksOf(bio)).toEqual(chunksOf(given));
      const forbidden = bioForbidden([...new Set([...bio, "O"])]);
      const index = [...new Set([...bio, "O"])];
      for (const [i, label] of bio.entries()) {
        const before = i === 0 ? index.length : index.indexOf(bio[i - 1]);
        expect(forbidden[before * index.length + index.indexOf(label)]).toBe(0);
      }
    }),
  );
});

test("pairs of labels that BIO forbids", () => {
  const labels = ["O", "B-X", "I-X", "I-Y"];
  const forbidden = bioForbidden(labels);
  const pairs = [];
  for (let b = 0; b <= 4; b++) {
    for (let y = 0; y < 4; y++)
      if (forbidden[b * 4 + y] === 1) pairs.push(`${labels[b] ?? "^"} ${labels[y]}`);
  }
  expect(pairs).toEqual(["O I-X", "O I-Y", "B-X I-Y", "I-X I-Y", "I-Y I-X", "^ I-X", "^ I-Y"]);
});

test("further pairs of labels that BIOES forbids", () => {
  const labels = ["O", "B-X", "I-X", "E-X", "S-X"];
  const forbidden = bioForbidden(labels);
  const allowed = (b: string, y: string) =>
    forbidden[(b === "^" ? 5 : labels.indexOf(b)) * 5 + labels.indexOf(y)] === 0;
  expect([allowed("B-X", "E-X"), allowed("B-X", "O"), allowed("E-X", "O"), allowed("S-X", "E-X")]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

describe("precision, recall and F1", () => {
  test("of the worked example", () => {
    const gold = [names("B-NP I-NP O B-VP B-NP"), names("B-PP B-NP")];
    const found = [names("B-NP I-NP O B-VP I-VP"), names("B-PP B-PP")];
    const {
      correct,
      gold: all,
      predicted,
      precision,
      recall,
      f1,
      accuracy,
      byType,
    } = chunkScores(gold, found);
    expect([correct, all, predicted]).toEqual([2, 5, 4]);
    expect([precision, recall]).toEqual([0.5, 0.4]);
    expect(f1).toBeCloseTo((2 * 0.5 * 0.4) / 0.9, 12);
    expect(accuracy).toBeCloseTo(5 / 7, 12);
    expect(byType.NP).toMatchObject({ correct: 1, gold: 3, predicted: 1, precision: 1, recall: 1 / 3 });
    expect(Object.keys(byType)).toEqual(["NP", "PP", "VP"]);
  });
  test("are 0 without chunks", () => {
    expect(chunkScores([], [])).toMatchObject({ precision: 0, recall: 0, f1: 0, accuracy: 0 });
    expect(chunkScores([["O"]], [["O"]])).toMatchObject({ f1: 0, accuracy: 1 });
  });
  test("require the same words", () => {
    expect(() => chunkScores([["O"]], [])).toThrow("expected 1 sentences, got 0");
    expect(() => chunkScores([["O"]], [["O", "O"]])).toThrow("sentence 1: expected 1 labels, got 2");
  });
});
