import { checkTree, completeArcs, filterArcs, NoTree, random, scoreTree } from "@arcwise/core";
import { describe, expect, it } from "vitest";
import {
  createArborescenceSolver,
  maxArborescence,
  maxArborescenceOfArcs,
  mstDecoder,
} from "../src/index.ts";
import { allTrees, bestTree, matrixOf, problemOf, SCORES, tied } from "./brute-force.ts";

describe("the enumeration that the tests compare with", () => {
  it.each([1, 2, 3, 4, 5])("lists as many trees over %i words as Cayley counts", (n) => {
    expect(allTrees(n).length).toBe(n ** (n - 1));
    expect(allTrees(n, { singleRoot: false }).length).toBe((n + 1) ** (n - 1));
  });
});

describe.each([true, false])("with a single root: %s", (singleRoot) => {
  describe.each(Object.entries(SCORES))("%s scores", (_, scores) => {
    it("finds a tree as good as the best of all trees, in both forms", () => {
      const r = random(1);
      const decoder = mstDecoder({ singleRoot });
      const solver = createArborescenceSolver();
      for (let i = 0; i < 300; i++) {
        const n = 1 + r.int(i < 280 ? 5 : 6);
        const problem = problemOf(completeArcs(n), scores(r));
        const best = bestTree(problem, { singleRoot });
        const dense = new Int32Array(n + 1);
        const sparse = new Int32Array(n + 1);
        const found = maxArborescence(n, matrixOf(problem), dense, { singleRoot, solver });
        expect(found).toBe(best !== undefined);
        expect(maxArborescenceOfArcs(problem.arcs, problem.arcScores, sparse, { singleRoot, solver })).toBe(
          found,
        );
        if (best === undefined) {
          expect(() => decoder.decode(problem)).toThrow(NoTree);
          continue;
        }
        expect(checkTree(dense, { singleRoot })).toBeUndefined();
        expect(checkTree(sparse, { singleRoot })).toBeUndefined();
        const decoding = decoder.decode(problem);
        expect(checkTree(decoding.heads, { singleRoot })).toBeUndefined();
        expect(decoding.bound).toBe(decoding.score);
        expect(decoding.score).toBe(scoreTree(problem, decoding.heads));
        for (const tree of [dense, sparse, decoding.heads]) {
          if (!tied(problem, tree, best.heads))
            expect.fail(`${tree} against ${best.heads}: ${problem.arcScores}`);
        }
      }
    });
  });

  it.each([
    [20, 1],
    [20, 0.3],
    [200, 0.02],
    [60, 0.1],
    [300, 1],
  ])("the dense and the sparse form agree at n = %i with %d of the arcs", (n, share) => {
    const r = random(n);
    const solver = createArborescenceSolver();
    const dense = new Int32Array(n + 1);
    const sparse = new Int32Array(n + 1);
    for (let i = 0; i < (n > 100 ? 5 : 60); i++) {
      const problem = problemOf(
        filterArcs(n, () => r.next() < share),
        () => r.int(i % 2 === 0 ? 1000 : 4) - 500,
      );
      const found = maxArborescence(n, matrixOf(problem), dense, { singleRoot, solver });
      expect(maxArborescenceOfArcs(problem.arcs, problem.arcScores, sparse, { singleRoot, solver })).toBe(
        found,
      );
      if (!found) continue;
      expect(checkTree(dense, { singleRoot })).toBeUndefined();
      expect(checkTree(sparse, { singleRoot })).toBeUndefined();
      expect(scoreTree(problem, sparse)).toBe(scoreTree(problem, dense));
    }
  });
});
