import type { Random } from "@arcwise/core";
import { FactorGraph } from "@arcwise/decode-ad3";
import type { MultiVariable } from "../../src/solver/factor-graph.ts";
import { treeMaximizer } from "../../src/solver/tree-maximizer.ts";
import { headAutomatonMaximizer } from "./head-automaton-maximizer.ts";
import {
  assignments,
  automatonPoints,
  densePoints,
  LOGIC,
  type Logic,
  type Point,
  sequencePoints,
  treePoints,
} from "./truth-tables.ts";

/** A factor by its definition: the assignments that it allows, or a linear inequality row · x <= limit. */
export type DefinedFactor =
  | { readonly variables: readonly number[]; readonly points: readonly Point[] }
  | { readonly variables: readonly number[]; readonly row: readonly number[]; readonly limit: number };

const ADD = {
  xor: "addXor",
  xorWithOutput: "addXorWithOutput",
  atMostOne: "addAtMostOne",
  or: "addOr",
  orWithOutput: "addOrWithOutput",
  implication: "addImplication",
} as const satisfies Record<Logic, keyof FactorGraph>;

/** A factor graph with the definitions of its factors. */
export class DefinedGraph {
  readonly graph = new FactorGraph();
  readonly factors: DefinedFactor[] = [];

  logic(logic: Logic, variables: readonly number[], negated?: readonly boolean[]): void {
    this.graph[ADD[logic]](variables, optionsOf(negated));
    const points = assignments(variables.length)
      .filter((on) => LOGIC[logic](on.map((value, i) => (negated?.[i] ? 1 - value : value))))
      .map((on) => ({ on, score: 0 }));
    this.factors.push({ variables, points });
  }

  pair(a: number, b: number, potential: number, negated?: readonly boolean[]): void {
    this.graph.addPair(a, b, potential, optionsOf(negated));
    const points = assignments(2).map((on) => ({
      on,
      score: on.every((value, i) => (value === 1) !== (negated?.[i] ?? false)) ? potential : 0,
    }));
    this.factors.push({ variables: [a, b], points });
  }

  budget(variables: readonly number[], budget: number, negated?: readonly boolean[]): void {
    this.graph.addBudget(variables, budget, optionsOf(negated));
    const costs = variables.map(() => 1);
    this.#inequality(variables, costs, budget, negated);
  }

  knapsack(
    variables: readonly number[],
    costs: readonly number[],
    budget: number,
    negated?: readonly boolean[],
  ): void {
    this.graph.addKnapsack(variables, costs, budget, optionsOf(negated));
    this.#inequality(variables, costs, budget, negated);
  }

  dense(a: MultiVariable, b: MultiVariable, potentials: readonly number[]): void {
    this.graph.addDense(a, b, potentials);
    this.factors.push({
      variables: [a, b].flatMap(statesOf),
      points: densePoints(a.states, b.states, potentials),
    });
  }

  sequence(variables: readonly MultiVariable[], potentials: readonly number[]): void {
    this.graph.addSequence(variables, potentials);
    const states = variables.map((variable) => variable.states);
    this.factors.push({ variables: variables.flatMap(statesOf), points: sequencePoints(states, potentials) });
  }

  /** The sum of the costs of the inputs that are on is at most the budget: c (1 - x) is c minus c x. */
  #inequality(
    variables: readonly number[],
    costs: readonly number[],
    budget: number,
    negated: readonly boolean[] | undefined,
  ): void {
    const row = costs.map((cost, i) => (negated?.[i] ? -cost : cost));
    const limit = costs.reduce((left, cost, i) => (negated?.[i] ? left - cost : left), budget);
    this.factors.push({ variables, row, limit });
  }
}

function optionsOf(negated: readonly boolean[] | undefined) {
  return negated === undefined ? {} : { negated };
}

function statesOf({ first, states }: MultiVariable): number[] {
  return Array.from({ length: states }, (_, state) => first + state);
}

