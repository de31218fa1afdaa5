import { graphProblems } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareGraphDecoders } from "../src/measures/compare-graph-decoders.ts";
import { GRAPH_DECODERS } from "../src/registry/graph-decoders.ts";

const handles = ["grandparent", "sibling", "coparent", "nextSibling", "nextCoparent", "unique"] as const;
const problems = fc.sample(graphProblems({ handles, words: 7, arcs: 24, scores: "exact" }), {
  numRuns: 40,
  seed: 6,
});

describe("decoders of graphs on the same scores", () => {
  const { decoders, sentences } = compareGraphDecoders(problems, GRAPH_DECODERS, {
    timed: 10,
    rounds: 1,
    time: 1,
    warmUp: 1,
  });
  const row = (label: string) => decoders.find(({ decoder }) => decoder === label)!;

  test("branch and bound always finds the best graph, with a certificate", () => {
    expect(sentences).toBe(40);
    expect(row("AD3 with branch and bound")).toMatchObject({ optimal: 1, certified: 1 });
  });

  test("AD3 certifies most graphs, and counts its iterations", () => {
    expect(row("AD3").certified).toBeGreaterThan(0.5);
    expect(row("AD3").iterations).toBeGreaterThan(0);
    expect(row("basic parts").iterations).toBeUndefined();
  });
});
