import { type Arcs, completeArcs, filterArcs, NoTree, random } from "@arcwise/core";
import { treeDistribution } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatrixTree } from "../src/index.ts";
import { arcMarginals, randomScores } from "./support.ts";
import { treeSumsLaws } from "./tree-sums-laws.ts";

describe("matrix-tree sums", () => {
  treeSumsLaws(createMatrixTree, {
    projective: false,
    counts: [
      // Cayley: (n + 1)^(n - 1) trees, n^(n - 1) of them with a single root.
      [1, 1, 1],
      [2, 2, 3],
      [3, 9, 16],
      [7, 117649, 262144],
    ],
    spread: 900,
  });

  test("two words by hand", () => {
    // Trees with a single root: 0 -> 1 -> 2 (weight 2 · 5) and 0 -> 2 -> 1 (3 · 7).
    const arcs = completeArcs(2); // 0 -> 1, 2 -> 1, 0 -> 2, 1 -> 2
    const scores = Float64Array.from([2, 7, 3, 5], Math.log);
    const { logPartition, marginals } = arcMarginals(arcs, scores);
    expect(logPartition).toBeCloseTo(Math.log(31), 14);
    [10 / 31, 21 / 31, 21 / 31, 10 / 31].forEach((p, a) => {
      expect(marginals[a]).toBeCloseTo(p, 14);
    });
    const both = arcMarginals(arcs, scores, { singleRoot: false });
    expect(both.logPartition).toBeCloseTo(Math.log(37), 14);
    expect(both.marginals[0]).toBeCloseTo(16 / 37, 14);
  });

  test.each([
    [200, 1, true],
    [200, 300, true],
    [200, 300, false],
    [63, 20, false],
  ])("%i words, scores of spread %i: marginals of a modifier sum to 1", (n, spread, singleRoot) => {
    const arcs = completeArcs(n);
    const scores = randomScores(arcs, random(n + spread), spread);
    const { logPartition, marginals } = arcMarginals(arcs, scores, { singleRoot });
    expect(Number.isFinite(logPartition)).toBe(true);
    expect(marginals.every((p) => p >= 0 && p <= 1)).toBe(true);
    let roots = 0;
    for (let m = 1; m <= n; m++) {
      let sum = 0;
      for (let a = arcs.start[m]; a < arcs.start[m + 1]; a++) {
        sum += marginals[a];
      }
      expect(sum).toBeCloseTo(1, 12);
      roots += marginals[arcs.start[m]];
    }
    if (singleRoot) expect(roots).toBeCloseTo(1, 10);
    else expect(roots).toBeGreaterThanOrEqual(1 - 1e-9);
  });

  test("uniform trees of 200 words: every arc between words has the same probability", () => {
    const arcs = completeArcs(200);
    const { logPartition, marginals } = arcMarginals(arcs, new Float64Array(arcs.head.length));
    expect(logPartition).toBeCloseTo(199 * Math.log(200), 9);
    expect(marginals.every((p) => Math.abs(p * 200 - 1) < 1e-11)).toBe(true);
  });
});

