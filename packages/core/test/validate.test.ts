import {
  completeArcs,
  filterArcs,
  PART_KINDS,
  type PartKind,
  partLayout,
  random,
  requireHandled,
  UnsupportedPart,
  validateProblem,
} from "@arcwise/core";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { validateArcs } from "../src/validate.ts";
import { randomArcs, randomProblem } from "./support.ts";

/** A problem that a test may damage. */
interface Draft {
  arcs: { n: number; start: Int32Array; head: Int32Array; modifier: Int32Array };
  arcScores: Float64Array;
  parts: { kind: PartKind; start: Int32Array; members: Int32Array; scores: Float64Array }[];
}

function example(kinds: readonly PartKind[] = PART_KINDS): Draft {
  const { arcs, arcScores, parts } = randomProblem(random(3), completeArcs(3), kinds);
  return { arcs: { ...arcs }, arcScores, parts: parts.map((table) => ({ ...table })) };
}

describe("validateProblem", () => {
  it("accepts what partLayout builds", () => {
    fc.assert(
      fc.property(fc.nat(6), fc.nat(), fc.constantFrom(0.3, 0.7, 1), (n, seed, density) => {
        const rng = random(seed);
        const problem = randomProblem(rng, randomArcs(rng, n, density), PART_KINDS);
        problem.arcScores.fill(-Infinity, 0, 1);
        expect(() => validateProblem(problem)).not.toThrow();
      }),
    );
  });

  it("finds any single change of an array", () => {
    const draw = fc.record({
      array: fc.constantFrom("arcs.start", "arcs.head", "arcs.modifier", "start", "members"),
      place: fc.nat(),
      by: fc.constantFrom(-2, -1, 1, 2, 1000),
      kind: fc.constantFrom(...PART_KINDS.filter((kind) => kind !== "lastSibling")),
    });
    fc.assert(
      fc.property(draw, ({ array, place, by, kind }) => {
        const problem = example([kind]);
        const table = problem.parts[0];
        const arrays = {
          "arcs.start": problem.arcs.start,
          "arcs.head": problem.arcs.head,
          "arcs.modifier": problem.arcs.modifier,
          start: table.start,
          members: table.members,
        };
        const target = arrays[array as keyof typeof arrays];
        target[place % target.length] += by;
        expect(() => validateProblem(problem)).toThrow(RangeError);
      }),
      { numRuns: 300 },
    );
  });

  test.each<[string, (problem: Draft) => unknown, string]>([
    ["a NaN score", (p) => p.arcScores.fill(Number.NaN, 4, 5), "arcScores[4] (1 -> 2)"],
    ["an infinite score", (p) => p.arcScores.fill(Infinity, 0, 1), "arcScores[0] (0 -> 1)"],
    ["a score too few", (p) => (p.arcScores = new Float64Array(8)), "arcScores.length"],
    [
      "a NaN score of a part",
      (p) => p.parts[0].scores.fill(Number.NaN, 2, 3),
      "scores[2] of the grandparent",
    ],
    ["a part score too many", (p) => (p.parts[2].scores = new Float64Array(10)), "scores of the lastSibling"],
    ["a member too many", ({ parts: [p] }) => (p.members = Int32Array.of(...p.members, 0)), "got 19"],
    ["two tables of a kind", (p) => p.parts.push(p.parts[1]), 'kind "nextSibling"'],
    ["an unknown kind", (p) => (p.parts[0].kind = "cousin" as PartKind), "got cousin"],
    ["other arcs", (p) => (p.parts[3] = partLayout("sibling", completeArcs(2))), "start of the sibling"],
    ["a negative n", (p) => (p.arcs.n = -1), "n: "],
    ["heads out of order", (p) => p.arcs.head.set([2, 0]), "arcs.head[1]"],
    ["a word as its own head", (p) => p.arcs.head.set([1], 0), "arcs.head[0]"],
    ["a modifier in a wrong group", (p) => p.arcs.modifier.set([2], 0), "arcs.modifier[0]"],
    ["groups that run backwards", (p) => p.arcs.start.set([7], 2), "arcs.start[3]"],
    ["arcs before word 1", (p) => p.arcs.start.set([1], 1), "arcs.start[1]"],
  ])("names %s", (_, damage, place) => {
    const problem = example();
    damage(problem);
    expect(() => validateProblem(problem)).toThrow(RangeError);
    expect(() => validateProblem(problem)).toThrow(place);
  });

  it("accepts sentences without words and words without candidates", () => {
    validateArcs(completeArcs(0));
    validateArcs(filterArcs(3, () => false));
    validateProblem({ arcs: completeArcs(0), arcScores: new Float64Array(0), parts: [] });
  });
});

describe("requireHandled", () => {
  const handles = new Set<PartKind>(["sibling"]);

  it("accepts the kinds handled and refuses the others, even empty ones", () => {
    requireHandled(example(["sibling"]), "x", handles);
    const empty = {
      arcs: completeArcs(0),
      arcScores: new Float64Array(0),
      parts: [partLayout("grandparent", completeArcs(0))],
    };
    expect(() => requireHandled(empty, "x", handles)).toThrow(UnsupportedPart);
    expect(() => requireHandled(empty, "x", handles)).toThrow(
      'x cannot score parts of kind "grandparent"; it handles sibling',
    );
  });

  it("refuses a global score unless it is handled", () => {
    const global = { name: "none", score: () => 0 };
    const problem = { ...example([]), global };
    expect(() => requireHandled(problem, "x", new Set())).toThrow(
      'x cannot score parts of kind "global"; it handles arcs only',
    );
    requireHandled(problem, "x", new Set(["global"]));
  });
});
