import { chainLayout, completeArcs, type GraphProblem, random } from "@arcwise/core";
import { bestGraph } from "@arcwise/decoder-laws";
import { describe, expect, it } from "vitest";
import { ad3GraphDecoder } from "../../src/graphs/ad3-graph-decoder.ts";
import { basicGraphDecoder } from "../../src/graphs/basic-graph-decoder.ts";
import { randomGraphProblem } from "./random-graph.ts";

/** A problem without parts, unique labels and constraints. */
function basicProblem(seed: number): GraphProblem {
  const { constraints: _, ...problem } = randomGraphProblem(8, seed);
  return { ...problem, parts: [], unique: problem.unique.map(() => 0) };
}

describe("AD3 over graphs", () => {
  it("solves basic parts as the basic decoder does, without iterations", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = basicProblem(seed);
      const report = ad3GraphDecoder().decodeWithReport(problem);
      expect(report).toMatchObject(basicGraphDecoder().decode(problem));
      expect(report).toMatchObject({
        status: "optimal",
        stage: "basic",
        counts: { iterations: 0, nodes: 0 },
      });
    }
  });

  it("finds the same graph with predicates and labels split, after iterations", () => {
    let iterations = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const problem = basicProblem(seed);
      const report = ad3GraphDecoder({ split: true, maxIterations: 1000 }).decodeWithReport(problem);
      const best = basicGraphDecoder().decode(problem).score;
      expect(report.score).toBeLessThanOrEqual(best + 1e-9);
      expect(report.bound).toBeGreaterThanOrEqual(best - 1e-9);
      if (report.status === "optimal") expect(report.score).toBeCloseTo(best, 9);
      iterations += report.counts.iterations;
    }
    expect(iterations).toBeGreaterThan(0);
  });

  it("has posteriors of the graph where that is optimal, and consistent ones elsewhere", () => {
    let open = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const { constraints: _, ...problem } = randomGraphProblem(9, seed);
      const { posteriors, status, labelled, predicates } = ad3GraphDecoder().decodeWithReport(problem);
      if (status === "optimal") {
        expect([...posteriors.arcs]).toEqual(Array.from(labelled, (chosen) => (chosen >= 0 ? 1 : 0)));
        expect([...posteriors.predicates]).toEqual([...predicates]);
      } else open++;
      for (const values of [posteriors.predicates, posteriors.arcs, posteriors.labelled]) {
        for (const value of values) expect(value > -1e-9 && value < 1 + 1e-9).toBe(true);
      }
      posteriors.arcs.forEach((value, a) => {
        const [from, to] = [problem.labels.start[a], problem.labels.start[a + 1]];
        const sum = posteriors.labelled.subarray(from, to).reduce((x, y) => x + y, 0);
        // Copies of a factor agree as far as the residuals.
        expect(Math.abs(sum - value)).toBeLessThan(0.5);
      });
    }
    expect(open).toBeGreaterThan(0);
  });

  it("finds the only graph, which takes all that has a negative score, whatever rounding does to the bound", () => {
    const stream = random(1);
    const negative = () => -10 * stream.next() - 0.1;
    for (let k = 0; k < 200; k++) {
      const arcs = completeArcs(3);
      const isKept = (a: number) => arcs.head[a]! + 1 === arcs.modifier[a]!;
      const arcScores = Float64Array.from(arcs.head, (_, a) => (isKept(a) ? negative() : -Infinity));
      const predicateScores = Float64Array.of(0, negative(), negative(), 0);
      const labels = {
        count: 1,
        start: Int32Array.from({ length: arcs.head.length + 1 }, (_, a) => a),
        label: new Int32Array(arcs.head.length),
        scores: Float64Array.from(arcs.head, negative),
      };
      const unique = new Uint8Array(1);
      const constraints = { spanningTree: true };
      const problem = { arcs, arcScores, predicateScores, labels, unique, parts: [], constraints };
      const { labelled, status } = ad3GraphDecoder().decodeWithReport(problem);
      expect([status, Array.from(labelled, (label) => label >= 0)]).toEqual([
        "optimal",
        Array.from(arcs.head, (_, a) => isKept(a)),
      ]);
    }
  });

  it("cuts cycles off", () => {
    const problem = randomGraphProblem(7, 2);
    const arcScores = problem.arcScores.map(() => 5);
    const rewarding = { ...problem, arcScores, parts: [], constraints: { acyclic: true } };
    const { counts, status, score } = ad3GraphDecoder({ exact: true }).decodeWithReport(rewarding);
    expect(status).toBe("optimal");
    expect(score).toBeGreaterThan(0);
    expect(counts.iterations).toBeGreaterThan(0);
  });

  it("stops a search at its limits and reports it", () => {
    const hard = Array.from({ length: 40 }, (_, seed) => randomGraphProblem(9, seed)).find((problem) => {
      const { constraints: _, ...free } = problem;
      return ad3GraphDecoder().decodeWithReport(free).status !== "optimal";
    })!;
    const { constraints: _, ...free } = hard;
    const { status, counts, bound, score } = ad3GraphDecoder({ exact: { nodes: 1 } }).decodeWithReport(free);
    expect(counts.nodes).toBe(1);
    if (status !== "optimal") expect(bound).toBeGreaterThan(score);
  });

  it.each([{ maxIterations: 0 }, { maxIterations: 1.5 }, { residualThreshold: -1 }])(
    "refuses %j",
    (options) => {
      expect(() => ad3GraphDecoder(options)).toThrow(RangeError);
    },
  );

  it("chains skip arcs that are pruned", () => {
    const problem = randomGraphProblem(3, 5);
    const arcScores = problem.arcScores.slice();
    arcScores[1] = -Infinity;
    const table = chainLayout("nextSibling", problem.arcs);
    const rng = random(9);
    const parts = [{ ...table, scores: table.scores.map(() => rng.normal()) }];
    const { constraints: _, ...free } = { ...problem, arcScores, parts };
    const { score } = ad3GraphDecoder({ exact: true }).decode(free);
    expect(score).toBeCloseTo(bestGraph(free)!.score, 9);
  });
});
