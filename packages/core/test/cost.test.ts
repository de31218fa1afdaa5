import { addCost, completeArcs, heads, PART_KINDS, random, scoreTree } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomArcs, randomProblem, randomTree, trees } from "./support.ts";

/** All trees of n words, several roots among them, by counting through all choices of heads. */
function allTrees(n: number): Int32Array[] {
  let rows: number[][] = [[-1]];
  for (let m = 1; m <= n; m++) {
    rows = rows.flatMap((row) => Array.from({ length: n + 1 }, (_, h) => [...row, h]));
  }
  return rows.map((row) => Int32Array.from(row)).filter(reachesRoot);
}

function reachesRoot(tree: Int32Array): boolean {
  return tree.every((_, word) => {
    let above = word;
    for (let step = 0; step < tree.length && above > 0; step++) above = tree[above];
    return above <= 0;
  });
}

const wrongHeads = (tree: Int32Array, gold: Int32Array) => tree.filter((h, m) => h !== gold[m]).length;

describe("addCost", () => {
  it("raises the arcs that are not in the gold tree", () => {
    const arcs = completeArcs(2);
    const problem = { arcs, arcScores: Float64Array.of(1, 2, -Infinity, 4), parts: [] };
    // The arcs are 0 -> 1, 2 -> 1, 0 -> 2, 1 -> 2.
    const augmented = addCost(problem, heads("2 0"), 0.5);
    expect([...augmented.arcScores]).toEqual([1.5, 2, -Infinity, 4.5]);
    expect([...problem.arcScores]).toEqual([1, 2, -Infinity, 4]);
  });

  it("adds the cost of each wrong head to the score of any tree, whatever else is scored", () => {
    fc.assert(
      fc.property(trees(7), fc.nat(), fc.double({ min: 0, max: 4, noNaN: true }), (tree, seed, cost) => {
        const rng = random(seed);
        const n = tree.length - 1;
        const gold = randomTree(rng, n);
        const kinds = PART_KINDS.filter(() => rng.next() < 0.4);
        const problem = {
          ...randomProblem(rng, randomArcs(rng, n, 0.9), kinds),
          global: { name: "roots", score: (heads: Int32Array) => heads.filter((h) => h === 0).length },
        };
        const before = scoreTree(problem, tree);
        const after = scoreTree(addCost(problem, gold, cost), tree);
        if (before === -Infinity) expect(after).toBe(-Infinity);
        else expect(after).toBeCloseTo(before + cost * wrongHeads(tree, gold), 9);
      }),
    );
  });

  it("makes the most violated tree the best one", () => {
    const all = allTrees(4);
    expect(all).toHaveLength(125);
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0, 0.5, 1, 3), (seed, cost) => {
        const rng = random(seed);
        const gold = randomTree(rng, 4);
        const problem = randomProblem(rng, completeArcs(4), ["grandparent", "nextSibling"]);
        const augmented = addCost(problem, gold, cost);
        const best = all.reduce((a, b) => (scoreTree(augmented, b) > scoreTree(augmented, a) ? b : a));
        const violation = (tree: Int32Array) => scoreTree(problem, tree) + cost * wrongHeads(tree, gold);
        expect(violation(best)).toBeCloseTo(Math.max(...all.map(violation)), 9);
      }),
      { numRuns: 50 },
    );
  });

  it.each([-1, NaN, Infinity])("refuses the cost %d", (cost) => {
    const problem = randomProblem(random(1), completeArcs(2), []);
    expect(() => addCost(problem, heads("2 0"), cost)).toThrow(RangeError);
  });

  it("refuses a gold tree of another length", () => {
    const problem = randomProblem(random(1), completeArcs(2), []);
    expect(() => addCost(problem, heads("2 0 2"), 1)).toThrow("gold must have 3 entries, got 4");
  });
});
