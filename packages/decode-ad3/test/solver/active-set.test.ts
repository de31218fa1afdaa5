import { random } from "@arcwise/core";
import type { LocalMaximizer } from "@arcwise/decode-ad3";
import { describe, expect, test } from "vitest";
import { ActiveSet } from "../../src/solver/active-set.ts";
import { denseMaximizer } from "../../src/solver/dense-maximizer.ts";
import { sequenceMaximizer } from "../../src/solver/sequence-maximizer.ts";
import { treeMaximizer } from "../../src/solver/tree-maximizer.ts";
import { headAutomatonMaximizer } from "./head-automaton-maximizer.ts";
import { configurations, THOROUGH } from "./oracles.ts";
import { automatonPoints, densePoints, type Point, sequencePoints, treePoints } from "./truth-tables.ts";

const INPUTS = THOROUGH ? 10_000 : 200;

const allArcs = (n: number) =>
  Array.from({ length: n }, (_, m) => Array.from({ length: n + 1 }, (_, h) => [h, m + 1] as const))
    .flat()
    .filter(([h, m]) => h !== m);
const pairs = (positions: number) =>
  Array.from({ length: positions + 1 }, (_, to) =>
    Array.from({ length: to }, (_, from) => [from, to] as const),
  ).flat();

interface Subject {
  readonly name: string;
  readonly make: () => LocalMaximizer;
  /** Returns all configurations, by definition. */
  readonly points: (additional: Float64Array) => Point[];
  readonly count: number;
}

const ARCS = allArcs(3);
const SOME_PAIRS = [
  [0, 2],
  [2, 3],
  [3, 5],
] as const;

const SUBJECTS: Subject[] = [
  {
    name: "a dense table",
    make: () => denseMaximizer(3, 4),
    points: (additional) => densePoints(3, 4, additional),
    count: 12,
  },
  {
    name: "a sequence",
    make: () => sequenceMaximizer([3, 2, 3]),
    points: (additional) => sequencePoints([3, 2, 3], additional),
    count: 18,
  },
  // (n + 1)^(n - 1) trees, and n times n^(n - 2) with one root arc.
  ...[
    { name: "a tree", family: { singleRoot: false }, count: 16 },
    { name: "a tree with a single root", family: {}, count: 9 },
    { name: "a projective tree", family: { projective: true }, count: 7 },
  ].map(({ name, family, count }) => ({
    name,
    make: () => treeMaximizer(3, ARCS, family),
    points: () => treePoints(3, ARCS, family),
    count,
  })),
  {
    name: "a head automaton",
    make: () => headAutomatonMaximizer(5, pairs(5)),
    points: (additional) => automatonPoints(5, pairs(5), additional),
    count: 16,
  },
  {
    name: "a head automaton with some parts",
    make: () => headAutomatonMaximizer(5, SOME_PAIRS),
    points: (additional) => automatonPoints(5, SOME_PAIRS, additional),
    count: 16,
  },
];

describe.each(SUBJECTS)("$name", ({ make, points, count }) => {
  const next = random(count);

  test("has the configurations of its definition, as many as theory says, and finds the best of them", () => {
    const maximizer = make();
    for (let round = 0; round < 20; round++) {
      const additional = Float64Array.from({ length: maximizer.additional }, () => next.normal());
      const all = points(additional);
      expect(all).toHaveLength(count);
      const byVariables = new Map(
        configurations(maximizer, additional).map(({ on, score }) => [on.join(), score]),
      );
      expect(byVariables.size).toBe(count);
      for (const { on, score } of all) expect(byVariables.get(on.join())).toBeCloseTo(score, 9);
      const variable = Float64Array.from({ length: maximizer.variables }, () => next.normal());
      const values = all.map(({ on, score }) =>
        on.reduce((sum, value, i) => sum + value * variable[i], score),
      );
      expect(maximizer.maximize(variable, additional, 0)).toBeCloseTo(Math.max(...values), 9);
      expect(maximizer.evaluate(variable, additional, 0)).toBeCloseTo(Math.max(...values), 9);
    }
  });

  test("quadratic subproblems are solved: no configuration improves the point, a mean of some", () => {
    const maximizer = make();
    const set = new ActiveSet(maximizer);
    const k = maximizer.variables;
    let a = new Float64Array(k);
    let additional = new Float64Array(0);
    let all: Point[] = [];
    for (let round = 0; round < INPUTS; round++) {
      const eta = 2 ** (next.int(7) - 3);
      // Often a small change, as between iterations: the active set continues from its state.
      if (round % 50 === 0) {
        additional = Float64Array.from({ length: maximizer.additional }, () => next.normal());
        all = points(additional);
        set.clear();
      }
      const change = next.next() < 0.5 ? 1 : 0.1;
      a = a.map((value) => (1 - change) * value + change * next.normal());
      for (let call = 0; call < 10; call++) {
        set.input.set(a.map((value) => value * eta));
        set.solve(additional, eta);
      }
      const posteriors = new Float64Array(k);
      const paid = new Float64Array(maximizer.additional);
      set.addPosteriors(posteriors, paid);
      const weights = set.weight.slice(0, set.size);
      expect(weights.every((weight) => weight >= 0)).toBe(true);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
      for (let i = 0; i < k; i++) expect(set.output[i]).toBeCloseTo(posteriors[i], 9);
      const own = paid.reduce((sum, value, i) => sum + value * additional[i], 0) / eta;
      const gradient = a.map((value, i) => value - set.output[i]);
      const height = gradient.reduce((sum, value, i) => sum + value * set.output[i], own);
      for (const { on, score } of all) {
        const value = on.reduce((sum, x, i) => sum + x * gradient[i], score / eta);
        expect(value).toBeLessThan(height + 1e-7);
      }
    }
  });
});

test("invalid arcs and siblings are refused", () => {
  expect(() => treeMaximizer(2, [[0, 3]])).toThrow("an arc must join two of the positions 0..2");
  expect(() =>
    treeMaximizer(2, [
      [0, 1],
      [0, 1],
    ]),
  ).toThrow("the arc 0 -> 1 must occur once");
  expect(() => headAutomatonMaximizer(3, [[2, 1]])).toThrow("siblings must be ascending");
  expect(() =>
    headAutomatonMaximizer(3, [
      [0, 1],
      [0, 1],
    ]),
  ).toThrow("siblings 0, 1 must occur once");
});
