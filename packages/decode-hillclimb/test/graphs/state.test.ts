import { GRAPH_PART_KINDS, random, scoreGraph } from "@arcwise/core";
import { bestGraph, graphProblems } from "@arcwise/decoder-laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GraphState } from "../../src/graphs/graph-state.ts";
import { hillclimbGraphDecoder } from "../../src/graphs/hillclimb-graph-decoder.ts";
import { Violations } from "../../src/graphs/violations.ts";

/** The score of the arcs that are on, with the predicates that they need or that pay. */
function scoreOf({ problem, labelled, degree }: GraphState): number {
  const predicates = problem.predicateScores.map((score, w) =>
    w === 0 || degree[w] > 0 || score > 0 ? 1 : 0,
  );
  const { constraints: _, ...free } = problem;
  return scoreGraph(free, { predicates: Uint8Array.from(predicates), labelled });
}

describe("a graph that a search changes", () => {
  it("has the score of scoreGraph after any changes, and the one before after undoing them", () => {
    const drawn = graphProblems({
      handles: [...GRAPH_PART_KINDS, "unique"],
      scores: "exact",
      arcs: 12,
      words: 5,
    });
    fc.assert(
      fc.property(drawn, fc.nat(), (problem, seed) => {
        const rng = random(seed);
        const state = new GraphState(problem);
        const { start, label, scores } = problem.labels;
        for (let step = 0; step < 30; step++) {
          const { mark, score } = state;
          for (let change = 0; change < 3 && label.length > 0; change++) {
            const arc = rng.int(problem.arcs.head.length);
            const h = problem.arcs.head[arc];
            if (problem.arcScores[arc] === -Infinity || problem.predicateScores[h] === -Infinity) continue;
            const k = start[arc] + rng.int(start[arc + 1] - start[arc]);
            if (scores[k] === -Infinity || state.holderOf(arc, k) >= 0) state.set(arc, -1);
            else state.set(arc, k);
          }
          expect(state.score).toBeCloseTo(scoreOf(state), 9);
          if (rng.int(2) === 0) state.undo(mark, score);
          else state.commit();
          expect(state.score).toBeCloseTo(scoreOf(state), 9);
        }
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});

describe("violations", () => {
  const GRAPHS: readonly (readonly [string, readonly (readonly [number, number])[], number[]])[] = [
    // heads missing, words out of reach, words in or below cycles, arcs outside of the largest component
    ["no arcs", [], [4, 4, 0, 0]],
    [
      "a tree",
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [2, 4],
      ],
      [0, 0, 0, 0],
    ],
    [
      "two heads of a word",
      [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 3],
        [3, 4],
      ],
      [0, 0, 0, 0],
    ],
    [
      "a cycle and a word below it",
      [
        [1, 2],
        [2, 1],
        [2, 3],
      ],
      [1, 4, 3, 0],
    ],
    [
      "two components",
      [
        [0, 1],
        [1, 2],
        [3, 4],
      ],
      [1, 2, 0, 1],
    ],
  ];
  const NAMES = ["headed", "spanningTree", "acyclic", "connected"] as const;

  it.each(GRAPHS)("of %s", (_, edges, expected) => {
    const pairs = [...edges].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    const head = Int32Array.from(pairs, ([h]) => h);
    const modifier = Int32Array.from(pairs, ([, m]) => m);
    const start = Int32Array.from({ length: 6 }, (_, m) => pairs.filter((pair) => pair[1] < m).length);
    const count = pairs.length;
    const labels = {
      count: 1,
      start: Int32Array.from({ length: count + 1 }, (_, a) => a),
      label: new Int32Array(count),
      scores: new Float64Array(count),
    };
    const problem = {
      arcs: { n: 4, start, head, modifier },
      arcScores: new Float64Array(count),
      predicateScores: new Float64Array(5),
      labels,
      unique: new Uint8Array(1),
      parts: [],
    };
    const labelled = Int32Array.from({ length: count }, (_, a) => a);
    const found = NAMES.map((name) =>
      new Violations({ ...problem, constraints: { [name]: true } }).count(labelled),
    );
    expect(found).toEqual(expected);
    expect(new Violations(problem).isFree).toBe(true);
  });
});

describe("climbing over graphs", () => {
  const handles = [...hillclimbGraphDecoder().handles];

  it("finds the best of all small graphs, but for few", () => {
    const problems = fc.sample(graphProblems({ handles }), { numRuns: 200, seed: 3 });
    let missed = 0;
    for (const problem of problems) {
      const { score } = hillclimbGraphDecoder({ restarts: 50 }).decode(problem);
      const best = bestGraph(problem)!.score;
      expect(score).toBeLessThanOrEqual(best + 1e-9 * (1 + Math.abs(best)));
      if (score < best - 1e-9 * (1 + Math.abs(best))) missed++;
    }
    expect(missed).toBeLessThanOrEqual(4);
  });

  it("is better with more climbs, and depends on the seed alone", () => {
    const problems = fc.sample(graphProblems({ handles, words: 6, arcs: 20 }), { numRuns: 30, seed: 4 });
    for (const problem of problems) {
      const [one, many, again] = [1, 20, 20].map((restarts) =>
        hillclimbGraphDecoder({ restarts }).decodeWithReport(problem),
      );
      expect(many!.score).toBeGreaterThanOrEqual(one!.score);
      expect(again).toEqual(many);
      expect(many!.counts.climbs).toBe(20);
      expect(one!.counts).toMatchObject({ climbs: 1, best: 0 });
    }
  });

  it("ends after `patience` climbs without a better graph", () => {
    const [problem] = fc.sample(graphProblems({ handles: [] }), { numRuns: 1, seed: 5 });
    const { counts } = hillclimbGraphDecoder({ patience: 3 }).decodeWithReport(problem!);
    expect(counts.climbs).toBe(4);
  });

  it.each([{ restarts: 0 }, { restarts: 1.5 }, { patience: 0 }])("refuses %j", (options) => {
    expect(() => hillclimbGraphDecoder(options)).toThrow(RangeError);
  });
});