describe("hard instances", () => {
  /** Pairs that prefer each other by `gap`; a pair can be left only at that price. */
  function pairs(count: number, gap: number): { arcs: Arcs; scores: Float64Array } {
    const arcs = completeArcs(2 * count);
    const scores = Float64Array.from(arcs.head, (h, a) => {
      const m = arcs.modifier[a];
      return h > 0 && (h - 1) >> 1 === (m - 1) >> 1 ? 0 : -gap;
    });
    return { arcs, scores };
  }

  test.each([
    [2, 20],
    [2, 200],
    [2, 800],
    [3, 5000],
  ])("%i pairs that would rather be cycles, gap %i", (count, gap) => {
    const { arcs, scores } = pairs(count, gap);
    for (const singleRoot of [true, false]) {
      const { logPartition, marginals } = arcMarginals(arcs, scores, { singleRoot });
      const exact = treeDistribution({ arcs, arcScores: scores, parts: [] }, { singleRoot });
      expect(Math.abs(logPartition - exact.logPartition)).toBeLessThan(1e-9);
      for (let a = 0; a < scores.length; a++) {
        expect(Math.abs(marginals[a] - exact.arcs[a])).toBeLessThan(1e-12);
      }
    }
  });

  test("pairs of words that are nearly cycles: as accurate at gap 60 as a closed form", () => {
    // One pair: the trees are 0 -> 1 -> 2 and 0 -> 2 -> 1, and both roots: exp(-60) (1 + 1 + exp(-60)).
    const { arcs, scores } = pairs(1, 60);
    const { logPartition, marginals } = arcMarginals(arcs, scores, { singleRoot: false });
    expect(logPartition).toBeCloseTo(-60 + Math.log(2 + Math.exp(-60)), 13);
    for (const p of marginals) expect(p).toBeCloseTo(0.5, 14);
  });

  test("improbable arcs keep their relative accuracy", () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (seed, singleRoot) => {
        const arcs = completeArcs(4);
        const scores = randomScores(arcs, random(seed), 40);
        const { marginals } = arcMarginals(arcs, scores, { singleRoot });
        const exact = treeDistribution({ arcs, arcScores: scores, parts: [] }, { singleRoot });
        for (let a = 0; a < scores.length; a++) {
          expect(Math.abs(marginals[a] / exact.arcs[a] - 1)).toBeLessThan(1e-11);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("words that only the root can head, and chains that leave one order of elimination", () => {
    for (const [label, keep] of Object.entries({
      down: (h: number, m: number) => h === m - 1,
      up: (h: number, m: number) => h === m + 1 || (h === 0 && m === 6),
      star: (h: number, m: number) => h === 3 || (h === 0 && m === 3),
    })) {
      const arcs = filterArcs(6, keep);
      const scores = randomScores(arcs, random(1), 100);
      const { logPartition, marginals } = arcMarginals(arcs, scores);
      expect([label, [...marginals]]).toEqual([label, new Array(scores.length).fill(1)]);
      expect(logPartition).toBeCloseTo(
        scores.reduce((sum, score) => sum + score, 0),
        9,
      );
    }
  });

  test.each([3, 800])(
    "only one word can be the root's modifier, and the others prefer each other by %i",
    (gap) => {
      // The root can head the center alone. The center heads two pairs, whose words prefer each other, and no
      // walk leads from it to the words that are still there when it is eliminated.
      for (const center of [1, 3, 5]) {
        const pair = (word: number) => (word > center ? word - 2 : word - 1) >> 1;
        const arcs = filterArcs(5, (h, m) => {
          if (h === 0 || m === center) return h === 0 && m === center;
          return h === center || pair(h) === pair(m);
        });
        const scores = Float64Array.from(arcs.head, (h) => (h === center ? 0.1 * h - gap : 0.3 * h));
        const { logPartition, marginals } = arcMarginals(arcs, scores);
        const exact = treeDistribution({ arcs, arcScores: scores, parts: [] });
        expect(Math.abs(logPartition - exact.logPartition)).toBeLessThan(1e-9);
        marginals.forEach((p, a) => {
          expect(p).toBeCloseTo(exact.arcs[a], 11);
        });
      }
    },
  );
});

describe("the instance", () => {
  test("no words: one empty tree", () => {
    expect(arcMarginals(completeArcs(0), new Float64Array(0)).logPartition).toBe(0);
  });

  test("refuses invalid scores", () => {
    const arcs = completeArcs(2);
    for (const bad of [Number.NaN, Infinity]) {
      expect(() => arcMarginals(arcs, Float64Array.of(0, bad, 0, 0))).toThrow(RangeError);
    }
    expect(() => arcMarginals(arcs, new Float64Array(3))).toThrow(/4 entries/);
    expect(() => createMatrixTree().marginals(arcs, new Float64Array(4), new Float64Array(3))).toThrow(
      /marginals/,
    );
  });

  test("throws NoTree when there is no tree", () => {
    const cycle = filterArcs(2, (h) => h !== 0);
    expect(() => arcMarginals(cycle, new Float64Array(2))).toThrow(NoTree);
    const twoRoots = filterArcs(2, (h) => h === 0);
    expect(() => arcMarginals(twoRoots, new Float64Array(2))).toThrow(NoTree);
    expect(arcMarginals(twoRoots, new Float64Array(2), { singleRoot: false }).logPartition).toBe(0);
  });
});
