import { activeParts, arcIndex, completeArcs, type ParsingProblem, partLayout, random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import { ad3Decoder } from "../../src/trees/ad3-decoder.ts";
import { AD3_KINDS } from "../../src/trees/relaxation.ts";

function drawn(n: number, seed: number, kinds = AD3_KINDS, pruned = 0): ParsingProblem {
  const rng = random(seed);
  const arcs = completeArcs(n);
  return {
    arcs,
    arcScores: Float64Array.from(arcs.head, () => (rng.next() < pruned ? -Infinity : rng.normal())),
    parts: kinds.map((kind) => {
      const table = partLayout(kind, arcs);
      for (let part = 0; part < table.scores.length; part++) table.scores[part] = 2 * rng.normal();
      return table;
    }),
  };
}

/** Returns the scores of arcs and parts in a solution that may be fractional. */
function relaxedScore(
  { arcScores, parts }: ParsingProblem,
  arcPosteriors: Float64Array,
  partPosteriors: readonly Float64Array[],
) {
  const terms = [
    ...Array.from(arcPosteriors, (p, a) => (p === 0 ? 0 : p * arcScores[a])),
    ...parts.flatMap(({ scores }, t) =>
      Array.from(partPosteriors[t], (p, i) => (p === 0 ? 0 : p * scores[i])),
    ),
  ];
  return terms.reduce((sum, term) => sum + term, 0);
}

const DECOMPOSITIONS = [
  {},
  { grandparent: "pairwise" },
  { sides: "apart" },
  { triSibling: "apart" },
  { grandparent: "pairwise", sides: "apart", triSibling: "apart" },
] as const;

describe.each(DECOMPOSITIONS)("decomposed, %o", (decomposition) => {
  const strict = ad3Decoder({ decomposition, ascent: 1, maxIterations: 3000, residualThreshold: 1e-7 });

  test("posteriors of arcs and parts have the value of the relaxation", () => {
    let fractional = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const problem = drawn(3 + (seed % 3), seed, AD3_KINDS, seed % 2 === 0 ? 0.2 : 0);
      const report = strict.decodeWithReport(problem, { parts: true });
      if (report.status === "unsolved") continue;
      if (report.status === "fractional") fractional++;
      const value = relaxedScore(problem, report.posteriors, report.partPosteriors!);
      expect(Math.abs(value - report.bound)).toBeLessThan(1e-4 * (1 + Math.abs(report.bound)));
    }
    expect(fractional).toBeGreaterThan(2);
  });

  test("posteriors of parts sum to that of their arc if exactly one of them is on with it", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const problem = drawn(4, seed);
      const { arcs, parts } = problem;
      const report = strict.decodeWithReport(problem, { parts: true });
      if (report.status === "unsolved") continue;
      for (const [index, { kind, start }] of parts.entries()) {
        if (kind !== "nextSibling" && kind !== "headBigram" && kind !== "grandSibling") continue;
        for (let arc = 0; arc < arcs.head.length; arc++) {
          const isAlone = kind === "headBigram" ? arcs.modifier[arc] === 1 : arcs.head[arc] === 0;
          if (kind !== "nextSibling" && isAlone) continue;
          const own = report.partPosteriors![index].slice(start[arc], start[arc + 1]);
          expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(report.posteriors[arc], 4);
        }
      }
    }
  });
});

test("the posteriors of a tree that is proved optimal are its arcs and parts", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const problem = drawn(5, seed, AD3_KINDS, 0.1);
    const { heads, posteriors, partPosteriors } = ad3Decoder({ exact: true }).decodeWithReport(problem, {
      parts: true,
    });
    problem.parts.forEach((table, index) => {
      const on = activeParts(table, problem.arcs, heads);
      expect(
        [...partPosteriors![index].entries()].flatMap(([part, p]) => (p === 0 ? [] : [part, p])),
      ).toEqual(on.flatMap((part) => [part, 1]));
    });
    const arcs = Array.from(heads.subarray(1), (h, i) => arcIndex(problem.arcs, h, i + 1));
    expect(arcs.every((arc) => posteriors[arc] === 1)).toBe(true);
  }
});

test("posteriors of parts are computed only on request", () => {
  expect(ad3Decoder().decodeWithReport(drawn(4, 1)).partPosteriors).toBeUndefined();
});
