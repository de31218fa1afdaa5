import { type Arcs, completeArcs, filterArcs, isProjective, isTree, NoTree, random } from "@arcwise/core";
import { treeDistribution } from "@arcwise/decoder-laws";
import { describe, expect, test } from "vitest";
import { createProjectiveSampler, createTreeSampler, type TreeSampler } from "../src/index.ts";
import type { TreeSamplerOptions } from "../src/sampling/sampling.ts";
import { arcMarginals, randomScores } from "./support.ts";

/**
 * Returns the deviation of the counts of sampled trees from their probabilities: Pearson's chi-square with
 * rare trees in one cell, as a standard normal variable (Wilson and Hilferty's cube root).
 */
function surprise(
  sampler: TreeSampler,
  arcs: Arcs,
  scores: Float64Array,
  options: { singleRoot: boolean; projective?: boolean; temperature?: number },
  draws: number,
  seed: number,
): number {
  const arcScores = scores.map((score) => score / (options.temperature ?? 1));
  const { trees, probabilities } = treeDistribution({ arcs, arcScores, parts: [] }, options);
  const counts = new Map<string, number>(trees.map(({ heads }) => [heads.join(), 0]));
  const stream = random(seed);
  const heads = new Int32Array(arcs.n + 1);
  sampler.prepare(arcs, scores);
  for (let draw = 0; draw < draws; draw++) {
    sampler.sample(stream, heads);
    const seen = counts.get(heads.join());
    if (seen === undefined) throw new Error(`${heads.join()} is not a tree of the problem`);
    counts.set(heads.join(), seen + 1);
  }
  let statistic = 0;
  let cells = 0;
  let rareCount = 0;
  let rareExpected = 0;
  for (const [t, { heads }] of trees.entries()) {
    const wanted = draws * probabilities[t];
    const count = counts.get(heads.join())!;
    if (wanted < 8) {
      rareCount += count;
      rareExpected += wanted;
      continue;
    }
    statistic += (count - wanted) ** 2 / wanted;
    cells++;
  }
  if (rareExpected >= 8) {
    statistic += (rareCount - rareExpected) ** 2 / rareExpected;
    cells++;
  } else expect(rareCount).toBeLessThan(40);
  const freedom = cells - 1;
  if (freedom === 0) return 0;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
}

describe.each([
  { singleRoot: true, how: "walks" },
  { singleRoot: false, how: "walks" },
  { singleRoot: true, how: "elimination", maxSteps: 0 },
  { singleRoot: false, how: "elimination", maxSteps: 0 },
  // Half of the walks are given up: the mixture of both methods must still be exact.
  { singleRoot: true, how: "short walks", maxSteps: 5 },
  { singleRoot: false, how: "short walks", maxSteps: 6 },
])("samples by $how, single root: $singleRoot", ({ singleRoot, maxSteps }) => {
  const options: TreeSamplerOptions = maxSteps === undefined ? { singleRoot } : { singleRoot, maxSteps };

  test.each([
    [1, 4, 1],
    [2, 4, 0],
    [3, 5, 1],
    [4, 5, 2],
    [5, 3, 5],
  ])("seed %i: %i words at spread %f are drawn by their probability", (seed, n, spread) => {
    const arcs = completeArcs(n);
    const scores = randomScores(arcs, random(seed), spread);
    const z = surprise(createTreeSampler(options), arcs, scores, { singleRoot }, 12_000, seed + 100);
    expect(Math.abs(z)).toBeLessThan(4);
  });

  test("pruned arcs and missing candidates", () => {
    const stream = random(11);
    const arcs = filterArcs(5, (h, m) => h === m - 1 || stream.next() < 0.6);
    const scores = randomScores(arcs, stream, 1).map((score) => (stream.next() < 0.25 ? -Infinity : score));
    for (let m = 1; m <= 5; m++) {
      for (let a = arcs.start[m]; a < arcs.start[m + 1]; a++) if (arcs.head[a] === m - 1) scores[a] = 0.5;
    }
    const z = surprise(createTreeSampler(options), arcs, scores, { singleRoot }, 12_000, 5);
    expect(Math.abs(z)).toBeLessThan(4);
  });

  test("temperature divides the scores", () => {
    const arcs = completeArcs(4);
    const scores = randomScores(arcs, random(8), 3);
    for (const temperature of [0.5, 4, Infinity]) {
      const sampler = createTreeSampler({ ...options, temperature });
      const z = surprise(sampler, arcs, scores, { singleRoot, temperature }, 10_000, 6);
      expect(Math.abs(z)).toBeLessThan(4);
    }
  });
});

test.each([true, false])("pairs of words that prefer each other by 800 (single root: %s)", (singleRoot) => {
  const arcs = completeArcs(4);
  const stream = random(2);
  const scores = Float64Array.from(arcs.head, (h, a) => {
    const pair = h > 0 && (h - 1) >> 1 === (arcs.modifier[a] - 1) >> 1;
    return (pair ? 0 : -800) + stream.normal();
  });
  const z = surprise(createTreeSampler({ singleRoot }), arcs, scores, { singleRoot }, 5_000, 9);
  expect(Math.abs(z)).toBeLessThan(4);
});

