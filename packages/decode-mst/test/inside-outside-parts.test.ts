import { type Decoding, NoTree, type PartKind, partLayout, random, UnsupportedPart } from "@arcwise/core";
import { treeDistribution } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROJECTIVE_KINDS, projectiveDecoder } from "../src/index.ts";
import { createPartSums } from "../src/sums/inside-outside-parts.ts";
import { projectiveMarginals, randomProblem, sparseArcs, withScores } from "./support.ts";

const MODELS: readonly (readonly [string, readonly PartKind[]])[] = [
  ["arcs alone", []],
  ["siblings", ["nextSibling", "lastSibling"]],
  ["grandparents", ["grandparent"]],
  ["grand-siblings", ["lastSibling", "grandSibling", "grandparent"]],
  ["tri-siblings without grandparents", ["nextSibling", "triSibling"]],
  ["all", PROJECTIVE_KINDS],
];

function expectClose(found: Float64Array, expected: Float64Array): void {
  expect(found.length).toBe(expected.length);
  for (let i = 0; i < found.length; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(1e-9);
}

describe.each(MODELS)("%s", (_, kinds) => {
  const sums = { true: createPartSums(), false: createPartSums({ singleRoot: false }) };

  test("equals enumeration", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(1, 0.7),
        fc.constantFrom(0, 0.1),
        fc.boolean(),
        (seed, n, density, pruned, singleRoot) => {
          const problem = randomProblem(random(seed), { n, kinds, density, pruned });
          const expected = treeDistribution(problem, { projective: true, singleRoot });
          if (expected.trees.length === 0) {
            expect(() => sums[`${singleRoot}`].marginals(problem)).toThrow(NoTree);
            return;
          }
          const found = sums[`${singleRoot}`].marginals(problem);
          expect(found.logPartition).toBeCloseTo(expected.logPartition, 9);
          expectClose(found.arcs, expected.arcs);
          for (const [i, parts] of found.parts.entries()) expectClose(parts, expected.parts[i]);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("is the gradient of the log-partition in long sentences", () => {
    const rng = random(40);
    const problem = withScores(rng, sparseArcs(rng, 40, 4), kinds);
    const found = sums.true.marginals(problem);
    const all = [
      { scores: problem.arcScores, found: found.arcs },
      ...problem.parts.map(({ scores }, i) => ({ scores, found: found.parts[i] })),
    ];
    for (const { scores, found } of all) {
      for (let i = 0; i < 8; i++) {
        const at = i < 4 ? rng.int(scores.length) : found.indexOf(Math.max(...found.subarray(i * 3)));
        const score = scores[at];
        const step = 1e-4;
        scores[at] = score + step;
        const more = sums.true.logPartition(problem);
        scores[at] = score - step;
        const less = sums.true.logPartition(problem);
        scores[at] = score;
        expect(found[at]).toBeCloseTo((more - less) / (2 * step), 6);
      }
    }
  });

  test.each([1e-3, 1, 300])("probabilities sum to 1 when scores are around %d", (scale) => {
    const rng = random(50);
    const { arcs, arcScores, parts } = withScores(rng, sparseArcs(rng, 50, 5), kinds);
    const problem = {
      arcs,
      arcScores: arcScores.map((score) => score * scale),
      parts: parts.map((table) => ({ ...table, scores: table.scores.map((score) => score * scale) })),
    };
    const found = sums.true.marginals(problem);
    let roots = 0;
    for (let m = 1; m <= arcs.n; m++) {
      const heads = found.arcs.subarray(arcs.start[m], arcs.start[m + 1]);
      expect(heads.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 9);
      if (arcs.head[arcs.start[m]] === 0) roots += heads[0];
    }
    expect(roots).toBeCloseTo(1, 9);
    const best: Decoding = projectiveDecoder().decode(problem);
    expect(found.logPartition).toBeGreaterThanOrEqual(best.score - 1e-9 * Math.abs(best.score));
  });
});

test("arcs alone, long and complete: the same as the first-order sums", () => {
  const problem = randomProblem(random(13), { n: 30, kinds: [] });
  for (const singleRoot of [true, false]) {
    const expected = projectiveMarginals(problem.arcs, problem.arcScores, { singleRoot });
    const found = createPartSums({ singleRoot }).marginals(problem);
    expect(found.logPartition).toBeCloseTo(expected.logPartition, 9);
    expectClose(found.arcs, expected.marginals);
  }
});

test("no words: one tree; unsupported parts are refused", () => {
  const none = createPartSums().marginals(randomProblem(random(1), { n: 0, kinds: ["nextSibling"] }));
  expect(none).toEqual({ logPartition: 0, arcs: new Float64Array(0), parts: [new Float64Array(0)] });
  const problem = randomProblem(random(1), { n: 3, kinds: [] });
  const parts = [partLayout("headBigram", problem.arcs)];
  expect(() => createPartSums().marginals({ ...problem, parts })).toThrow(UnsupportedPart);
});
