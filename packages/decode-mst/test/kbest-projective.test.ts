import {
  type ParsingProblem,
  type PartKind,
  type RankedTree,
  random,
  scoreTree,
  UnsupportedPart,
} from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kBestProjectiveTrees, PROJECTIVE_KINDS, projectiveDecoder } from "../src/index.ts";
import type { ProjectiveOptions } from "../src/options.ts";
import { randomProblem, rankedTrees, roots, sparseArcs, withScores } from "./projective-oracle.ts";

const MODELS: readonly (readonly [string, readonly PartKind[]])[] = [
  ["arcs alone", []],
  ["siblings", ["nextSibling", "lastSibling"]],
  ["grand-siblings", ["grandparent", "nextSibling", "lastSibling", "grandSibling"]],
  ["tri-siblings without grandparents", ["nextSibling", "triSibling"]],
  ["all", PROJECTIVE_KINDS],
];

function first(k: number, problem: ParsingProblem, options?: ProjectiveOptions): RankedTree[] {
  const found: RankedTree[] = [];
  for (const decoding of kBestProjectiveTrees(problem, options)) {
    if (found.push(decoding) === k) break;
  }
  return found;
}

describe.each(MODELS)("%s", (_, kinds) => {
  test("returns all trees, best first, without duplicates", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(1, 0.6),
        fc.constantFrom(0, 0.1),
        fc.boolean(),
        fc.boolean(),
        (seed, n, density, pruned, ties, singleRoot) => {
          const problem = randomProblem(random(seed), { n, kinds, density, pruned, ties });
          const expected = rankedTrees(problem, singleRoot);
          const found = [...kBestProjectiveTrees(problem, { singleRoot })];
          expect(found.length).toBe(expected.length);
          expect(new Set(found.map(({ heads }) => heads.join())).size).toBe(found.length);
          found.forEach(({ heads, score }, rank) => {
            expect(score).toBeCloseTo(expected[rank].score, 9);
            expect(score).toBe(scoreTree(problem, heads));
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test("long sentences: the best tree first, then in order, all different", () => {
    const rng = random(30);
    const problem = withScores(rng, sparseArcs(rng, 30, 5), kinds);
    const found = first(200, problem);
    expect(found[0].heads).toEqual(projectiveDecoder().decode(problem).heads);
    expect(new Set(found.map(({ heads }) => heads.join())).size).toBe(200);
    found.forEach(({ heads, score }, rank) => {
      expect(roots(heads)).toBe(1);
      expect(score).toBeLessThanOrEqual((found[rank - 1]?.score ?? Infinity) + 1e-9);
    });
  });
});

test("two iterators over one problem are independent", () => {
  const problem = randomProblem(random(1), { n: 5, kinds: PROJECTIVE_KINDS });
  const alone = first(20, problem).map(({ heads }) => heads.join());
  const one = kBestProjectiveTrees(problem);
  const two = kBestProjectiveTrees(problem);
  for (const expected of alone) {
    expect(one.next().value.heads.join()).toBe(expected);
    expect(two.next().value.heads.join()).toBe(expected);
  }
});

test("no words: one empty tree; no tree: no results; unsupported parts are refused at the call", () => {
  expect(first(9, randomProblem(random(1), { n: 0, kinds: [] }))).toEqual([
    { heads: Int32Array.of(-1), score: 0 },
  ]);
  expect(first(9, randomProblem(random(1), { n: 3, kinds: [], density: 0 }))).toEqual([]);
  const siblings = randomProblem(random(1), { n: 3, kinds: ["sibling"] });
  expect(() => kBestProjectiveTrees(siblings)).toThrow(UnsupportedPart);
  const wrong = randomProblem(random(1), { n: 3, kinds: [] });
  wrong.arcScores[0] = Number.NaN;
  expect(() => kBestProjectiveTrees(wrong)).toThrow(RangeError);
});
