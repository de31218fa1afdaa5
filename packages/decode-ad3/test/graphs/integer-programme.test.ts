import { type GraphProblem, NoGraph } from "@arcwise/core";
import { bestGraph } from "@arcwise/decoder-laws";
import loadHighs from "highs";
import { describe, expect, test } from "vitest";
import { ad3GraphDecoder } from "../../src/graphs/ad3-graph-decoder.ts";
import { THOROUGH } from "../solver/oracles.ts";
import { graphProgramme } from "./integer-programme.ts";
import { randomGraphProblem } from "./random-graph.ts";

const RUNS = THOROUGH ? 300 : 30;
const LONGEST = THOROUGH ? 8 : 6;

describe("the integer programme of graphs", async () => {
  // The types describe a CommonJS module.
  const highs = await (loadHighs as unknown as typeof loadHighs.default)();
  const optimum = (problem: GraphProblem): number | undefined => {
    const solution = highs.solve(graphProgramme(problem), { mip_rel_gap: 0, mip_abs_gap: 1e-9 });
    if (solution.Status === "Infeasible") return undefined;
    expect(solution.Status).toBe("Optimal");
    return (solution as { ObjectiveValue: number }).ObjectiveValue;
  };

  test("has the optimum of an enumeration", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const problem = randomGraphProblem(1 + (seed % 3), seed);
      const found = optimum(problem);
      const best = bestGraph(problem);
      if (best === undefined) expect(found, `seed ${seed}`).toBeUndefined();
      else expect(found, `seed ${seed}`).toBeCloseTo(best.score, 5);
    }
  });

  test(`is bounded by AD3 and solved by branch and bound, ${RUNS} problems of up to ${LONGEST} words`, {
    tags: "slow",
    timeout: 3_600_000,
  }, () => {
    const relaxed = ad3GraphDecoder();
    const exact = ad3GraphDecoder({ exact: true });
    const split = ad3GraphDecoder({ split: true });
    let certified = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const problem = randomGraphProblem(3 + (seed % (LONGEST - 2)), 1000 + seed);
      const best = optimum(problem);
      if (best === undefined) {
        for (const decoder of [relaxed, exact, split]) expect(() => decoder.decode(problem)).toThrow(NoGraph);
        continue;
      }
      const report = exact.decodeWithReport(problem);
      expect(report.status, `seed ${seed}`).toBe("optimal");
      expect(report.score, `seed ${seed}`).toBeCloseTo(best, 5);
      for (const decoder of [relaxed, split]) {
        const { score, bound, status } = decoder.decodeWithReport(problem);
        expect(score, `seed ${seed}`).toBeLessThanOrEqual(best + 1e-6);
        expect(bound, `seed ${seed}`).toBeGreaterThanOrEqual(best - 1e-6);
        if (status === "optimal") certified++;
      }
    }
    expect(certified).toBeGreaterThan(RUNS / 2);
  });
});
