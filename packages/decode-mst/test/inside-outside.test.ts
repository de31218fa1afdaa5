import { completeArcs, filterArcs, NoTree, random } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arcMarginals, createInsideOutside, treeEntropy } from "../src/index.ts";
import { projectiveMarginals } from "../src/sums/inside-outside.ts";
import { allTrees, exactSums, randomScores } from "./tree-sums-oracle.ts";

const arbitraryProblem = fc
  .record({
    n: fc.integer({ min: 1, max: 5 }),
    seed: fc.nat(),
    spread: fc.constantFrom(0, 1, 10, 300, 3000),
    density: fc.constantFrom(0.5, 0.8, 1),
    singleRoot: fc.boolean(),
  })
  .map(({ n, seed, spread, density, singleRoot }) => {
    const stream = random(seed);
    const arcs = filterArcs(n, () => stream.next() < density);
    return { arcs, scores: randomScores(arcs, stream, spread), singleRoot };
  });

describe("projective sums", () => {
  test.each([
    // C(3n - 2, n - 1) / n trees with one root, C(3n, n) / (2n + 1) in all (Yuret 1998).
    [1, 1, 1],
    [2, 2, 3],
    [3, 7, 12],
    [4, 30, 55],
    [8, 21318, 43263],
  ])("counts the projective trees of %i words: %i with a single root, %i in all", (n, single, several) => {
    const arcs = completeArcs(n);
    const zeros = new Float64Array(arcs.head.length);
    expect(Math.exp(createInsideOutside().logPartition(arcs, zeros)) / single).toBeCloseTo(1, 12);
    const manyRoots = createInsideOutside({ singleRoot: false });
    expect(Math.exp(manyRoots.logPartition(arcs, zeros)) / several).toBeCloseTo(1, 12);
  });

  test("equal enumeration", () => {
    fc.assert(
      fc.property(arbitraryProblem, ({ arcs, scores, singleRoot }) => {
        const trees = allTrees(arcs, scores, { singleRoot, projective: true });
        const sums = createInsideOutside({ singleRoot });
        const marginals = new Float64Array(scores.length);
        if (trees.length === 0) {
          expect(() => sums.logPartition(arcs, scores)).toThrow(NoTree);
          expect(() => sums.marginals(arcs, scores, marginals)).toThrow(NoTree);
          return;
        }
        const exact = exactSums(trees, scores.length);
        const logPartition = sums.marginals(arcs, scores, marginals);
        expect(Math.abs(logPartition - exact.logPartition)).toBeLessThan(1e-9);
        expect(Math.abs(sums.logPartition(arcs, scores) - exact.logPartition)).toBeLessThan(1e-9);
        expect(Math.abs(treeEntropy(scores, marginals, logPartition) - exact.entropy)).toBeLessThan(1e-9);
        for (let a = 0; a < scores.length; a++) {
          expect(Math.abs(marginals[a] - exact.marginals[a])).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each([true, false])(
    "marginals are the gradient of the log-partition (single root: %s)",
    (singleRoot) => {
      const arcs = completeArcs(8);
      const scores = randomScores(arcs, random(5), 2);
      const sums = createInsideOutside({ singleRoot });
      const { marginals } = projectiveMarginals(arcs, scores, { singleRoot });
      const step = 1e-5;
      for (let a = 0; a < scores.length; a++) {
        const moved = scores.slice();
        moved[a] = scores[a] + step;
        const above = sums.logPartition(arcs, moved);
        moved[a] = scores[a] - step;
        expect((above - sums.logPartition(arcs, moved)) / (2 * step)).toBeCloseTo(marginals[a], 8);
      }
    },
  );

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

  test("up to two words, every tree is projective", () => {
    const arcs = completeArcs(2);
    const scores = randomScores(arcs, random(3), 4);
    for (const singleRoot of [true, false]) {
      const projective = projectiveMarginals(arcs, scores, { singleRoot });
      const all = arcMarginals(arcs, scores, { singleRoot });
      expect(projective.logPartition).toBeCloseTo(all.logPartition, 12);
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

  test("the instance is independent of earlier sentences", () => {
    const sums = createInsideOutside();
    const arcs = completeArcs(4);
    const scores = randomScores(arcs, random(1), 3);
    const first = new Float64Array(scores.length);
    const again = new Float64Array(scores.length);
    const logPartition = sums.marginals(arcs, scores, first);
    const large = completeArcs(20);
    sums.marginals(large, randomScores(large, random(2), 900), new Float64Array(large.head.length));
    expect(sums.marginals(arcs, scores, again)).toBe(logPartition);
    expect(again).toEqual(first);
  });
});
