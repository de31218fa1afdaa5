import { type Arcs, arcIndex, checkTree, completeArcs, filterArcs, random, scoreTree } from "@arcwise/core";
import { createMatrixTree, createTreeSampler } from "@arcwise/decode-mst";
import { allTrees } from "@arcwise/decoder-laws";
import { describe, expect, test } from "vitest";
import { Starts } from "../src/starts.ts";

/** With ARCWISE_THOROUGH=1, distances of 300 draws instead of 40. */
const THOROUGH = process.env.ARCWISE_THOROUGH !== undefined;

/** Arcs between near words; two and two words prefer one another, so that walks go around between them. */
function pairs(n: number, preference: number) {
  const arcs = filterArcs(n, (h, m) => h === 0 || Math.abs(h - m) < 5);
  const partner = (m: number) => (m % 2 === 1 ? m + 1 : m - 1);
  const scores = Float64Array.from(arcs.head, (h, a) => (h === partner(arcs.modifier[a]) ? preference : 0));
  return { arcs, scores };
}

/** Draws the heads of trees. */
function draw(starts: Starts, { arcs, scores }: ReturnType<typeof pairs>, count: number): Int32Array[] {
  starts.prepare(arcs, scores);
  const stream = random(3);
  return Array.from({ length: count }, (_, k) => {
    const arcOf = new Int32Array(arcs.n + 1);
    starts.draw(stream.fork(k), arcOf);
    return Int32Array.from(arcOf, (arc, m) => (m === 0 ? -1 : arcs.head[arc]));
  });
}

test.each([true, false])(
  "where walks get long, starts are drawn in quadratic time, single root: %s",
  (singleRoot) => {
    // Walks between partners take exp(30) steps on average, and the exact sampler a second for each tree.
    const problem = pairs(400, 30);
    const trees = draw(new Starts(singleRoot, 1), problem, 40);
    for (const heads of trees) {
      expect(checkTree(heads, { singleRoot })).toBeUndefined();
      for (let m = 1; m < heads.length; m++)
        expect(arcIndex(problem.arcs, heads[m], m)).toBeGreaterThanOrEqual(0);
    }
    expect(new Set(trees.map((heads) => heads.join())).size).toBe(40);
    expect(draw(new Starts(singleRoot, 1), problem, 40)).toEqual(trees);
  },
);

test("starts in long sentences prefer what scores more", () => {
  const n = 120;
  const { arcs, scores } = pairs(n, 30);
  // Of the heads other than the partner, the root and the words on the left are worth more.
  for (let a = 0; a < scores.length; a++)
    if (scores[a] === 0 && arcs.head[a] < arcs.modifier[a]) scores[a] = 4;
  const trees = draw(new Starts(false, 1), { arcs, scores }, 20);
  let [left, right] = [0, 0];
  for (const heads of trees) {
    for (let m = 1; m <= n; m++) {
      if (Math.abs(heads[m] - m) === 1) continue;
      if (heads[m] < m) left++;
      else right++;
    }
  }
  expect(left).toBeGreaterThan(10 * right);
});

test("a pruned arc is in no start", () => {
  const arcs = completeArcs(130);
  const scores = Float64Array.from(arcs.head, (h, a) =>
    Math.abs(h - arcs.modifier[a]) === 1 ? 40 : -Infinity,
  );
  for (let m = 1; m <= arcs.n; m++) scores[arcIndex(arcs, 0, m)] = 0;
  for (const heads of draw(new Starts(true, 1), { arcs, scores }, 10)) {
    for (let m = 1; m <= arcs.n; m++) expect(scores[arcIndex(arcs, heads[m], m)]).not.toBe(-Infinity);
  }
});

/** Random arc scores over all arcs of n words. */
function normal(n: number, spread: number, seed: number): ReturnType<typeof pairs> {
  const arcs = completeArcs(n);
  const rng = random(seed);
  return { arcs, scores: Float64Array.from(arcs.head, () => spread * rng.normal()) };
}

