import { completeArcs, type ParsingProblem, random } from "@arcwise/core";
import { createProjectiveSampler, createTreeSampler, mbrDecoder, mstDecoder } from "@arcwise/decode-mst";
import { describe, expect, test } from "vitest";
import { hillclimbDecoder } from "../src/index.ts";

/** All arcs of n words, with a score by their index. */
function problem(n: number, score: (arc: number) => number): ParsingProblem {
  const arcs = completeArcs(n);
  return { arcs, arcScores: Float64Array.from(arcs.head, (_, a) => score(a)), parts: [] };
}

const greatest = (arc: number) => (arc % 2 === 1 ? 1e308 : -1e308);
const least = (arc: number) => Number.MIN_VALUE * (arc % 3);

describe("scores at the ends of the range of numbers", () => {
  test.each([
    ["two words", 2, greatest, [-1, 0, 1]],
    ["no difference but the smallest", 5, least, undefined],
  ] as const)("%s: marginals, risk and best tree agree", (_, n, score, heads) => {
    const given = problem(n, score);
    const risk = mbrDecoder().minimumBayesRisk(given);
    if (heads !== undefined) expect([...risk.heads]).toEqual(heads);
    expect([...mstDecoder().decode(given).heads]).toHaveLength(n + 1);
    expect(risk.logPartition).not.toBeNaN();
    for (const p of mbrDecoder({ projective: true }).marginals(given).arcs) {
      expect(p).toBeGreaterThanOrEqual(0);
      expect(p).toBeLessThanOrEqual(1 + 1e-9);
    }
  });

  test.each([
    ["the greatest", greatest, 1],
    ["the greatest, at a low temperature", greatest, 1e-300],
    ["the smallest", least, 1],
    ["the smallest, at the smallest temperature", least, Number.MIN_VALUE],
  ] as const)("samplers draw trees of %s", (_, score, temperature) => {
    const { arcs, arcScores } = problem(5, score);
    for (const sampler of [createTreeSampler({ temperature }), createProjectiveSampler({ temperature })]) {
      sampler.prepare(arcs, arcScores);
      const heads = new Int32Array(6);
      sampler.sample(random(1), heads);
      expect(heads.filter((head) => head === 0)).toHaveLength(1);
    }
  });

  test.each([
    ["the greatest", greatest],
    ["the smallest", least],
    ["half of the smallest apart", (arc: number) => (arc === 3 ? Number.MIN_VALUE : 0)],
  ] as const)("hill climbing finds a tree of %s", (_, score) => {
    const { heads } = hillclimbDecoder().decode(problem(5, score));
    expect(heads.filter((head) => head === 0)).toHaveLength(1);
  });
});
