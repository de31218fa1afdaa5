import { random } from "@arcwise/core";
import { ATTRIBUTES, codeOf, type EncodedSentence, PADDING } from "@arcwise/core/features";
import { describe, expect, it, test } from "vitest";
import { WordDropout } from "../src/training/word-dropout.ts";
import { encoded, sample } from "./support.ts";

const { sentences } = encoded(sample("train"), 1);
const WORD = ATTRIBUTES.indexOf("word");
const LEMMA = ATTRIBUTES.indexOf("lemma");
const unknown = (column: number) => codeOf(column, 0);
const codes = ({ n, columns }: EncodedSentence, column: number) =>
  columns[column]!.subarray(PADDING + 1, PADDING + 1 + n);

/** How many of the words that come so many times are unknown in how many of them, over many steps. */
function shares(rate: number, column: number): Map<number, { dropped: number; all: number }> {
  const dropout = new WordDropout(sentences, rate);
  const counts = new Map<number, number>();
  for (const sentence of sentences)
    for (const code of codes(sentence, column)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const found = new Map<number, { dropped: number; all: number }>();
  for (let step = 0; step < 8 * sentences.length; step++) {
    const sentence = sentences[step % sentences.length]!;
    const shown = codes(dropout.apply(sentence, random(5).fork(step)), column);
    for (const [i, code] of codes(sentence, column).entries()) {
      const count = counts.get(code)!;
      const share = found.get(count) ?? { dropped: 0, all: 0 };
      found.set(count, share);
      share.all++;
      if (shown[i] === unknown(column)) share.dropped++;
      else expect(shown[i]).toBe(code);
    }
  }
  return found;
}

describe("WordDropout", () => {
  test.each([
    [0.25, WORD],
    [0.25, LEMMA],
    [2, WORD],
  ])("at rate %d makes words unknown as often as their number asks (column %d)", (rate, column) => {
    let tested = 0;
    for (const [count, { dropped, all }] of shares(rate, column)) {
      const p = rate / (rate + count);
      // Five standard deviations.
      if (all * p < 10) continue;
      tested++;
      expect(Math.abs(dropped / all - p), `words that come ${count} times`).toBeLessThan(
        5 * Math.sqrt((p * (1 - p)) / all),
      );
    }
    expect(tested).toBeGreaterThan(3);
  });

  it("depends on the stream alone, and leaves the sentence and all else of it as they are", () => {
    const dropout = new WordDropout(sentences, 1);
    const before = sentences.map(({ columns }) => columns.map((column) => column.slice()));
    const words = (seed: number) =>
      sentences.map((s, k) => [...codes(dropout.apply(s, random(seed).fork(k)), WORD)]);
    expect(words(7)).toEqual(words(7));
    expect(words(7)).not.toEqual(words(8));
    for (const [k, sentence] of sentences.entries()) {
      const shown = dropout.apply(sentence, random(3));
      expect(sentence.columns).toEqual(before[k]);
      for (const [column, values] of shown.columns.entries())
        if (column !== WORD && column !== LEMMA) expect(values).toBe(sentence.columns[column]);
      // The root and the places beyond the ends stay.
      for (const column of [WORD, LEMMA]) {
        const edges = (values: Int32Array) => [
          ...values.subarray(0, PADDING + 1),
          ...values.subarray(PADDING + 1 + sentence.n),
        ];
        expect(edges(shown.columns[column]!)).toEqual(edges(sentence.columns[column]!));
      }
      expect({ ...shown, columns: 0 }).toEqual({ ...sentence, columns: 0 });
    }
  });
});