/** Pearson's chi-square of drawn trees as a standard normal variable (Wilson and Hilferty's cube root). */
function surprise({ arcs, scores }: ReturnType<typeof normal>, singleRoot: boolean, drawn: Int32Array[]) {
  const flat = { arcs, arcScores: scores, parts: [] };
  const trees = allTrees(arcs.n, { singleRoot });
  const weights = trees.map((heads) => Math.exp(scoreTree(flat, heads)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const counts = new Map<string, number>();
  for (const heads of drawn) counts.set(heads.join(), 1 + (counts.get(heads.join()) ?? 0));
  const cells = trees.map((heads, k) => ({
    seen: counts.get(heads.join()) ?? 0,
    expected: (drawn.length * weights[k]) / total,
  }));
  expect(cells.reduce((sum, { seen }) => sum + seen, 0)).toBe(drawn.length);
  const common = cells.filter(({ expected }) => expected >= 8);
  const rare = cells.filter(({ expected }) => expected < 8);
  if (rare.length > 0) {
    const sum = (pick: "seen" | "expected") => rare.reduce((all, cell) => all + cell[pick], 0);
    if (sum("expected") >= 8) common.push({ seen: sum("seen"), expected: sum("expected") });
  }
  const freedom = common.length - 1;
  if (freedom <= 0) return 0;
  const statistic = common.reduce((sum, { seen, expected }) => sum + (seen - expected) ** 2 / expected, 0);
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
}

/** Shares of drawn trees that have each arc. */
function frequencies(arcs: Arcs, drawn: Int32Array[]): Float64Array {
  const counts = new Float64Array(arcs.head.length);
  for (const heads of drawn) {
    for (let m = 1; m <= arcs.n; m++) counts[arcIndex(arcs, heads[m], m)] += 1 / drawn.length;
  }
  return counts;
}

/** Total variation between two distributions over the heads of a word, as a mean over the words. */
function distance(arcs: Arcs, a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, share, k) => sum + Math.abs(share - b[k]), 0) / (2 * arcs.n);
}

describe.each([true, false])(
  "starts are drawn from the distribution of trees, single root: %s",
  (singleRoot) => {
    test.each([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 1],
      [5, 0],
      [5, 2],
      // Walks of more than 40 steps a word: the exact sampler takes over.
      [4, 12],
    ])("%i words, scores of deviation %i: by the chi-square of all trees", (n, spread) => {
      const problem = normal(n, spread, n + spread);
      const z = surprise(problem, singleRoot, draw(new Starts(singleRoot, 1), problem, 8000));
      expect(Math.abs(z)).toBeLessThan(4);
    });

    test.each([
      [10, 1],
      [30, 1],
      [60, 1],
      [100, 1],
      // Walks are exact at all lengths while they are short.
      [130, 1],
    ])("%i words: by the marginals of arcs", (n, spread) => {
      const problem = normal(n, spread, n);
      const marginals = new Float64Array(problem.scores.length);
      createMatrixTree({ singleRoot }).marginals(problem.arcs, problem.scores, marginals);
      const draws = 400;
      const seen = frequencies(problem.arcs, draw(new Starts(singleRoot, 1), problem, draws));
      for (const [a, p] of marginals.entries()) {
        expect(draws * Math.abs(seen[a] - p)).toBeLessThan(5 * Math.sqrt(draws * p * (1 - p)) + 3);
      }
    });

    // As many draws of both, so that chance takes both equally far from the marginals. Starts are exact up to
    // 100 words, and near the distribution above.
    test.each([10, 30, 60, 120])("%i words, where walks are long: near the distribution", (n) => {
      const problem = pairs(n, 10);
      const marginals = new Float64Array(problem.scores.length);
      createMatrixTree({ singleRoot }).marginals(problem.arcs, problem.scores, marginals);
      const draws = THOROUGH ? 300 : 40;
      const exact = createTreeSampler({ singleRoot, maxSteps: 0 });
      exact.prepare(problem.arcs, problem.scores);
      const stream = random(9);
      const sampled = Array.from({ length: draws }, () => {
        const heads = new Int32Array(n + 1);
        exact.sample(stream, heads);
        return heads;
      });
      const drawn = draw(new Starts(singleRoot, 1), problem, draws);
      const far = distance(problem.arcs, frequencies(problem.arcs, drawn), marginals);
      const chance = distance(problem.arcs, frequencies(problem.arcs, sampled), marginals);
      if (THOROUGH) console.log(`${n} words, single root ${singleRoot}: ${far}, exact draws ${chance}`);
      expect(far).toBeLessThan(1.3 * chance);
    });
  },
);
