import {
  type GraphChoice,
  type GraphDecoder,
  type GraphDecoding,
  type GraphHandled,
  type GraphProblem,
  meetsConstraints,
  requireGraphDecoder,
  scoreGraph,
  validateGraphProblem,
} from "@arcwise/core";
import fc from "fast-check";
import { type Family, type RuleOf, type SubjectOf, toolsOf } from "../contract.ts";
import { raiseArc } from "../transform.ts";
import { bestGraph } from "./graph-oracle.ts";
import { type GraphProblemOptions, graphProblems } from "./graph-problems.ts";
import { arraysOfGraph, scaleGraphScores } from "./graph-transform.ts";

/** A decoder of graphs under test, with the claims about it. */
export interface GraphSubject extends SubjectOf<GraphDecoder> {
  readonly handles: readonly GraphHandled[];
  /** Maximal numbers of words and arcs of the problems that are compared with brute force. */
  readonly words: number;
  readonly arcs: number;
}

/** One rule of the contract of graphs. */
export type GraphRule = RuleOf<GraphSubject>;

/** Returns an arbitrary of problems that the subject can decode. */
function problemsOf(subject: GraphSubject, options: GraphProblemOptions) {
  return graphProblems({ ...subject, ...options });
}

/** The definitions of graphs that the rules shared with trees need. */
export const GRAPHS: Family<GraphSubject, GraphDecoder, GraphProblem, GraphDecoding> = {
  thing: "graph",
  scorer: "scoreGraph",
  problems: problemsOf,
  harder: (subject) => problemsOf(subject, { scores: "exact" }),
  copy: structuredClone,
  copyResult: ({ predicates, labelled, score, bound }) => ({
    predicates: Uint8Array.from(predicates),
    labelled: Int32Array.from(labelled),
    score,
    bound,
  }),
  arraysOf: arraysOfGraph,
  arraysOfResult: ({ predicates, labelled }) => [predicates, labelled],
  measure: (_, problem, found) => measureGraph(problem, found),
  best: (_, problem) => bestGraph(problem),
  terms: ({ arcs, parts }) => [arcs.n + arcs.head.length * (2 + 2 * parts.length), 0],
  scale: scaleGraphScores,
  raise(problem, { labelled }, draw, by) {
    const on = [...labelled.keys()].filter((arc) => labelled[arc] >= 0);
    return on.length === 0 ? undefined : raiseArc(problem, on[draw % on.length], by);
  },
  checked: (decoder) => requireGraphDecoder(decoder, "the decoder under test"),
  malformed: (subject) =>
    fc.sample(problemsOf(subject, {}), { seed: subject.seed + 1, numRuns: 20 }).flatMap(malformedGraphs),
};

export const { answer, forAll, expectRelated } = toolsOf(GRAPHS);

/** Runs a check on problems that the subject can decode. `extra` is a random integer from 0 to 2^31 - 1. */
export function forGraphProblems(
  subject: GraphSubject,
  options: GraphProblemOptions,
  check: (problem: GraphProblem, extra: number) => void,
): void {
  forAll(subject, problemsOf(subject, options), check);
}

/**
 * Returns the score of a result by `scoreGraph`, or `undefined` when it is not a graph of the problem, which
 * only the laws `graph` and `pruned` check.
 */
function measureGraph(problem: GraphProblem, choice: GraphChoice): number | undefined {
  if (graphFault(problem, choice) !== undefined) return undefined;
  const score = scoreGraph(problem, choice);
  return score === -Infinity ? undefined : score;
}

/** Returns why a result is not a graph of the problem, pruned items aside; `undefined` when it is one. */
export function graphFault(problem: GraphProblem, { predicates, labelled }: GraphChoice): string | undefined {
  const { arcs, labels, unique, constraints } = problem;
  const count = arcs.head.length;
  if (predicates.length !== arcs.n + 1 || labelled.length !== count) {
    const found = `${predicates.length} and ${labelled.length}`;
    return `expected ${arcs.n + 1} predicates and ${count} arcs, got ${found}`;
  }
  if (predicates[0] !== 1) return "expected the root to be a predicate";
  const seen = new Set<string>();
  for (let a = 0; a < count; a++) {
    const chosen = labelled[a];
    const name = `arc ${arcs.head[a]} -> ${arcs.modifier[a]}`;
    if (chosen === -1) continue;
    if (chosen < labels.start[a] || chosen >= labels.start[a + 1])
      return `${name} has no labelled arc ${chosen}`;
    if (predicates[arcs.head[a]] !== 1) return `${name} is on without its predicate`;
    const label = labels.label[chosen];
    const key = `${arcs.head[a]} ${label}`;
    if (unique[label] === 1 && seen.has(key)) return `label ${label} comes twice at ${arcs.head[a]}`;
    seen.add(key);
  }
  if (constraints === undefined || meetsConstraints(problem, labelled, constraints)) return undefined;
  return `the graph breaks a constraint of ${Object.keys(constraints).join(", ")}`;
}

/** Returns copies of a problem, each with one fault. */
function malformedGraphs(problem: GraphProblem): (readonly [string, GraphProblem])[] {
  validateGraphProblem(problem);
  const list: (readonly [string, GraphProblem])[] = [];
  const scores = (name: string): void => {
    for (const value of [Number.NaN, Infinity]) {
      const copy = structuredClone(problem);
      const values = arraysOfGraph(copy).find(([which]) => which === name)![1];
      if (values.length === 0) continue;
      values[values.length - 1] = value;
      list.push([`${value} in ${name}`, copy]);
    }
  };
  for (const [name] of arraysOfGraph(problem)) if (/scores$/i.test(name)) scores(name);
  const longer = (values: Float64Array): Float64Array => Float64Array.of(...values, 0);
  list.push(["an arc score too many", { ...problem, arcScores: longer(problem.arcScores) }]);
  list.push(["a predicate too many", { ...problem, predicateScores: longer(problem.predicateScores) }]);
  list.push([
    "a label that is unique or not too many",
    { ...problem, unique: Uint8Array.of(...problem.unique, 0) },
  ]);
  const { labels } = problem;
  list.push(["a label score too many", { ...problem, labels: { ...labels, scores: longer(labels.scores) } }]);
  for (const table of problem.parts) {
    list.push([`two tables of ${table.kind}`, { ...problem, parts: [...problem.parts, table] }]);
    const scores = longer(table.scores);
    list.push([`a score too many of ${table.kind}`, { ...problem, parts: [{ ...table, scores }] }]);
  }
  return list;
}
