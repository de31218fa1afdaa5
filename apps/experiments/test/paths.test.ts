import { checkTree, completeArcs, filterArcs, heads, type ParsingProblem, random } from "@arcwise/core";
import { describe, expect, it } from "vitest";
import { measurePaths } from "../src/climbing/measure-paths.ts";
import { PATH_ORDERS, PATH_STARTS, pathLosses, pathStart, summary } from "../src/climbing/path-losses.ts";

const GOLD = heads("2 0 2 5 3 5 2");

function problemOf(seed: number, scale: number): ParsingProblem {
  const arcs = completeArcs(7);
  const stream = random(seed);
  return { arcs, arcScores: Float64Array.from(arcs.head, () => scale * stream.normal()), parts: [] };
}

describe("losses along paths", () => {
  it.each(PATH_ORDERS)("of (2o) sum to (1o) at least, in the order %s", (order) => {
    let equal = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const stream = random(seed);
      const problem = problemOf(seed, [0.1, 1, 5][seed % 3]!);
      for (const kind of PATH_STARTS) {
        const start = pathStart(problem, GOLD, kind, stream);
        expect(checkTree(start, { singleRoot: true })).toBeUndefined();
        const { steps, usual, sum } = pathLosses(problem, GOLD, start, order, stream)!;
        expect(steps).toBe(start.filter((head, m) => head !== GOLD[m]).length);
        expect(sum).toBeGreaterThanOrEqual(usual - 1e-9);
        if (steps > 0 && sum - usual < 1e-9) equal++;
      }
    }
    expect(equal).toBeGreaterThan(0);
  });

  it("begin at the largest loss (1o) where the tree is the most violated one", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = problemOf(seed, 1);
      const losses = PATH_STARTS.map((kind) => {
        const stream = random(seed);
        return pathLosses(problem, GOLD, pathStart(problem, GOLD, kind, stream), "random", stream)!.usual;
      });
      expect(losses[0]).toBeGreaterThanOrEqual(Math.max(losses[1]!, losses[2]!) - 1e-9);
    }
  });

  it("follow the correction order", () => {
    const { arcs } = problemOf(1, 1);
    const problem = { arcs, arcScores: new Float64Array(arcs.head.length), parts: [] };
    const stream = random(1);
    const paths = PATH_ORDERS.map(
      (order) => pathLosses(problem, GOLD, heads("0 1 2 3 4 5 6"), order, stream)!,
    );
    for (const path of paths) expect(path).toEqual({ steps: 5, usual: 5, sum: 5 });
  });

  it("are undefined if a gold arc is not a candidate", () => {
    const arcs = filterArcs(7, (h, m) => !(h === 3 && m === 5));
    const problem = { arcs, arcScores: new Float64Array(arcs.head.length), parts: [] };
    const start = heads("0 1 2 3 4 5 6");
    expect(pathLosses(problem, GOLD, start, "random", random(1))).toBeUndefined();
    expect(measurePaths([{ problem, gold: GOLD }], 1)).toMatchObject({ sentences: 1, kept: 0 });
  });

  it("are summed up as means and shares of the paths with corrections", () => {
    const all = [
      { steps: 0, usual: 0, sum: 0 },
      { steps: 2, usual: 3, sum: 3 },
      { steps: 4, usual: 0, sum: 1 },
    ];
    expect(summary("best", "random", all)).toEqual({
      ...{ start: "best", order: "random", paths: 2, steps: 3, usual: 1.5, sum: 2 },
      ...{ equal: 50, hidden: 50 },
    });
  });
});
