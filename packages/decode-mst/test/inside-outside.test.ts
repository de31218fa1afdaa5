import { completeArcs, filterArcs, NoTree, random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { createInsideOutside } from "../src/index.ts";
import { arcMarginals, projectiveMarginals, randomScores } from "./support.ts";
import { treeSumsLaws } from "./tree-sums-laws.ts";

describe("projective sums", () => {
  treeSumsLaws(createInsideOutside, {
    projective: true,
    counts: [
      // C(3n - 2, n - 1) / n trees with one root, C(3n, n) / (2n + 1) in all (Yuret 1998).
      [1, 1, 1],
      [2, 2, 3],
      [3, 7, 12],
      [4, 30, 55],
      [8, 21318, 43263],
    ],
    spread: 3000,
  });

  test.each([true, false])("sums that a Float64 cannot hold (single root: %s)", (singleRoot) => {
    const arcs = completeArcs(30);
    const scores = randomScores(arcs, random(7), 3);
    // Every root arc, and every arc that jumps over the middle, costs 800; a tree with a single root has one
    // of each. So the sum over trees is too small for plain numbers.
    const jumps = (a: number) => arcs.head[a] > 0 && arcs.head[a] <= 15 !== arcs.modifier[a] <= 15;
    const dear = scores.map((score, a) => (jumps(a) || arcs.head[a] === 0 ? score - 800 : score));
    const far = projectiveMarginals(arcs, dear, { singleRoot });
    // Shifting one modifier's scores moves the log-partition and nothing else.
    const shifted = dear.map((score, a) => (arcs.modifier[a] === 3 ? score + 5000 : score));
    const again = projectiveMarginals(arcs, shifted, { singleRoot });
    expect(again.logPartition - far.logPartition).toBeCloseTo(5000, 8);
    let jumping = 0;
    for (let a = 0; a < scores.length; a++) {
      expect(again.marginals[a]).toBeCloseTo(far.marginals[a], 9);
      if (jumps(a)) jumping += far.marginals[a];
    }
    if (singleRoot) expect(jumping).toBeCloseTo(1, 9);
  });

  test("200 words of uniform scores: the number of trees", () => {
    const n = 200;
    const arcs = completeArcs(n);
    const { logPartition, marginals } = projectiveMarginals(arcs, new Float64Array(arcs.head.length));
    let count = -Math.log(n); // C(3n - 2, n - 1) / n
    for (let k = 1; k < n; k++) count += Math.log((2 * n - 1 + k) / k);
    expect(logPartition).toBeCloseTo(count, 8);
    for (let m = 1; m <= n; m++) {
      // The trees are symmetric: so are the marginals.
      const mirror = n + 1 - m;
      expect(marginals[arcs.start[m]]).toBeCloseTo(marginals[arcs.start[mirror]], 10);
    }
  });

  test("no words, and arcs whose trees all cross", () => {
    expect(projectiveMarginals(completeArcs(0), new Float64Array(0)).logPartition).toBe(0);
    const crossing = filterArcs(4, (h, m) =>
      [
        [0, 2],
        [2, 4],
        [4, 1],
        [1, 3],
      ].some(([x, y]) => x === h && y === m),
    );
    const scores = new Float64Array(crossing.head.length);
    expect(arcMarginals(crossing, scores).logPartition).toBe(0);
    expect(() => projectiveMarginals(crossing, scores)).toThrow(NoTree);
    expect(() => projectiveMarginals(crossing, scores.fill(Number.NaN))).toThrow(RangeError);
  });
});
