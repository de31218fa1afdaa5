import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { batchesOf, windowsOf } from "../src/windows.ts";

describe("windows", () => {
  it.each<[readonly number[], number, readonly (readonly number[])[]]>([
    [[], 8, []],
    [[1, 1, 1], 8, [[0, 3, 0, 3]]],
    [[2, 2, 2, 2], 8, [[0, 4, 0, 4]]],
    [
      [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      8,
      [
        [0, 8, 0, 6],
        [4, 12, 6, 12],
      ],
    ],
    [
      [1, 1, 1, 1, 1, 1, 1, 1, 1],
      8,
      [
        [0, 8, 0, 5],
        [1, 9, 5, 9],
      ],
    ],
  ])("of words of %j pieces, %i at a time", (lengths, capacity, expected) => {
    const found = windowsOf(lengths, capacity);
    expect(found.map(({ first, end, ownFirst, ownEnd }) => [first, end, ownFirst, ownEnd])).toEqual(expected);
  });

  const sentence = fc.integer({ min: 4, max: 40 }).chain((capacity) =>
    fc.record({
      capacity: fc.constant(capacity),
      lengths: fc.array(fc.integer({ min: 1, max: Math.max(1, capacity >> 2) }), { maxLength: 200 }),
    }),
  );

  test("each word belongs to the window in whose middle it is most, and windows fit", () => {
    fc.assert(
      fc.property(sentence, ({ lengths, capacity }) => {
        const windows = windowsOf(lengths, capacity);
        const starts = lengths.map((_, word) => lengths.slice(0, word).reduce((a, b) => a + b, 0));
        const end = (word: number) => starts[word]! + lengths[word]!;
        const distance = (word: number, { first, end: after }: { first: number; end: number }) =>
          Math.abs((starts[word]! + end(word)) / 2 - (starts[first]! + end(after - 1)) / 2);
        const owners = windows.flatMap((window) =>
          Array.from({ length: window.ownEnd - window.ownFirst }, () => window),
        );
        expect(owners).toHaveLength(lengths.length);
        for (const window of windows)
          expect(end(window.end - 1) - starts[window.first]!).toBeLessThanOrEqual(capacity);
        for (const [word, owner] of owners.entries()) {
          const around = windows.filter(({ first, end: after }) => first <= word && word < after);
          expect(around).toContain(owner);
          const nearest = Math.min(...around.map((window) => distance(word, window)));
          expect(distance(word, owner)).toBe(nearest);
        }
      }),
    );
  });

  test("a word that is not near the ends of a sentence has pieces on both sides", () => {
    const lengths = Array.from({ length: 1000 }, () => 1);
    for (const { first, end, ownFirst, ownEnd } of windowsOf(lengths, 100)) {
      if (first > 0) expect(ownFirst - first).toBeGreaterThanOrEqual(24);
      if (end < 1000) expect(end - ownEnd).toBeGreaterThanOrEqual(24);
    }
  });
});

test("batches have at most the given number of pieces, or one sequence", () => {
  const sequences = fc.array(fc.record({ length: fc.integer({ min: 1, max: 50 }) }));
  fc.assert(
    fc.property(sequences, fc.integer({ min: 1, max: 200 }), (all, limit) => {
      const batches = batchesOf(all, limit);
      expect(new Set(batches.flat())).toEqual(new Set(all));
      expect(batches.flat()).toHaveLength(all.length);
      for (const batch of batches)
        if (batch.length > 1)
          expect(batch.length * Math.max(...batch.map(({ length }) => length))).toBeLessThanOrEqual(limit);
    }),
  );
});
