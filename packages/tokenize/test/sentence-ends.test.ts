import fc from "fast-check";
import { expect, test } from "vitest";
import { sentenceEnds } from "../src/sentence-ends.ts";

const probability = fc.double({ min: 0, max: 1, noNaN: true });

test("a sentence ends where one certainly does, and at the end", () => {
  const ends = Float64Array.of(0, 1, 0, 1, 0);
  expect(sentenceEnds(ends, { cost: 0.4, maxTokens: 9 })).toEqual([2, 4, 5]);
  expect(sentenceEnds(new Float64Array(), { cost: 0.4, maxTokens: 9 })).toEqual([]);
});

test("a larger cost gives fewer sentences", () => {
  const ends = Float64Array.of(0.1, 0.6, 0.1, 0.5, 0.1, 0.1);
  const counts = [0, 0.1, 0.9].map((cost) => sentenceEnds(ends, { cost, maxTokens: 9 }).length);
  expect(counts).toEqual([3, 3, 1]);
});

test("a long sentence is cut at the most probable end of the second half", () => {
  const ends = Float64Array.of(0.4, 0.1, 0.3, 0.2, 0.1, 0.1, 0.1, 0.1);
  expect(sentenceEnds(ends, { cost: 0.5, maxTokens: 4 })).toEqual([3, 7, 8]);
});

test("ends ascend to the last token, and no sentence is too long", () => {
  fc.assert(
    fc.property(
      fc.array(probability, { minLength: 1, maxLength: 60 }),
      probability,
      fc.integer({ min: 1, max: 9 }),
      (list, cost, maxTokens) => {
        const found = sentenceEnds(Float64Array.from(list), { cost, maxTokens });
        const lengths = found.map((end, i) => end - (found[i - 1] ?? 0));
        expect(Math.min(...lengths)).toBeGreaterThan(0);
        expect(Math.max(...lengths)).toBeLessThanOrEqual(maxTokens);
        expect(found.at(-1)).toBe(list.length);
      },
    ),
  );
});

/** The sum of the probabilities of sentences, less the cost of each. */
function value(ends: readonly number[], cuts: readonly number[], cost: number): number {
  return cuts.reduce((sum, end, i) => {
    const start = cuts[i - 1] ?? 0;
    let probability = (start === 0 ? 1 : ends[start - 1]!) * (end === ends.length ? 1 : ends[end - 1]!);
    for (let t = start + 1; t < end; t++) probability *= 1 - ends[t - 1]!;
    return sum + probability - cost;
  }, 0);
}

test("no other sentences have a higher sum", () => {
  fc.assert(
    fc.property(fc.array(probability, { minLength: 1, maxLength: 9 }), probability, (list, cost) => {
      const found = value(list, sentenceEnds(Float64Array.from(list), { cost, maxTokens: 99 }), cost);
      for (let mask = 0; mask < 2 ** (list.length - 1); mask++) {
        const cuts = list
          .map((_, t) => t + 1)
          .filter((end) => end === list.length || (mask >> (end - 1)) & 1);
        expect(value(list, cuts, cost)).toBeLessThan(found + 1e-3);
      }
    }),
  );
});
