import { random } from "@arcwise/core";
import { describe, expect, test } from "vitest";
import {
  projectAtMostOne,
  projectKnapsack,
  projectOr,
  projectOrWithOutput,
  projectPair,
  projectXor,
  sortAscending,
} from "../../src/solver/projections.ts";
import { THOROUGH } from "./oracles.ts";
import { fractionalKnapsack, type Logic, logicPoints } from "./truth-tables.ts";

const INPUTS = THOROUGH ? 10_000 : 150;

type HalfSpace = { row: number[]; limit: number };

interface Subject {
  readonly name: string;
  /** Without it the constraint is one inequality, whose hull has corners that are not assignments. */
  readonly logic?: Logic;
  project(x: Float64Array, k: number, scratch: Float64Array, costs: Float64Array, budget: number): void;
  /** Besides 0 <= x <= 1. */
  halfSpaces(k: number, costs: readonly number[], budget: number): HalfSpace[];
}

const ones = (k: number) => new Array<number>(k).fill(1);
const minus = (row: readonly number[]) => row.map((value) => -value);
const unit = (k: number, at: number) => Array.from({ length: k }, (_, i) => (i === at ? 1 : 0));

const SUBJECTS: Subject[] = [
  {
    name: "XOR",
    logic: "xor",
    project: (x, k, scratch) => projectXor(x, 0, k, scratch),
    halfSpaces: (k) => [
      { row: ones(k), limit: 1 },
      { row: minus(ones(k)), limit: -1 },
    ],
  },
  {
    name: "at most one",
    logic: "atMostOne",
    project: (x, k, scratch) => projectAtMostOne(x, 0, k, scratch),
    halfSpaces: (k) => [{ row: ones(k), limit: 1 }],
  },
  {
    name: "OR",
    logic: "or",
    project: (x, k, scratch) => projectOr(x, 0, k, scratch),
    halfSpaces: (k) => [{ row: minus(ones(k)), limit: -1 }],
  },
  {
    name: "OR with output",
    logic: "orWithOutput",
    project: (x, k, scratch) => projectOrWithOutput(x, 0, k, scratch),
    halfSpaces: (k) => [
      ...Array.from({ length: k - 1 }, (_, i) => ({
        row: unit(k, i).map((value, j) => (j === k - 1 ? -1 : value)),
        limit: 0,
      })),
      { row: ones(k).map((_, j) => (j === k - 1 ? 1 : -1)), limit: 0 },
    ],
  },
  {
    name: "budget",
    project: (x, k, scratch, costs, budget) =>
      projectKnapsack(x, 0, k, costs.fill(1), 0, Math.floor(budget), scratch),
    halfSpaces: (k, _, budget) => [{ row: ones(k), limit: Math.floor(budget) }],
  },
  {
    name: "knapsack",
    project: (x, k, scratch, costs, budget) => projectKnapsack(x, 0, k, costs, 0, budget, scratch),
    halfSpaces: (_, costs, budget) => [{ row: [...costs], limit: budget }],
  },
];

describe.each(SUBJECTS)("the nearest point of $name", ({ name, logic, project, halfSpaces }) => {
  const next = random(name.length);
  const cases = Array.from({ length: INPUTS }, () => {
    const k = 2 + next.int(7);
    const spread = 10 ** (2 * next.next() - 1);
    return {
      a: Array.from({ length: k }, () => 0.5 + spread * next.normal()),
      costs: Array.from({ length: k }, () => (next.next() < 0.1 ? 0 : 0.2 + next.next())),
      budget: 0.1 + next.next() * k * 0.6,
    };
  });

  test("satisfies the optimality condition: no acute angle with any point of the constraint", () => {
    for (const { a, costs, budget } of cases) {
      const k = a.length;
      const x = Float64Array.from(a);
      project(x, k, new Float64Array(2 * k), Float64Array.from(costs), budget);
      for (const { row, limit } of halfSpaces(k, costs, budget)) {
        expect(row.reduce((sum, value, i) => sum + value * x[i], 0)).toBeLessThan(limit + 1e-9);
      }
      expect(x.every((value) => value >= 0 && value <= 1 + 1e-12)).toBe(true);
      const height = a.reduce((sum, value, i) => sum + (value - x[i]) * x[i], 0);
      if (logic === undefined) {
        const [cost] = halfSpaces(k, costs, budget);
        const gradient = a.map((value, i) => value - x[i]);
        const best = fractionalKnapsack(gradient, cost!.row, cost!.limit);
        expect(best).toBeLessThan(height + 1e-9 * (1 + Math.abs(height)));
        continue;
      }
      for (const point of logicPoints(logic, k)) {
        const value = a.reduce((sum, given, i) => sum + (given - x[i]) * point[i], 0);
        expect(value).toBeLessThan(height + 1e-9 * (1 + Math.abs(height)));
      }
    }
  });
});

test("the nearest point of a pair, among all", () => {
  const next = random(7);
  // Over z1, z2, z12: linear in z12, with a square of negligible weight.
  for (let round = 0; round < INPUTS; round++) {
    const a = [0.5 + next.normal(), 0.5 + next.normal()] as const;
    const potential = next.normal() * 2;
    const x = Float64Array.from(a);
    projectPair(x, 0, potential);
    const both = potential >= 0 ? Math.min(x[0], x[1]) : Math.max(0, x[0] + x[1] - 1);
    const gradient = [a[0] - x[0], a[1] - x[1]] as const;
    const height = gradient[0] * x[0] + gradient[1] * x[1] + potential * both;
    expect(x.every((value) => value >= 0 && value <= 1)).toBe(true);
    for (const [p, q] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      expect(gradient[0] * p + gradient[1] * q + potential * p * q).toBeLessThan(height + 1e-9);
    }
  }
});

test("values that grow geometrically, which Newton's method takes one by one, are sorted", () => {
  const k = 60;
  const values = Array.from({ length: k }, (_, i) => -(3 ** i));
  const x = Float64Array.from(values);
  projectXor(x, 0, k, new Float64Array(2 * k));
  expect([...x]).toEqual(values.map((_, i) => (i === 0 ? 1 : 0)));
});

test.each([0, 1, 2, 24, 25, 100])("sorts the first %i entries, and leaves the others", (count) => {
  const next = random(count);
  const values = Float64Array.from({ length: count + 3 }, () => next.int(20));
  const expected = [...values.slice(0, count).sort(), ...values.slice(count)];
  sortAscending(values, count);
  expect([...values]).toEqual(expected);
});
