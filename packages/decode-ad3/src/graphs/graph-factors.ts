import {
  type ChainTable,
  emptyChainScores,
  type GraphProblem,
  graphChains,
  isPairTable,
  type PairTable,
} from "@arcwise/core";
import { FactorGraph } from "../solver/factor-graph.ts";
import { treeMaximizer } from "../solver/tree-maximizer.ts";
import { ChainFactor } from "./chain-factor.ts";
import type { GraphCut } from "./graph-cuts.ts";
import type { GraphVariables } from "./graph-variables.ts";
import { type PredicateArc, PredicateFactor } from "./predicate-factor.ts";

/** Input of `factorsOfGraph`. */
export interface GraphFactors {
  readonly problem: GraphProblem;
  readonly variables: GraphVariables;
  /** Makes separate components of predicates with arcs and of labels; otherwise both are one. */
  readonly isSplit: boolean;
  /** Cycles and components to exclude. */
  readonly cuts: readonly GraphCut[];
}

/**
 * Makes a factor graph: the basic parts of each predicate, at most one arc for each unique label of a
 * predicate, pairs, automata of chains, and constraints. The variables of the problem come first. Returns
 * `undefined` if a word that needs a head cannot have one. O(n + labelled arcs + parts).
 */
export function factorsOfGraph(input: GraphFactors): FactorGraph | undefined {
  const { problem, variables, isSplit, cuts } = input;
  const graph = new FactorGraph();
  graph.addVariables(variables.potentials);
  if (isSplit) addSplitPredicates(graph, problem, variables);
  else addPredicates(graph, problem, variables);
  addUniqueLabels(graph, problem, variables);
  for (const table of problem.parts) {
    if (isPairTable(table)) addPairs(graph, table, variables);
    else addChains(graph, problem, table, variables);
  }
  if (!addConstraints(graph, problem, variables)) return undefined;
  for (const cut of cuts) addCut(graph, cut, variables);
  return graph;
}

/** Arcs that may be on, by head. */
function arcsOfHeads({ arcs }: GraphProblem, { arc }: GraphVariables): number[][] {
  const lists: number[][] = Array.from({ length: arcs.n + 1 }, () => []);
  for (let a = 0; a < arc.length; a++) if (arc[a] >= 0) lists[arcs.head[a]].push(a);
  return lists;
}

/** Variables of the labels of an arc. */
function labelsOfArc({ labels }: GraphProblem, { label }: GraphVariables, arc: number): number[] {
  return [...label.subarray(labels.start[arc], labels.start[arc + 1])].filter((variable) => variable >= 0);
}

/** Adds one factor per predicate, over its variables that depend on each other. */
function addPredicates(graph: FactorGraph, problem: GraphProblem, variables: GraphVariables): void {
  for (const [w, list] of arcsOfHeads(problem, variables).entries()) {
    const predicate = variables.predicate[w] < 0 ? undefined : variables.predicate[w];
    const members: PredicateArc[] = [];
    for (const a of list) {
      const labels = labelsOfArc(problem, variables, a);
      if (predicate === undefined && labels.length === 0) continue;
      members.push({ arc: variables.arc[a], labels, isLabelled: variables.base[a] < 0 });
    }
    addPredicateFactor(graph, predicate, members);
  }
}

/** Adds one factor per predicate with its arcs, and one per arc with its labels. */
function addSplitPredicates(graph: FactorGraph, problem: GraphProblem, variables: GraphVariables): void {
  for (const [w, list] of arcsOfHeads(problem, variables).entries()) {
    const predicate = variables.predicate[w] < 0 ? undefined : variables.predicate[w];
    const members = list.map((a) => ({ arc: variables.arc[a], labels: [], isLabelled: false }));
    if (predicate !== undefined) addPredicateFactor(graph, predicate, members);
    for (const a of list) graph.addXorWithOutput([...labelsOfArc(problem, variables, a), variables.arc[a]]);
  }
}

function addPredicateFactor(
  graph: FactorGraph,
  predicate: number | undefined,
  members: readonly PredicateArc[],
): void {
  if (members.length === 0) return;
  const factor = new PredicateFactor(predicate, members);
  graph.addGeneric([...factor.arcs.subarray(0, factor.variables)], factor);
}

function addUniqueLabels(graph: FactorGraph, problem: GraphProblem, variables: GraphVariables): void {
  const { labels, unique } = problem;
  if (!unique.includes(1)) return;
  for (const list of arcsOfHeads(problem, variables)) {
    const byLabel = new Map<number, number[]>();
    for (const a of list) {
      for (let k = labels.start[a]; k < labels.start[a + 1]; k++) {
        const label = labels.label[k];
        if (unique[label] === 0 || variables.label[k] < 0) continue;
        const same = byLabel.get(label);
        if (same === undefined) byLabel.set(label, [variables.label[k]]);
        else same.push(variables.label[k]);
      }
    }
    for (const same of byLabel.values()) if (same.length > 1) graph.addAtMostOne(same);
  }
}

