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
      new JointLabels(combinations, 2).choose(
        scores.map((values) => ({ values, from: 0 })),
        best,
      );
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

/** The best of all combinations, one after another. */
function scanned(
  combinations: readonly Combination[],
  scores: readonly (readonly number[])[],
  alone: readonly number[],
): number[] {
  const columns = scores.length;
  const words = combinations.reduce((sum, own) => sum + own[columns]!, 0);
  const count = (c: number, label: number) =>
    combinations.reduce((sum, own) => sum + (own[c] === label ? own[columns]! : 0), 0);
  const sumOf = (labels: readonly number[]) => scores.reduce((sum, own, c) => sum + own[labels[c]!]!, 0);
  let best = [...alone];
  let most = sumOf(alone) - 4;
  for (const own of combinations) {
    const labels = own.slice(0, columns);
    const expected = labels.reduce((product, label, c) => product * (count(c, label) / words), 1);
    const sum = sumOf(labels) + 0.1 * Math.log(own[columns]! / words / expected);
    if (sum > most + 1e-9) [best, most] = [labels, sum];
  }
  return best;
}

test.each([1, 2, 3])("chooses as a scan of the combinations of %i columns does", (columns) => {
  const eachColumn = <T>(value: fc.Arbitrary<T>) =>
    fc.array(value, { minLength: columns, maxLength: columns });
  const words = fc.array(eachColumn(fc.nat(3)), { minLength: 1, maxLength: 30 });
  const scores = eachColumn(fc.array(fc.constantFrom(...[-8, -2, -1, 0]), { minLength: 4, maxLength: 4 }));
  const property = fc.property(words, scores, (own, all) => {
    const combinations = countCombinations(all.map((_, c) => [Int32Array.from(own, (word) => word[c]!)]));
    const alone = all.map((column) => column.indexOf(Math.max(...column)));
    const best = Int32Array.from(alone);
    new JointLabels(combinations, columns).choose(
      all.map((column) => ({ values: Float32Array.of(9, ...column), from: 1 })),
      best,
    );
    expect([...best]).toEqual(scanned(combinations, all, alone));
  });
  fc.assert(property, { numRuns: 300 });
});
