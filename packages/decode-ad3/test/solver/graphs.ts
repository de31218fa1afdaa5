import type { Random } from "@arcwise/core";
import { FactorGraph, headAutomatonMaximizer, treeMaximizer } from "@arcwise/decode-ad3";

/** Some of the numbers 0 .. n - 1, in any order. */
function some(next: Random, n: number, count: number): number[] {
  return next.shuffle(Array.from({ length: n }, (_, i) => i)).slice(0, count);
}

/** Binary variables under a mix of all logic constraints, with negated inputs, and pairs. May have no solution. */
export function logicGraph(next: Random, variables: number, factors: number): FactorGraph {
  const graph = new FactorGraph();
  for (let v = 0; v < variables; v++) graph.addVariable(next.normal());
  for (let f = 0; f < factors; f++) {
    const inputs = some(next, variables, 2 + next.int(Math.min(4, variables - 1)));
    const negated = inputs.map(() => next.next() < 0.25);
    const options = next.next() < 0.5 ? { negated } : {};
    const costs = inputs.map(() => next.normal());
    const kinds = [
      () => graph.addXor(inputs, options),
      () => graph.addXorWithOutput(inputs, options),
      () => graph.addAtMostOne(inputs, options),
      () => graph.addOr(inputs, options),
      () => graph.addOrWithOutput(inputs, options),
      () => graph.addImplication(inputs, options),
      () => graph.addBudget(inputs, 1 + next.int(inputs.length), options),
      () => graph.addKnapsack(inputs, costs, Math.abs(next.normal()), options),
    ];
    if (next.next() < 0.5) kinds[next.int(kinds.length)]!();
    else
      graph.addPair(
        inputs[0]!,
        inputs[1]!,
        next.normal(),
        options.negated ? { negated: negated.slice(0, 2) } : {},
      );
  }
  return graph;
}

/** Multi-valued variables in a circle of dense tables and a sequence, one of them in a constraint, one in nothing. */
export function tableGraph(next: Random): FactorGraph {
  const graph = new FactorGraph();
  const normals = (length: number) => Array.from({ length }, () => next.normal());
  const variables = Array.from({ length: 4 }, () => graph.addMultiVariable(normals(2 + next.int(2))));
  variables.forEach((a, i) => {
    const b = variables[(i + 1) % variables.length]!;
    graph.addDense(a, b, normals(a.states * b.states));
  });
  const [a, b, c] = [variables[0]!, variables[2]!, variables[1]!];
  graph.addSequence([a, b, c], normals(a.states * b.states + b.states * c.states));
  graph.addAtMostOne(variables.map(({ first }) => first));
  graph.addMultiVariable(normals(3));
  return graph;
}

/** All arcs over three words: a tree, automata of consecutive siblings, and some pairs. */
export function parsingGraph(next: Random, n = 3): FactorGraph {
  const graph = new FactorGraph();
  const arcs: [number, number][] = [];
  for (let m = 1; m <= n; m++) for (let h = 0; h <= n; h++) if (h !== m) arcs.push([h, m]);
  graph.addVariables(arcs.map(() => next.normal()));
  const variables = arcs.map((_, i) => i);
  graph.addGeneric(
    variables,
    treeMaximizer(n, arcs, { singleRoot: next.next() < 0.5, projective: next.next() < 0.3 }),
  );
  const variable = (h: number, m: number) =>
    arcs.findIndex(([head, modifier]) => head === h && modifier === m);
  for (let h = 0; h < n; h++) {
    const positions = n - h + 1;
    const siblings: [number, number][] = [];
    for (let to = 1; to <= positions; to++) for (let from = 0; from < to; from++) siblings.push([from, to]);
    const side = Array.from({ length: positions - 1 }, (_, k) => variable(h, h + k + 1));
    const scores = siblings.map(() => next.normal());
    graph.addGeneric(side, headAutomatonMaximizer(positions, siblings), scores);
  }
  for (let pair = 0; pair < 4; pair++) {
    const [a, b] = some(next, arcs.length, 2) as [number, number];
    graph.addPair(a, b, next.normal());
  }
  return graph;
}
