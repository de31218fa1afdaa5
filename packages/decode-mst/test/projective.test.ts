import {
  completeArcs,
  isProjective,
  isTree,
  NoTree,
  type ParsingProblem,
  type PartKind,
  random,
  scoreTree,
} from "@arcwise/core";
import { bestTree } from "@arcwise/decoder-laws";
import { describe, expect, test } from "vitest";
import { eisnerDecoder, PROJECTIVE_KINDS, projectiveDecoder } from "../src/index.ts";
import { randomProblem, sparseArcs, withScores } from "./support.ts";

const MODELS: readonly (readonly [string, readonly PartKind[]])[] = [
  ["arcs alone", []],
  ["siblings", ["nextSibling", "lastSibling"]],
  ["grandparents", ["grandparent"]],
  ["grand-siblings", ["grandparent", "nextSibling", "lastSibling", "grandSibling"]],
  ["grand-siblings without others", ["grandSibling"]],
  ["tri-siblings without grandparents", ["nextSibling", "triSibling"]],
  ["all", PROJECTIVE_KINDS],
];

describe.each(MODELS)("%s", (_, kinds) => {
  /** One instance for all sentences, so that what one leaves behind would show in the next. */
  const decoders = {
    true: projectiveDecoder({ kinds }),
    false: projectiveDecoder({ kinds, singleRoot: false }),
  };

  function check(problem: ParsingProblem, singleRoot: boolean): void {
    const best = bestTree(problem, { projective: true, singleRoot });
    const decode = () => decoders[`${singleRoot}`].decode(problem);
    if (best === undefined) {
      expect(decode).toThrow(NoTree);
      return;
    }
    const { heads, score, bound } = decode();
    expect(score).toBeCloseTo(best.score, 9);
    expect(score).toBe(scoreTree(problem, heads));
    expect(bound).toBe(score);
    expect(isTree(heads, { singleRoot }) && isProjective(heads)).toBe(true);
  }

  test.each([true, false])("finds the best of the trees of seven words, single root: %s", (singleRoot) => {
    check(randomProblem(random(7), { n: 7, kinds }), singleRoot);
    check(withScores(random(8), sparseArcs(random(9), 7, 4), kinds), singleRoot);
  });
});

describe("models agree where their parts coincide", () => {
  test.each([true, false])("arcs alone: with Eisner's algorithm, single root: %s", (singleRoot) => {
    const decoder = projectiveDecoder({ singleRoot });
    const eisner = eisnerDecoder({ singleRoot });
    for (let seed = 0; seed < 30; seed++) {
      const rng = random(seed);
      const n = 8 + seed;
      const problem = withScores(rng, seed % 2 === 0 ? completeArcs(n) : sparseArcs(rng, n, 5), []);
      const expected = eisner.decode(problem);
      const found = decoder.decode(problem);
      expect(found.heads).toEqual(expected.heads);
      expect(found.score).toBe(expected.score);
    }
  });
});

test.each([1, -1])("scores near the largest number, times %d, do not overflow", (sign) => {
  const decoder = projectiveDecoder();
  for (let seed = 0; seed < 5; seed++) {
    const problem = randomProblem(random(seed), { n: 5, kinds: PROJECTIVE_KINDS });
    // All of one sign, so that partial sums are as large as they can get.
    const positive = (scores: Float64Array) => scores.map((score) => sign * (4 + Math.atan(score)));
    const huge = (scores: Float64Array) => scores.map((score) => score * 2 ** 1021);
    const change = (by: typeof huge, { arcs, arcScores, parts }: ParsingProblem): ParsingProblem => ({
      arcs,
      arcScores: by(arcScores),
      parts: parts.map((table) => ({ ...table, scores: by(table.scores) })),
    });
    const moderate = change(positive, problem);
    const { heads } = decoder.decode(moderate);
    expect(decoder.decode(change(huge, moderate)).heads).toEqual(heads);
  }
});