describe.each([true, false])("projective samples, single root: %s", (singleRoot) => {
  test.each([
    [1, 4, 1],
    [2, 4, 0],
    [3, 5, 1],
    [4, 5, 2],
  ])("seed %i: %i words at spread %f are drawn by their probability", (seed, n, spread) => {
    const arcs = completeArcs(n);
    const scores = randomScores(arcs, random(seed), spread);
    const options = { singleRoot, projective: true };
    const z = surprise(createProjectiveSampler({ singleRoot }), arcs, scores, options, 12_000, seed);
    expect(Math.abs(z)).toBeLessThan(4);
  });

  test("sums that a Float64 cannot hold", () => {
    const arcs = completeArcs(4);
    const stream = random(3);
    const scores = Float64Array.from(arcs.head, (h, a) => {
      const far = h === 0 || h <= 2 !== arcs.modifier[a] <= 2;
      return (far ? -800 : 0) + stream.normal();
    });
    const options = { singleRoot, projective: true };
    const z = surprise(createProjectiveSampler({ singleRoot }), arcs, scores, options, 10_000, 4);
    expect(Math.abs(z)).toBeLessThan(4);
  });

  test("long sentences: projective trees", () => {
    const arcs = completeArcs(60);
    const sampler = createProjectiveSampler({ singleRoot });
    const heads = new Int32Array(61);
    const stream = random(1);
    for (const spread of [0, 3, 100]) {
      sampler.prepare(arcs, randomScores(arcs, random(spread), spread));
      for (let draw = 0; draw < 20; draw++) {
        sampler.sample(stream, heads);
        expect(isTree(heads, { singleRoot })).toBe(true);
        expect(isProjective(heads)).toBe(true);
      }
    }
  });
});

test.each([undefined, 0])("arc frequencies of 30 words are the marginals (at most %s steps)", (maxSteps) => {
  const n = 30;
  const arcs = completeArcs(n);
  const scores = randomScores(arcs, random(4), 2);
  const sampler = createTreeSampler(maxSteps === undefined ? {} : { maxSteps });
  const { marginals } = arcMarginals(arcs, scores);
  const heads = new Int32Array(n + 1);
  const counts = new Float64Array(scores.length);
  const draws = maxSteps === 0 ? 400 : 2000;
  const stream = random(12);
  sampler.prepare(arcs, scores);
  for (let draw = 0; draw < draws; draw++) {
    sampler.sample(stream, heads);
    expect(isTree(heads, { singleRoot: true })).toBe(true);
    for (let m = 1; m <= n; m++) {
      const h = heads[m];
      counts[arcs.start[m] + (h > m ? h - 1 : h)]++;
    }
  }
  for (let a = 0; a < counts.length; a++) {
    const p = marginals[a];
    expect(Math.abs(counts[a] - draws * p)).toBeLessThan(5 * Math.sqrt(draws * p * (1 - p)) + 3);
  }
});

describe("the sampler", () => {
  test("the same seed draws the same trees, independent of earlier draws", () => {
    const arcs = completeArcs(6);
    const scores = randomScores(arcs, random(1), 1);
    for (const make of [createTreeSampler, createProjectiveSampler]) {
      const draw = (sampler: TreeSampler) => {
        const heads = new Int32Array(7);
        sampler.prepare(arcs, scores);
        sampler.sample(random(77), heads);
        return [...heads];
      };
      const used = make();
      const large = completeArcs(15);
      used.prepare(large, randomScores(large, random(3), 2));
      used.sample(random(1), new Int32Array(16));
      expect(draw(used)).toEqual(draw(make()));
    }
  });

  test.each([createTreeSampler, createProjectiveSampler])("refuses invalid arguments (%o)", (make) => {
    const arcs = completeArcs(2);
    const sampler = make();
    const heads = new Int32Array(3);
    expect(() => sampler.sample(random(1), heads)).toThrow(RangeError);
    expect(() => make({ temperature: 0 })).toThrow(/temperature/);
    expect(() => make({ temperature: Number.NaN })).toThrow(RangeError);
    expect(() => sampler.prepare(arcs, Float64Array.of(0, Number.NaN, 0, 0))).toThrow(RangeError);
    const cycle = filterArcs(2, (h) => h !== 0);
    expect(() => sampler.prepare(cycle, new Float64Array(2))).toThrow(NoTree);
    expect(() => make({ singleRoot: false }).prepare(cycle, new Float64Array(2))).toThrow(NoTree);
    sampler.prepare(arcs, new Float64Array(4));
    expect(() => sampler.sample(random(1), new Int32Array(2))).toThrow(/3 entries/);
    sampler.prepare(completeArcs(0), new Float64Array(0));
    const empty = new Int32Array(1);
    sampler.sample(random(1), empty);
    expect([...empty]).toEqual([-1]);
  });
});
