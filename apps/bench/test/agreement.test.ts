import type { ParsingProblem, PartKind } from "@arcwise/core";
import { problems } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawnScoreSets } from "../src/measures/score-sets.ts";
import { DECODERS, type DecoderEntry } from "../src/registry/decoders.ts";

const exact = DECODERS.filter((entry) => entry.exact);

/** Exact decoders of the same trees that both handle these parts. */
interface Pair {
  readonly names: string;
  readonly a: DecoderEntry;
  readonly b: DecoderEntry;
  readonly kinds: readonly PartKind[];
}

const pairs = exact.flatMap((a, i) =>
  exact.slice(i + 1).flatMap((b): Pair[] => {
    if (a.projective !== b.projective) return [];
    const kinds = a.kinds.filter((kind) => b.kinds.includes(kind));
    return [{ names: `${a.name} and ${b.name}`, a, b, kinds }];
  }),
);

function expectAlike(a: number, b: number, { arcs, arcScores }: ParsingProblem): void {
  const largest = arcScores.reduce(
    (most, score) => (score > -Infinity ? Math.max(most, Math.abs(score)) : most),
    1,
  );
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * arcs.n * largest * 4);
}

test("most exact decoders have another one to compare with", () => {
  const compared = new Set(pairs.flatMap(({ a, b }) => [a.name, b.name]));
  expect(compared.size).toBeGreaterThanOrEqual(4);
});

describe.each(pairs)("$names find equal scores on the parts that both score", ({ a, b, kinds }) => {
  test("on short problems of all sorts", () => {
    const first = a.make();
    const second = b.make();
    fc.assert(
      fc.property(problems({ kinds, projective: a.projective, scores: "exact", most: 5 }), (problem) => {
        // Sums of multiples of 1/8 have no rounding.
        expect(second.decode(problem).score).toBe(first.decode(problem).score);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  test.each(drawnScoreSets(7).map((set) => ({ name: set.name, set })))(
    "on longer problems of the set $name",
    ({ set }) => {
      const first = a.make();
      const second = b.make();
      for (const n of set.name === "sparse" ? [12, 40] : [12, 20]) {
        for (const problem of set.problems(n, kinds, 2)) {
          expectAlike(first.decode(problem).score, second.decode(problem).score, problem);
        }
      }
    },
  );
});

test("the best non-projective tree is never worse than the best projective one", () => {
  const any = exact.filter(({ projective, kinds }) => !projective && kinds.length === 0);
  const projective = exact.filter((entry) => entry.projective);
  expect(any.length).toBeGreaterThan(0);
  for (const set of drawnScoreSets(3)) {
    for (const problem of set.problems(30, [], 4)) {
      const best = Math.max(...projective.map(({ make }) => make().decode(problem).score));
      for (const { make } of any) expect(make().decode(problem).score).toBeGreaterThanOrEqual(best - 1e-9);
    }
  }
});

test("an inexact decoder never scores more than an exact one", () => {
  for (const { make, kinds, projective } of DECODERS.filter((entry) => !entry.exact)) {
    const judges = exact.filter(
      (judge) => judge.projective === projective && kinds.every((kind) => judge.kinds.includes(kind)),
    );
    for (const problem of judges.length > 0 ? drawnScoreSets(5)[1]!.problems(15, kinds, 3) : []) {
      const { score } = make().decode(problem);
      for (const judge of judges)
        expect(score).toBeLessThanOrEqual(judge.make().decode(problem).score + 1e-9);
    }
  }
});
