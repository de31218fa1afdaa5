import { type Random, random } from "@arcwise/core";
import { ad3, branchAndBound, FactorGraph, mplp, subgradient } from "@arcwise/decode-ad3";
import { describe, expect, test } from "vitest";
import { createAd3 } from "../../src/solver/ad3.ts";
import { DefinedGraph, logicGraph, parsingGraph, tableGraph } from "./graphs.ts";
import { optimum, THOROUGH } from "./oracles.ts";
import { LOGICS } from "./truth-tables.ts";

const GRAPHS = THOROUGH ? 500 : 12;

const KINDS: { name: string; draw: (seed: number) => DefinedGraph }[] = [
  { name: "logic", draw: (seed) => logicGraph(random(seed), 4 + (seed % 5), 3 + (seed % 6)) },
  { name: "tables", draw: (seed) => tableGraph(random(seed)) },
  { name: "parsing", draw: (seed) => parsingGraph(random(seed)) },
];

describe.each(KINDS)("$name graphs", ({ draw }) => {
  const defined = Array.from({ length: GRAPHS }, (_, seed) => draw(seed));
  const graphs = defined.map(({ graph }) => graph);
  const relaxations = defined.map((graph) => optimum(graph, false));
  const optima = defined.map((graph) => optimum(graph, true));

  test("AD3 finds the optimum of the linear programme", () => {
    for (let seed = 0; seed < GRAPHS; seed++) {
      const graph = graphs[seed];
      const expected = relaxations[seed];
      const found = ad3(graph, { maxIterations: 20_000 });
      const scale = 1 + Math.abs(expected ?? 0);
      if (expected === undefined) {
        expect(["infeasible", "unsolved"], `seed ${seed}`).toContain(found.status);
        continue;
      }
      expect(["integral", "fractional"], `seed ${seed}`).toContain(found.status);
      expect(Math.abs(found.value - expected), `value of seed ${seed}`).toBeLessThan(1e-4 * scale);
      expect(found.bound, `bound of seed ${seed}`).toBeGreaterThan(expected - 1e-6 * scale);
      expect(found.bound, `bound of seed ${seed}`).toBeLessThan(expected + 1e-4 * scale);
      expect(found.additionalPosteriors).toHaveLength(graph.additional.length);
    }
  });

  test("AD3 adapts the initial step to the size of the potentials", () => {
    for (let seed = 0; seed < GRAPHS; seed++) {
      const larger = draw(seed).graph;
      larger.potentials.forEach((potential, v) => {
        larger.setPotential(v, 64 * potential);
      });
      larger.factors.forEach(({ additionalStart, additionalCount }, f) => {
        for (let i = 0; i < additionalCount; i++) {
          larger.setAdditional(f, i, 64 * larger.additional[additionalStart + i]);
        }
      });
      const expected = ad3(graphs[seed], { maxIterations: 30 });
      const found = ad3(larger, { maxIterations: 30 });
      expect(found.status, `seed ${seed}`).toBe(expected.status);
      expect(found.posteriors, `seed ${seed}`).toEqual(expected.posteriors);
    }
  });

  test("branch and bound finds the optimum of the integer programme", () => {
    for (let seed = 0; seed < GRAPHS; seed++) {
      const graph = graphs[seed];
      const expected = optima[seed];
      const found = branchAndBound(graph);
      expect(found.status, `seed ${seed}`).toBe(expected === undefined ? "infeasible" : "optimal");
      if (expected === undefined) continue;
      expect(found.value, `seed ${seed}`).toBeCloseTo(expected, 5);
      // The assignment has that value: fixing it leaves no choice.
      const held = draw(seed);
      found.assignment.forEach((on, v) => {
        held.graph.setPotential(v, on === 1 ? graph.potentials[v] : -Infinity);
      });
      expect(optimum(fixing(held), true) ?? Number.NaN, `seed ${seed}`).toBeCloseTo(expected, 5);
    }
  });

  test.each([
    { name: "subgradient", solve: subgradient },
    { name: "MPLP", solve: mplp },
  ])("the bounds of $name fall towards the optimum, and never below it", ({ solve }) => {
    let close = 0;
    let solvable = 0;
    for (let seed = 0; seed < GRAPHS; seed++) {
      const graph = graphs[seed];
      const relaxed = relaxations[seed];
      const exact = optima[seed];
      const found = solve(graph, { maxIterations: 500 });
      if (relaxed === undefined) continue;
      solvable++;
      const scale = 1 + Math.abs(relaxed);
      expect(found.bound, `seed ${seed}`).toBeGreaterThan(relaxed - 1e-6 * scale);
      expect(found.bounds).toHaveLength(found.iterations);
      expect(found.bounds.every((bound, i) => i === 0 || bound <= found.bounds[i - 1])).toBe(true);
      if (exact !== undefined) expect(found.value).toBeLessThan(exact + 1e-6 * scale);
      if (found.status === "integral") expect(found.value, `seed ${seed}`).toBeCloseTo(exact!, 5);
      if (found.bound < relaxed + 0.05 * scale) close++;
    }
    expect(close / solvable).toBeGreaterThan(0.7);
  });

  test("the same graph gives the same solution, also in the same memory", () => {
    for (let seed = 0; seed < 5; seed++) {
      const solver = createAd3(draw(seed).graph);
      const first = solver.solve();
      expect(solver.solve()).toEqual(first);
      expect(ad3(draw(seed).graph)).toEqual(first);
    }
  });

  test("a warm start from the solution ends at once", () => {
    for (let seed = 0; seed < 10; seed++) {
      const cold = ad3(draw(seed).graph, { maxIterations: 20_000 });
      if (cold.status === "infeasible" || cold.status === "unsolved") continue;
      const warm = ad3(draw(seed).graph, { maxIterations: 20_000 }, cold.warmStart);
      expect(warm.status).toBe(cold.status);
      expect(warm.value).toBeCloseTo(cold.value, 3);
      expect(warm.iterations).toBeLessThanOrEqual(Math.max(20, cold.iterations));
    }
  });
});

