import { graphProblems } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeGraph } from "../src/measures/compare-graphs.ts";
import { GRAPH_DECODERS } from "../src/registry/graph-decoders.ts";

const handles = ["grandparent", "sibling", "coparent", "nextSibling", "nextCoparent", "unique"] as const;
const problems = fc.sample(graphProblems({ handles, words: 7, arcs: 24, scores: "exact" }), {
  numRuns: 40,
  seed: 6,
});
const found = (label: string) => {
  const decoder = GRAPH_DECODERS.find((entry) => entry.label === label)!.make();
  return problems.map((problem) => decodeGraph(decoder, problem));
};

test("branch and bound always finds the best graph, with a certificate", () => {
  const best = found("AD3 with branch and bound");
  for (const { score, bound } of best) expect(bound).toBe(score);
  for (const { label } of GRAPH_DECODERS)
    for (const [i, { score }] of found(label).entries())
      expect(score).toBeLessThanOrEqual(best[i]!.score + 1e-9);
});

test("AD3 certifies most graphs, and counts its iterations", () => {
  const certified = found("AD3").filter(({ score, bound }) => score === bound);
  expect(certified.length).toBeGreaterThan(20);
  expect(found("AD3").some(({ iterations = 0 }) => iterations > 0)).toBe(true);
  expect(found("basic parts")[0]!.iterations).toBeUndefined();
});
