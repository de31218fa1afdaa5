import { completeArcs, PART_KINDS } from "@arcwise/core";
import { laws } from "@arcwise/decoder-laws";
import { describe, expect, test } from "vitest";
import { DECODERS, decodersNamed } from "../src/registry/decoders.ts";
import { decodeItsParts } from "../src/registry/other-decoders.ts";

/** Arcs between all words, whose scores differ. */
function completeProblem(n: number) {
  const arcs = completeArcs(n);
  return { arcs, arcScores: Float64Array.from(arcs.head, (_, a) => Math.sin(a)), parts: [] };
}

test("names and labels are unique, and the decoders have the same names and kinds", () => {
  expect(new Set(DECODERS.map(({ name }) => name)).size).toBe(DECODERS.length);
  expect(new Set(DECODERS.map(({ label }) => label)).size).toBe(DECODERS.length);
  for (const { name, kinds, make } of DECODERS) {
    expect(make().name).toBe(name);
    const scored = [...make().handles].filter((kind) => kind !== "global");
    expect(new Set<string>(kinds)).toEqual(new Set(scored));
    for (const kind of kinds) expect(PART_KINDS).toContain(kind);
  }
});

test("every call of make gives a decoder of its own", () => {
  for (const { make } of DECODERS) expect(make()).not.toBe(make());
});

test("decoders are found by name, in the order of the registry", () => {
  expect(decodersNamed()).toBe(DECODERS);
  const inOrder = DECODERS.map(({ name }) => name).filter((name) => name === "mst" || name === "eisner");
  expect(decodersNamed(["eisner", "mst"]).map(({ name }) => name)).toEqual(inOrder);
  const known = DECODERS.map(({ name }) => name).join(", ");
  expect(() => decodersNamed(["mst", "cky"])).toThrow(`no decoder is named "cky"; there are ${known}`);
});

test("a decoder of projective trees claims no bound of all trees", () => {
  const problem = completeProblem(4);
  for (const { make, projective } of DECODERS) {
    const decoder = make();
    const { score, bound } = decodeItsParts(decoder, problem);
    expect(score).toBe(decoder.decode(problem).score);
    expect(bound).toBe(projective ? Infinity : decoder.decode(problem).bound);
  }
});

/** Problems per law: more in continuous integration. */
const RUNS = process.env.CI === undefined ? 5 : 15;

describe.each(DECODERS)("$name obeys the laws of decoders", ({ make, exact }) => {
  const checks = laws(make, { exact, runs: RUNS, large: 25 });
  for (const { name, check } of checks) test(name, check);
});
