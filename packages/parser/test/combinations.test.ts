import fc from "fast-check";
import { expect, test } from "vitest";
import { type Combination, countCombinations, JointLabels } from "../src/scoring/network/combinations.ts";

test("counts the labels that words have together, the most frequent first", () => {
  const upos = [Int32Array.of(0, 1, 0), Int32Array.of(), Int32Array.of(1, 0)];
  const feats = [Int32Array.of(2, 0, 1), Int32Array.of(), Int32Array.of(0, 1)];
  expect(countCombinations([upos, feats])).toEqual([
    [1, 0, 2],
    [0, 1, 2],
    [0, 2, 1],
  ]);
  expect(countCombinations([])).toEqual([]);
});

/** The labels with the largest sum of scores and of what counts tell, by trying all of them. */
function bestOfAll(
  combinations: readonly Combination[],
  scores: readonly Float64Array[],
): [number[], number] {
  const words = combinations.reduce((sum, [, , count]) => sum + count!, 0);
  const share = (test: (combination: Combination) => boolean) =>
    combinations.filter(test).reduce((sum, [, , count]) => sum + count!, 0) / words;
  let best: [number[], number] = [[], Number.NEGATIVE_INFINITY];
  for (const [a, ofA] of scores[0]!.entries()) {
    for (const [b, ofB] of scores[1]!.entries()) {
      const both = share(([x, y]) => x === a && y === b);
      const expected = share(([x]) => x === a) * share(([, y]) => y === b);
      const sum = ofA + ofB + (both > 0 ? 0.1 * Math.log(both / expected) : -4);
      if (sum > best[1]) best = [[a, b], sum];
    }
  }
  return best;
}

const score = fc.double({ min: -10, max: 0, noNaN: true });
const scored = fc.record({
  words: fc.array(fc.tuple(fc.nat(3), fc.nat(2)), { minLength: 1, maxLength: 20 }),
  first: fc.array(score, { minLength: 4, maxLength: 4 }),
  second: fc.array(score, { minLength: 3, maxLength: 3 }),
});

test("chooses the labels that are best together", () => {
  let changed = 0;
  fc.assert(
    fc.property(scored, ({ words, first, second }) => {
      const column = (c: 0 | 1) => [Int32Array.from(words, (word) => word[c])];
      const combinations = countCombinations([column(0), column(1)]);
      const scores = [Float64Array.from(first), Float64Array.from(second)];
      const alone = scores.map((own) => own.indexOf(Math.max(...own)));
      const best = Int32Array.from(alone);
      new JointLabels(combinations, 2).choose(scores, best);
      const [labels, most] = bestOfAll(combinations, scores);
      const [found] = [[...best]];
      if (String(found) !== String(labels)) {
        // Another one that is as good, but for rounding.
        const own = bestOfAll(
          combinations,
          scores.map((all, c) => all.map((value, label) => (label === found[c] ? value : -1e9))),
        );
        expect(own[1]).toBeCloseTo(most, 9);
      }
      if (String(found) !== String(alone)) changed++;
    }),
    { numRuns: 500 },
  );
  expect(changed).toBeGreaterThan(50);
});
