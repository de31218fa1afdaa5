import {
  isTree,
  type ParsingProblem,
  type PartKind,
  type RankedTree,
  random,
  UnsupportedPart,
} from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { kBestProjectiveTrees, PROJECTIVE_KINDS, projectiveDecoder } from "../src/index.ts";
import type { TreeOptions } from "../src/options.ts";
import { randomProblem, sparseArcs, withScores } from "./support.ts";

const MODELS: readonly (readonly [string, readonly PartKind[]])[] = [
  ["arcs alone", []],
  ["siblings", ["nextSibling", "lastSibling"]],
  ["grand-siblings", ["grandparent", "nextSibling", "lastSibling", "grandSibling"]],
  ["tri-siblings without grandparents", ["nextSibling", "triSibling"]],
  ["all", PROJECTIVE_KINDS],
];

function first(k: number, problem: ParsingProblem, options?: TreeOptions): RankedTree[] {
  const found: RankedTree[] = [];
  for (const decoding of kBestProjectiveTrees(problem, options)) {
    if (found.push(decoding) === k) break;
  }
  return found;
}

describe.each(MODELS)("%s", (_, kinds) => {
  test("long sentences: the best tree first, then in order, all different", () => {
    const rng = random(30);
    const problem = withScores(rng, sparseArcs(rng, 30, 5), kinds);
    const found = first(200, problem);
    expect(found[0].heads).toEqual(projectiveDecoder().decode(problem).heads);
    expect(new Set(found.map(({ heads }) => heads.join())).size).toBe(200);
    found.forEach(({ heads, score }, rank) => {
      expect(isTree(heads, { singleRoot: true })).toBe(true);
      expect(score).toBeLessThanOrEqual((found[rank - 1]?.score ?? Infinity) + 1e-9);
    });
  });
});

test("two iterators over one problem are independent", () => {
  const problem = randomProblem(random(1), { n: 5, kinds: PROJECTIVE_KINDS });
  const alone = first(20, problem).map(({ heads }) => heads.join());
  const one = kBestProjectiveTrees(problem);
  const two = kBestProjectiveTrees(problem);
  for (const expected of alone) {
    expect(one.next().value.heads.join()).toBe(expected);
    expect(two.next().value.heads.join()).toBe(expected);
  }
});

test("unsupported parts and scores that are NaN are refused at the call", () => {
  const siblings = randomProblem(random(1), { n: 3, kinds: ["sibling"] });
  expect(() => kBestProjectiveTrees(siblings)).toThrow(UnsupportedPart);
  const wrong = randomProblem(random(1), { n: 3, kinds: [] });
  wrong.arcScores[0] = Number.NaN;
  expect(() => kBestProjectiveTrees(wrong)).toThrow(RangeError);
});