function addPairs(graph: FactorGraph, { first, second, scores }: PairTable, { arc }: GraphVariables): void {
  for (let p = 0; p < scores.length; p++) {
    const [a, b] = [arc[first[p]], arc[second[p]]];
    if (a >= 0 && b >= 0 && scores[p] !== 0) graph.addPair(a, b, scores[p]);
  }
}

function addChains(
  graph: FactorGraph,
  { arcs }: GraphProblem,
  table: ChainTable,
  { arc }: GraphVariables,
): void {
  const { kind, start, scores } = table;
  const empty = emptyChainScores(table);
  const chains = graphChains(kind, arcs);
  for (let chain = 0; chain + 1 < chains.start.length; chain++) {
    const kept = [...chains.arcs.subarray(chains.start[chain], chains.start[chain + 1])].filter(
      (a) => arc[a] >= 0,
    );
    if (kept.length === 0) continue;
    // The constant of the variables has the score of the empty chain.
    const gained = empty[chain] ?? 0;
    const width = kept.length + 1;
    const own = new Float64Array((width + 1) * width);
    let isScored = false;
    const put = (cell: number, score: number): void => {
      own[cell] = score;
      if (score !== 0) isScored = true;
    };
    for (const [i, a] of kept.entries()) {
      put((i + 1) * width, scores[start[a]] - gained);
      for (let j = 0; j < i; j++) {
        put((i + 1) * width + j + 1, scores[start[a] + 1 + chains.rank[kept[j]]]);
      }
      put(width * width + i + 1, scores[start[a] + chains.rank[a] + 1]);
    }
    if (!isScored) continue;
    const members = kept.map((a) => arc[a]);
    graph.addGeneric(members, new ChainFactor(members, own));
  }
}

/** Adds the constraints; returns false if a word that needs a head cannot have one. */
function addConstraints(graph: FactorGraph, problem: GraphProblem, { arc }: GraphVariables): boolean {
  const { arcs, constraints = {} } = problem;
  const { n, start, head, modifier } = arcs;
  // Without cycles, heads of all words lead to the root.
  const hasTree = constraints.spanningTree || (constraints.headed && constraints.acyclic);
  if (constraints.headed || hasTree) {
    for (let m = 1; m <= n; m++) {
      const heads = [...arc.subarray(start[m], start[m + 1])].filter((variable) => variable >= 0);
      if (heads.length === 0) return false;
      graph.addOr(heads);
    }
  }
  if (constraints.acyclic) addShortestCycles(graph, problem, arc);
  if (!hasTree || n === 0) return true;
  const kept = [...arc.keys()].filter((a) => arc[a] >= 0);
  const tree = kept.map((a) => {
    const inTree = graph.addVariable();
    graph.addImplication([inTree, arc[a]]);
    return inTree;
  });
  const pairs = kept.map((a) => [head[a], modifier[a]] as const);
  graph.addGeneric(tree, treeMaximizer(n, pairs, { singleRoot: false }));
  return true;
}

/** Adds at-most-one factors for pairs of arcs in opposite directions. */
function addShortestCycles(graph: FactorGraph, { arcs }: GraphProblem, arc: Int32Array): void {
  const { n, head, modifier } = arcs;
  const variableOf = new Map<number, number>();
  for (let a = 0; a < arc.length; a++) {
    if (arc[a] < 0) continue;
    variableOf.set(head[a] * (n + 1) + modifier[a], arc[a]);
    const opposite = variableOf.get(modifier[a] * (n + 1) + head[a]);
    if (opposite !== undefined) graph.addAtMostOne([opposite, arc[a]]);
  }
}

function addCut(graph: FactorGraph, cut: GraphCut, { arc }: GraphVariables): void {
  const variables = (list: readonly number[]): number[] => list.map((a) => arc[a]);
  if (cut.kind === "cycle") {
    graph.addOr(variables(cut.arcs), { negated: cut.arcs.map(() => true) });
    return;
  }
  const [inside, outside] = [cut.inside, cut.outside].map((list) => {
    const isAny = graph.addVariable();
    graph.addOrWithOutput([...variables(list), isAny]);
    return isAny;
  });
  const crossing = variables(cut.crossing);
  graph.addOr([inside!, outside!, ...crossing], { negated: [true, true, ...crossing.map(() => false)] });
}
