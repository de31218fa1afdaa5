import fc from "fast-check";
import { expect, test } from "vitest";
import { sentenceEnds } from "../src/sentence-ends.ts";

const probability = fc.double({ min: 0, max: 1, noNaN: true });

test("a sentence ends where the probability exceeds the threshold, and at the end", () => {
  const ends = Float64Array.of(0.1, 0.6, 0.5, 0.9, 0.2);
  expect(sentenceEnds(ends, { threshold: 0.5, maxTokens: 9 })).toEqual([2, 4, 5]);
  expect(sentenceEnds(new Float64Array(), { threshold: 0.5, maxTokens: 9 })).toEqual([]);
});

test("a long sentence is cut at the most probable end of the second half", () => {
  const ends = Float64Array.of(0.4, 0.1, 0.3, 0.2, 0.1, 0.1, 0.1, 0.1);
  expect(sentenceEnds(ends, { threshold: 0.5, maxTokens: 4 })).toEqual([3, 7, 8]);
});

test("ends ascend to the last token, and no sentence is too long", () => {
  fc.assert(
    fc.property(
      fc.array(probability, { minLength: 1, maxLength: 60 }),
      probability,
      fc.integer({ min: 1, max: 9 }),
      (list, threshold, maxTokens) => {
        const found = sentenceEnds(Float64Array.from(list), { threshold, maxTokens });
        const lengths = found.map((end, i) => end - (found[i - 1] ?? 0));
        expect(Math.min(...lengths)).toBeGreaterThan(0);
        expect(Math.max(...lengths)).toBeLessThanOrEqual(maxTokens);
        expect(found.at(-1)).toBe(list.length);
        const without = sentenceEnds(Float64Array.from(list), { threshold, maxTokens: Infinity });
        for (const end of without) expect(found).toContain(end);
      },
    ),
  );
});
