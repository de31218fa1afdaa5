import { completeArcs, filterArcs, NoTree, random } from "@arcwise/core";
import { treeDistribution } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TreeSums } from "../src/index.ts";
import type { TreeOptions } from "../src/options.ts";
import { randomScores } from "./support.ts";

/** The trees that an algorithm sums over, and figures that hold for them alone. */
interface SummedTrees {
  readonly projective: boolean;
  /** The number of trees by words: with a single root, and in all. */
  readonly counts: readonly (readonly [n: number, single: number, several: number])[];
  /** The largest standard deviation of scores. */
  readonly spread: number;
}

/** Declares the tests of every algorithm that sums over trees. */
export function treeSumsLaws(
  create: (options?: TreeOptions) => TreeSums,
  { projective, counts, spread: most }: SummedTrees,
): void {
  const arbitraryProblem = fc
    .record({
      n: fc.integer({ min: 1, max: 5 }),
      seed: fc.nat(),
      spread: fc.constantFrom(0, 1, 10, 300, most),
      density: fc.constantFrom(0.5, 0.8, 1),
      singleRoot: fc.boolean(),
    })
    .map(({ n, seed, spread, density, singleRoot }) => {
      const stream = random(seed);
      const arcs = filterArcs(n, () => stream.next() < density);
      return { arcs, scores: randomScores(arcs, stream, spread), singleRoot };
    });

  test.each(counts)(
    "counts the trees of %i words: %i with a single root, %i in all",
    (n, single, several) => {
      const arcs = completeArcs(n);
      const zeros = new Float64Array(arcs.head.length);
      expect(Math.exp(create().logPartition(arcs, zeros)) / single).toBeCloseTo(1, 12);
      const manyRoots = create({ singleRoot: false });
      expect(Math.exp(manyRoots.logPartition(arcs, zeros)) / several).toBeCloseTo(1, 12);
    },
  );

  test("equal enumeration", () => {
    fc.assert(
      fc.property(arbitraryProblem, ({ arcs, scores, singleRoot }) => {
        const exact = treeDistribution({ arcs, arcScores: scores, parts: [] }, { singleRoot, projective });
        const sums = create({ singleRoot });
        const marginals = new Float64Array(scores.length);
        if (exact.trees.length === 0) {
          expect(() => sums.logPartition(arcs, scores)).toThrow(NoTree);
          expect(() => sums.marginals(arcs, scores, marginals)).toThrow(NoTree);
          return;
        }
        const logPartition = sums.marginals(arcs, scores, marginals);
        expect(Math.abs(logPartition - exact.logPartition)).toBeLessThan(1e-9);
        expect(Math.abs(sums.logPartition(arcs, scores) - exact.logPartition)).toBeLessThan(1e-9);
        for (let a = 0; a < scores.length; a++) {
          expect(Math.abs(marginals[a] - exact.arcs[a])).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("the instance is independent of earlier sentences and does not change its input", () => {
    const sums = create();
    const arcs = completeArcs(4);
    const scores = randomScores(arcs, random(1), 3);
    const before = scores.slice();
    const first = new Float64Array(scores.length);
    const again = new Float64Array(scores.length);
    const logPartition = sums.marginals(arcs, scores, first);
    const large = completeArcs(20);
    sums.marginals(large, randomScores(large, random(2), 900), new Float64Array(large.head.length));
    expect(sums.marginals(arcs, scores, again)).toBe(logPartition);
    expect(again).toEqual(first);
    expect(scores).toEqual(before);
  });
}
