import { completeArcs, filterArcs, NoTree, random, UnsupportedPart } from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arcConfidence, arcMarginals, mbrDecoder } from "../src/index.ts";
import { allTrees, exactSums, randomScores } from "./tree-sums-oracle.ts";

const arbitraryOptions = fc.record({ singleRoot: fc.boolean(), projective: fc.boolean() });

describe("minimum-Bayes-risk decoding", () => {
  test("the tree has the highest expected number of correct heads", () => {
    const decoders = new Map<string, ReturnType<typeof mbrDecoder>>();
    fc.assert(
      fc.property(arbitraryOptions, fc.nat(), fc.constantFrom(0.3, 2, 30), (options, seed, spread) => {
        const stream = random(seed);
        const n = 1 + stream.int(5);
        const arcs = filterArcs(n, (h, m) => h === m - 1 || stream.next() < 0.8);
        const arcScores = randomScores(arcs, stream, spread);
        const key = JSON.stringify(options);
        const decoder = decoders.get(key) ?? mbrDecoder(options);
        decoders.set(key, decoder);
        const decoding = decoder.decode({ arcs, arcScores, parts: [] });

        const trees = allTrees(arcs, arcScores, options);
        const exact = exactSums(trees, arcScores.length);
        const gain = (used: readonly number[]) => used.reduce((sum, a) => sum + exact.marginals[a], 0);
        const best = Math.max(...trees.map(({ arcs: used }) => gain(used)));
        const found = trees.find(({ heads }) => heads.join() === decoding.heads.join())!;
        expect(gain(found.arcs)).toBeCloseTo(best, 9);
        expect(decoding.expectedCorrect).toBeCloseTo(best, 9);
        expect(decoding.score).toBeCloseTo(found.score, 9);
        expect(decoding.bound).toBeGreaterThanOrEqual(Math.max(...trees.map(({ score }) => score)));
        expect(decoding.logPartition).toBeCloseTo(exact.logPartition, 9);
        const total = decoding.confidence.reduce((sum, p) => sum + p, 0);
        expect(total).toBeCloseTo(best, 9);
      }),
      { numRuns: 300 },
    );
  });

  test("differs from the best tree where many worse trees agree", () => {
    // Word 1 is the root in the one best tree (0 -> 1 -> 2, 1 -> 3); word 2 is in several others.
    const arcs = completeArcs(3);
    const probable: Record<string, number> = {
      "0>1": 5,
      "1>2": 5,
      "1>3": 5,
      "0>2": 8,
      "2>1": 3,
      "3>1": 3,
      "2>3": 3,
    };
    const arcScores = Float64Array.from(arcs.head, (h, a) =>
      Math.log(probable[`${h}>${arcs.modifier[a]}`] ?? 0.1),
    );
    const trees = allTrees(arcs, arcScores, { singleRoot: true });
    const best = trees.reduce((x, y) => (y.score > x.score ? y : x));
    const { heads, confidence, score } = mbrDecoder().decode({ arcs, arcScores, parts: [] });
    expect([...best.heads]).toEqual([-1, 0, 1, 1]);
    expect([...heads]).toEqual([-1, 2, 0, 1]);
    expect(score).toBeLessThan(best.score);
    expect([...confidence.slice(1)].every((p) => p > 0.4)).toBe(true);
  });

  test("excludes pruned arcs, and throws typed errors", () => {
    const arcs = completeArcs(3);
    const arcScores = Float64Array.from(arcs.head, (h, a) => (h === arcs.modifier[a] - 1 ? 0 : -Infinity));
    const decoding = mbrDecoder().decode({ arcs, arcScores, parts: [] });
    expect([...decoding.heads]).toEqual([-1, 0, 1, 2]);
    expect([...decoding.confidence]).toEqual([0, 1, 1, 1]);
    const global = { name: "g", score: () => 0 };
    expect(() => mbrDecoder().decode({ arcs, arcScores, parts: [], global })).toThrow(UnsupportedPart);
    expect(() => mbrDecoder().decode({ arcs, arcScores: arcScores.fill(-Infinity), parts: [] })).toThrow(
      NoTree,
    );
    expect(() => mbrDecoder().decode({ arcs, arcScores: arcScores.fill(Number.NaN), parts: [] })).toThrow(
      RangeError,
    );
  });
});

test("confidence is the marginal of each word's arc, 0 if the arc is not a candidate", () => {
  const arcs = filterArcs(3, (h, m) => !(h === 3 && m === 1));
  const { marginals } = arcMarginals(arcs, randomScores(arcs, random(1), 1));
  const confidence = arcConfidence(arcs, marginals, Int32Array.of(-1, 3, 0, 2));
  expect(confidence[1]).toBe(0);
  expect(confidence[2]).toBe(marginals[arcs.start[2]]);
  expect(() => arcConfidence(arcs, marginals, new Int32Array(2))).toThrow(RangeError);
});
