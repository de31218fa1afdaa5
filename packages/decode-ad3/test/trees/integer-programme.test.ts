import { type ParsingProblem, partLayout, random } from "@arcwise/core";
import { bestTree } from "@arcwise/decoder-laws";
import loadHighs from "highs";
import { describe, expect, test } from "vitest";
import { ad3Decoder } from "../../src/trees/ad3-decoder.ts";
import { AD3_KINDS } from "../../src/trees/relaxation.ts";
import { THOROUGH } from "../solver/oracles.ts";
import { integerProgramme } from "./integer-programme.ts";
import { sparseArcs } from "./local-problem.ts";

/** Arcs of a random tree and some more, with parts of all kinds, a third of which score something. */
function drawn(n: number, seed: number): ParsingProblem {
  const rng = random(seed);
  const arcs = sparseArcs(n, 1 + rng.int(2), rng);
  const kinds = AD3_KINDS.filter(() => rng.int(3) > 0);
  const scale = [0.3, 1, 2][seed % 3];
  return {
    arcs,
    arcScores: Float64Array.from(arcs.head, () => rng.normal()),
    parts: kinds.map((kind) => {
      const table = partLayout(kind, arcs);
      for (let part = 0; part < table.scores.length; part++) {
        if (rng.int(3) === 0) table.scores[part] = scale * rng.normal();
      }
      return table;
    }),
  };
}

const RUNS = THOROUGH ? 500 : 10;
const LONGEST = THOROUGH ? 12 : 6;

describe("the integer programme", async () => {
  // The types describe a CommonJS module.
  const highs = await (loadHighs as unknown as typeof loadHighs.default)();
  const optimum = (problem: ParsingProblem, singleRoot: boolean): number => {
    const solution = highs.solve(integerProgramme(problem, singleRoot), {
      mip_rel_gap: 0,
      mip_abs_gap: 1e-9,
    });
    expect(solution.Status).toBe("Optimal");
    return (solution as { ObjectiveValue: number }).ObjectiveValue;
  };

  test("has the optimum of an enumeration", () => {
    for (let seed = 1; seed <= 4; seed++) {
      const problem = drawn(2 + (seed % 3), seed);
      for (const singleRoot of [true, false]) {
        expect(optimum(problem, singleRoot)).toBeCloseTo(bestTree(problem, { singleRoot })!.score, 5);
      }
    }
  });

  test(`has the score that branch and bound finds, ${RUNS} problems of up to ${LONGEST} words`, () => {
    const decoders = [true, false].map((singleRoot) => ad3Decoder({ singleRoot, exact: true }));
    for (let seed = 1; seed <= RUNS; seed++) {
      const problem = drawn(3 + (seed % (LONGEST - 2)), 1000 + seed);
      const singleRoot = seed % 2 === 0;
      const report = decoders[singleRoot ? 0 : 1].decodeWithReport(problem);
      expect(report.status).toBe("optimal");
      expect(report.score, `seed ${seed}`).toBeCloseTo(optimum(problem, singleRoot), 5);
    }
  }, 3_600_000);
});
