import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BeamSearch } from "../src/inference/beam.ts";
import {
  type ChainProblem,
  completeLattice,
  NoLabelling,
  scoreLabelling,
} from "../src/inference/chain-problem.ts";
import { ForwardBackward } from "../src/inference/forward-backward.ts";
import { kBestLabellings } from "../src/inference/kbest.ts";
import { viterbi } from "../src/inference/viterbi.ts";
import { allLabellings, type RandomChain, randomChain } from "./brute-force.ts";

/** Small chains of every order, with forbidden entries and shared tables. */
const chains: fc.Arbitrary<RandomChain> = fc.record({
  seed: fc.nat(1e6),
  order: fc.constantFrom(1, 2, 3),
  n: fc.integer({ min: 1, max: 5 }),
  count: fc.integer({ min: 1, max: 4 }),
  forbidden: fc.constantFrom(0, 0.2, 0.6),
  spread: fc.constantFrom(1, 200),
  shared: fc.boolean(),
});

/** Two labels, A (0) and B (1), over three positions. */
const worked: ChainProblem = {
  order: 2,
  lattice: completeLattice(3, 2),
  scores: Float64Array.of(1, 0, 0, 0.5, 0, 0),
  grams: Float64Array.of(0, 0, 2, -1, -2, 3),
  table: Int32Array.of(-1, 2, 2),
};

test("the score of a labelling is that of its labels and its pairs of labels", () => {
  expect(scoreLabelling(worked, [0, 0, 0])).toBe(1 + 2 + 2);
  expect(scoreLabelling(worked, [1, 1, 1])).toBe(0.5 + 3 + 3);
  expect(scoreLabelling(worked, [0, 1, 1])).toBe(1 - 1 + 0.5 + 3);
  expect(scoreLabelling(worked, [0, 2, 1])).toBe(-Infinity);
});

test("the best labelling of the example", () => {
  const { labels, score } = viterbi(worked);
  expect(Array.from(labels)).toEqual([1, 1, 1]);
  expect(score).toBe(6.5);
});

function bruteForce(problem: ChainProblem): { labels: number[]; score: number }[] {
  return allLabellings(problem)
    .filter(({ score }) => score > -Infinity)
    .sort((a, b) => b.score - a.score);
}