describe("a factor alone", () => {
  const inputs = [0, 1, 2, 3];
  const FACTORS: readonly [string, (defined: DefinedGraph, next: Random, negated?: boolean[]) => void][] = [
    ...LOGICS.map((logic): (typeof FACTORS)[number] => [
      logic,
      (defined, _, negated) => defined.logic(logic, inputs, negated),
    ]),
    ["budget", (defined, next, negated) => defined.budget(inputs, 1 + next.int(3), negated)],
    [
      "knapsack",
      (defined, next, negated) => {
        const costs = inputs.map(() => next.normal());
        defined.knapsack(inputs, costs, Math.abs(next.normal()), negated);
      },
    ],
    ["pair", (defined, next, negated) => defined.pair(0, 1, 2 * next.normal(), negated?.slice(0, 2))],
  ];

  test.each(FACTORS)("%s: the best assignment is that of its truth table", (_, add) => {
    for (let seed = 0; seed < 40; seed++) {
      const next = random(seed);
      const defined = new DefinedGraph();
      // Mostly positive or mostly negative: each side of a truth table matters in some of the graphs.
      for (const _ of inputs) defined.graph.addVariable(next.normal() + (seed % 2 === 0 ? 1 : -1));
      const negated = inputs.map(() => next.next() < 0.3);
      add(defined, next, seed % 4 < 2 ? undefined : negated);
      const found = branchAndBound(defined.graph);
      expect(found.value, `seed ${seed}`).toBeCloseTo(optimum(defined, true)!, 6);
      expect(ad3(defined.graph, { maxIterations: 5000 }).value, `seed ${seed}`).toBeCloseTo(
        optimum(defined, false)!,
        3,
      );
    }
  });
});

test("branch and bound finds the assignment in which nothing is on", () => {
  const defined = logicGraph(random(51), 5, 6);
  expect(branchAndBound(defined.graph).value).toBeCloseTo(optimum(defined, true)!, 9);
  const empty = new FactorGraph();
  empty.addAtMostOne([empty.addVariable(-1), empty.addVariable(-2)]);
  expect(branchAndBound(empty)).toMatchObject({ status: "optimal", value: 0 });
});

test("a graph without an assignment is reported as infeasible", () => {
  const graph = new FactorGraph();
  const [a, b] = [graph.addVariable(1), graph.addVariable(1)];
  graph.addXor([a, b]);
  graph.addImplication([a, b]);
  graph.addImplication([b, a]);
  graph.addOr([a, b], { negated: [true, true] });
  expect(branchAndBound(graph).status).toBe("infeasible");
  graph.addOr([a]);
  graph.addOr([b]);
  expect(ad3(graph).status).toBe("infeasible");
});

test("a variable of log-potential -Infinity is off", () => {
  const graph = new FactorGraph();
  const [a, b] = [graph.addVariable(-Infinity), graph.addVariable(-5)];
  graph.addXor([a, b]);
  for (const solve of [ad3, branchAndBound, subgradient, mplp]) expect(solve(graph).value).toBe(-5);
});

test.each([
  [
    "a variable that does not exist",
    () => new FactorGraph().addXor([0]),
    "a variable must be an integer below 0, got 0",
  ],
  [
    "NaN",
    () => new FactorGraph().addVariable(Number.NaN),
    "a log-potential must be finite or -Infinity, got NaN",
  ],
  ["an option", () => ad3(new FactorGraph(), { eta: 0 }), "eta must be positive and finite, got 0"],
  [
    "a warm start",
    () =>
      ad3(new FactorGraph(), {}, { eta: 1, means: new Float64Array(1), multipliers: new Float64Array(0) }),
    "a warm start must have 0 means, got 1",
  ],
])("%s that makes no sense is refused", (_, run, message) => {
  expect(run).toThrow(new RangeError(message));
});

/**
 * Replaces variables of log-potential -Infinity by fixed ones, since HiGHS does not read infinite
 * coefficients.
 */
function fixing(defined: DefinedGraph): DefinedGraph {
  const { graph } = defined;
  graph.potentials.forEach((potential, v) => {
    if (potential === -Infinity) graph.setPotential(v, -1e6);
  });
  return defined;
}
