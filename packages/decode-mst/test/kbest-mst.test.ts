import {
  checkTree,
  completeArcs,
  filterArcs,
  heads,
  partLayout,
  type RankedTree,
  random,
  scoreTree,
  UnsupportedPart,
} from "@arcwise/core";
import { rankedTrees } from "@arcwise/decoder-laws";
import { describe, expect, it } from "vitest";
import { kBestTrees, mstDecoder } from "../src/index.ts";
import { problemOf, SCORES } from "./support.ts";

function take(trees: Iterable<RankedTree>, count: number): RankedTree[] {
  const taken: RankedTree[] = [];
  for (const tree of trees) {
    taken.push(tree);
    if (taken.length === count) break;
  }
  return taken;
}

describe.each([true, false])("the ranking of trees with a single root: %s", (singleRoot) => {
  describe.each([
    ["standard normal", 4],
    ["small integers", 4],
    ["all equal", 2],
    ["half pruned", 6],
    ["all tiny", 3],
    ["all huge", 3],
    ["nearly all pruned", 8],
  ])("%s scores", (name, problems) => {
    const scores = SCORES[name];

    it("has the first 50 of all trees over 6 words", () => {
      const r = random(11);
      for (let i = 0; i < problems; i++) {
        const problem = problemOf(completeArcs(6), scores(r));
        const expected = rankedTrees(problem, { singleRoot }).slice(0, 50);
        const found = take(kBestTrees(problem, { singleRoot }), 50);
        expectSameScores(found, expected);
        expect(new Set(found.map((tree) => tree.heads.join())).size).toBe(found.length);
        for (const tree of found) {
          expect(checkTree(tree.heads, { singleRoot })).toBeUndefined();
          expect(tree.score).toBe(scoreTree(problem, tree.heads));
        }
      }
    });
  });

  it("starts with the tree of the decoder and never rises, at 60 words with sparse candidates", () => {
    const r = random(13);
    const problem = problemOf(
      filterArcs(60, (h, m) => h === m - 1 || r.next() < 0.15),
      () => r.int(40) / 4,
    );
    const found = take(kBestTrees(problem, { singleRoot }), 300);
    expect(found[0].score).toBe(mstDecoder({ singleRoot }).decode(problem).score);
    expect(new Set(found.map((tree) => tree.heads.join())).size).toBe(300);
    for (let i = 1; i < found.length; i++) expect(found[i].score).toBeLessThanOrEqual(found[i - 1].score);
  });
});

/** Scores are equal but for rounding, rank by rank. */
function expectSameScores(found: readonly RankedTree[], expected: readonly RankedTree[]): void {
  expect(found.length).toBe(expected.length);
  const scale = Math.max(...expected.map(({ score }) => Math.abs(score)), 0);
  found.forEach(({ score }, rank) => {
    const difference = Math.abs(score - expected[rank].score);
    if (!(difference <= 1e-12 * scale))
      expect.fail(`rank ${rank}: ${score}, expected ${expected[rank].score}`);
  });
}

it("ranks a worked example", () => {
  const scores: Record<string, number> = { "0 1": 3, "0 2": 5, "1 2": 4, "2 1": 4 };
  const problem = problemOf(completeArcs(2), (h, m) => scores[`${h} ${m}`]);
  expect([...kBestTrees(problem)]).toEqual([
    { heads: heads("2 0"), score: 9 },
    { heads: heads("0 1"), score: 7 },
  ]);
  expect([...kBestTrees(problem, { singleRoot: false })].map(({ score }) => score)).toEqual([9, 8, 7]);
});

it("refuses parts and NaN at the call", () => {
  const problem = problemOf(completeArcs(2), () => 0);
  const parts = [partLayout("sibling", problem.arcs)];
  expect(() => kBestTrees({ ...problem, parts })).toThrow(UnsupportedPart);
  expect(() => kBestTrees(problemOf(completeArcs(2), () => Number.NaN))).toThrow(RangeError);
});