/** Returns some of the integers 0 .. n - 1, in any order. */
function some(next: Random, n: number, count: number): number[] {
  return next.shuffle(Array.from({ length: n }, (_, i) => i)).slice(0, count);
}

/**
 * Binary variables under a mix of all logic constraints, with negated inputs, and pairs. May have no
 * solution.
 */
export function logicGraph(next: Random, variables: number, factors: number): DefinedGraph {
  const defined = new DefinedGraph();
  for (let v = 0; v < variables; v++) defined.graph.addVariable(next.normal());
  for (let f = 0; f < factors; f++) {
    const inputs = some(next, variables, 2 + next.int(Math.min(4, variables - 1)));
    const flags = inputs.map(() => next.next() < 0.25);
    const negated = next.next() < 0.5 ? flags : undefined;
    const costs = inputs.map(() => next.normal());
    const kinds = [
      () => defined.logic("xor", inputs, negated),
      () => defined.logic("xorWithOutput", inputs, negated),
      () => defined.logic("atMostOne", inputs, negated),
      () => defined.logic("or", inputs, negated),
      () => defined.logic("orWithOutput", inputs, negated),
      () => defined.logic("implication", inputs, negated),
      () => defined.budget(inputs, 1 + next.int(inputs.length), negated),
      () => defined.knapsack(inputs, costs, Math.abs(next.normal()), negated),
    ];
    if (next.next() < 0.5) kinds[next.int(kinds.length)]();
    else defined.pair(inputs[0], inputs[1], next.normal(), negated?.slice(0, 2));
  }
  return defined;
}

/**
 * Multi-valued variables in a cycle of dense tables and a sequence, one of them in a constraint, one in no
 * factor.
 */
export function tableGraph(next: Random): DefinedGraph {
  const defined = new DefinedGraph();
  const { graph } = defined;
  const normals = (length: number) => Array.from({ length }, () => next.normal());
  const variables = Array.from({ length: 4 }, () => graph.addMultiVariable(normals(2 + next.int(2))));
  variables.forEach((a, i) => {
    const b = variables[(i + 1) % variables.length];
    defined.dense(a, b, normals(a.states * b.states));
  });
  const [a, b, c] = [variables[0], variables[2], variables[1]];
  defined.sequence([a, b, c], normals(a.states * b.states + b.states * c.states));
  defined.logic(
    "atMostOne",
    variables.map(({ first }) => first),
  );
  graph.addMultiVariable(normals(3));
  return defined;
}

/** All arcs over three words: a tree, automata of adjacent siblings, and some pairs. */
export function parsingGraph(next: Random, n = 3): DefinedGraph {
  const defined = new DefinedGraph();
  const { graph, factors } = defined;
  const arcs: [number, number][] = [];
  for (let m = 1; m <= n; m++) for (let h = 0; h <= n; h++) if (h !== m) arcs.push([h, m]);
  graph.addVariables(arcs.map(() => next.normal()));
  const variables = arcs.map((_, i) => i);
  const family = { singleRoot: next.next() < 0.5, projective: next.next() < 0.3 };
  graph.addGeneric(variables, treeMaximizer(n, arcs, family));
  factors.push({ variables, points: treePoints(n, arcs, family) });
  const variable = (h: number, m: number) =>
    arcs.findIndex(([head, modifier]) => head === h && modifier === m);
  for (let h = 0; h < n; h++) {
    const positions = n - h + 1;
    const siblings: [number, number][] = [];
    for (let to = 1; to <= positions; to++) for (let from = 0; from < to; from++) siblings.push([from, to]);
    const side = Array.from({ length: positions - 1 }, (_, k) => variable(h, h + k + 1));
    const scores = siblings.map(() => next.normal());
    graph.addGeneric(side, headAutomatonMaximizer(positions, siblings), scores);
    factors.push({ variables: side, points: automatonPoints(positions, siblings, scores) });
  }
  for (let pair = 0; pair < 4; pair++) {
    const [a, b] = some(next, arcs.length, 2) as [number, number];
    defined.pair(a, b, next.normal());
  }
  return defined;
}