describe("against enumeration", () => {
  test("Viterbi finds the best labelling", () => {
    fc.assert(
      fc.property(chains, (chain) => {
        const problem = randomChain(chain);
        const [best] = bruteForce(problem);
        if (best === undefined) {
          expect(() => viterbi(problem)).toThrow(NoLabelling);
          return;
        }
        const { labels, score } = viterbi(problem);
        expect(score).toBeCloseTo(best.score, 8);
        expect(scoreLabelling(problem, labels)).toBeCloseTo(score, 8);
      }),
      { numRuns: 300 },
    );
  });

  test("the k best labellings are the k first of all", () => {
    fc.assert(
      fc.property(chains, fc.integer({ min: 1, max: 40 }), (chain, k) => {
        const problem = randomChain(chain);
        const all = bruteForce(problem);
        if (all.length === 0) {
          expect(() => kBestLabellings(problem, k)).toThrow(NoLabelling);
          return;
        }
        const found = kBestLabellings(problem, k);
        expect(found.map(({ score }) => score.toFixed(6))).toEqual(
          all.slice(0, k).map(({ score }) => score.toFixed(6)),
        );
        expect(new Set(found.map(({ labels }) => labels.join())).size).toBe(found.length);
        for (const { labels, score } of found) {
          expect(scoreLabelling(problem, labels)).toBeCloseTo(score, 8);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("the k best of a long chain with equal scores are found quickly", () => {
    const lattice = completeLattice(60, 10);
    const problem: ChainProblem = {
      order: 1,
      lattice,
      scores: new Float64Array(600),
      grams: new Float64Array(0),
      table: new Int32Array(60).fill(-1),
    };
    const found = kBestLabellings(problem, 7);
    expect(new Set(found.map(({ labels }) => labels.join())).size).toBe(7);
  });

  test("forward-backward sums over all labellings", () => {
    const sums = new ForwardBackward();
    fc.assert(
      fc.property(chains, (chain) => {
        const problem = randomChain(chain);
        const all = bruteForce(problem);
        if (all.length === 0) {
          expect(() => sums.sum(problem)).toThrow(NoLabelling);
          return;
        }
        const top = all[0].score;
        const total = all.reduce((sum, { score }) => sum + Math.exp(score - top), 0);
        const { logPartition, marginals, grams } = sums.sum(problem);
        expect(logPartition).toBeCloseTo(top + Math.log(total), 7);
        const expected = expectedCounts(problem, all, logPartition);
        const { start, n } = problem.lattice;
        for (let k = 0; k < start[n]; k++) expect(marginals[k]).toBeCloseTo(expected.marginals[k], 8);
        for (let k = 0; k < problem.grams.length; k++) expect(grams[k]).toBeCloseTo(expected.grams[k], 8);
      }),
      { numRuns: 400 },
    );
  });

  test("a beam as wide as all states is exact, and a narrow one never better", () => {
    fc.assert(
      fc.property(chains, fc.integer({ min: 1, max: 3 }), (chain, width) => {
        const problem = randomChain({ ...chain, forbidden: 0 });
        const labels = new Int32Array(problem.lattice.n);
        const best = viterbi(problem).score;
        expect(new BeamSearch(64).decodeInto(problem, labels)).toBeCloseTo(best, 8);
        const score = new BeamSearch(width).decodeInto(problem, labels);
        expect(score).toBeLessThanOrEqual(best + 1e-8);
        expect(scoreLabelling(problem, labels)).toBeCloseTo(score, 8);
      }),
      { numRuns: 200 },
    );
  });
});

/** Returns probabilities of candidates and expected counts of table entries by enumeration. */
function expectedCounts(
  { order, lattice: { n, start, labels: candidates }, grams, table }: ChainProblem,
  all: readonly { labels: number[]; score: number }[],
  logPartition: number,
): { marginals: Float64Array; grams: Float64Array } {
  const expected = { marginals: new Float64Array(start[n]), grams: new Float64Array(grams.length) };
  for (const { labels, score } of all) {
    const p = Math.exp(score - logPartition);
    const at = labels.map((y, i) => candidates.subarray(start[i], start[i + 1]).indexOf(y));
    for (let i = 0; i < n; i++) {
      expected.marginals[start[i] + at[i]] += p;
      if (table[i] < 0) continue;
      const size = (j: number) => (j < 0 ? 1 : start[j + 1] - start[j]);
      const first = order === 3 && i > 1 ? at[i - 2] : 0;
      const second = order > 1 && i > 0 ? at[i - 1] : 0;
      expected.grams[table[i] + (first * size(i - 1) + second) * size(i) + at[i]] += p;
    }
  }
  return expected;
}

test("sums do not overflow or vanish in long chains with scores of any size", () => {
  for (const spread of [1, 20, 1e4]) {
    const problem = randomChain({ seed: 5, order: 2, n: 400, count: 5, spread });
    const { logPartition, marginals } = new ForwardBackward().sum(problem);
    expect(logPartition).toBeGreaterThanOrEqual(viterbi(problem).score - 1e-6);
    const { start, n } = problem.lattice;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = start[i]; k < start[i + 1]; k++) sum += marginals[k];
      expect(sum).toBeCloseTo(1, spread > 1e3 ? 6 : 9);
    }
  }
});

test("throws NoLabelling when everything is forbidden", () => {
  const none: ChainProblem = { ...worked, scores: new Float64Array(6).fill(-Infinity) };
  expect(() => viterbi(none)).toThrow(NoLabelling);
  expect(() => new ForwardBackward().sum(none)).toThrow(NoLabelling);
  expect(() => new BeamSearch(3).decodeInto(none, new Int32Array(3))).toThrow(NoLabelling);
});
