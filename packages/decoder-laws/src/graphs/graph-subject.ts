import {
  type GraphChoice,
  type GraphDecoder,
  type GraphDecoding,
  type GraphHandled,
  type GraphProblem,
  meetsConstraints,
  scoreGraph,
} from "@arcwise/core";
import fc from "fast-check";
import { type GraphProblemOptions, graphProblems } from "./graph-problems.ts";
import { copyGraphProblem } from "./graph-transform.ts";

/** A decoder of graphs under test, with the claims about it. */
export interface GraphSubject {
  readonly make: () => GraphDecoder;
  readonly exact: boolean;
  readonly handles: readonly GraphHandled[];
  readonly runs: number;
  readonly seed: number;
  /** Maximal numbers of words and arcs of the problems that are compared with brute force. */
  readonly words: number;
  readonly arcs: number;
  readonly tolerance: number;
  /** Whether a counterexample is reduced to a small one, for the message. */
  readonly shrinks: boolean;
}

/**
 * One rule of the contract of graphs. A law that fails throws an error with what was found and the problem.
 */
export interface GraphRule {
  readonly name: string;
  /** The rule in one sentence. */
  readonly says: string;
  /** Limits the rule to exact or to inexact decoders. */
  readonly only?: "exact" | "inexact" | undefined;
  check(subject: GraphSubject): void;
}

/** Returns a copy of the result for a copy of the problem. */
export function graphAnswer(decoder: GraphDecoder, problem: GraphProblem): GraphDecoding {
  const { predicates, labelled, score, bound } = decoder.decode(copyGraphProblem(problem));
  return { predicates: Uint8Array.from(predicates), labelled: Int32Array.from(labelled), score, bound };
}

/** Returns the result, or `undefined` when the decoder throws, which other laws check. */
export function graphAttempt(decoder: GraphDecoder, problem: GraphProblem): GraphDecoding | undefined {
  try {
    return graphAnswer(decoder, problem);
  } catch {
    return undefined;
  }
}

/**
 * Returns the score of a result by `scoreGraph`, or `undefined` when it is no graph of the problem, which
 * only the laws `graph` and `pruned` check.
 */
export function measureGraph(problem: GraphProblem, choice: GraphChoice): number | undefined {
  if (graphFault(problem, choice) !== undefined) return undefined;
  const score = scoreGraph(problem, choice);
  return score === -Infinity ? undefined : score;
}

/** Returns why a result is no graph of the problem, pruned items aside; `undefined` when it is one. */
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

/** Returns the tolerance of scores of graphs of the problem: rounding in any order of summation. */
export function graphSlack(subject: GraphSubject, problem: GraphProblem): number {
  let largest = 0;
  const look = (scores: Float64Array): void => {
    for (const score of scores) if (score > -Infinity) largest = Math.max(largest, Math.abs(score));
  };
  look(problem.arcScores);
  look(problem.predicateScores);
  look(problem.labels.scores);
  for (const table of problem.parts) look(table.scores);
  const terms = problem.arcs.n + problem.arcs.head.length * (2 + 2 * problem.parts.length);
  return subject.tolerance * largest * terms;
}

/** Runs a check on problems that the subject can decode. `extra` is a random integer from 0 to 2^31 - 1. */
export function forGraphProblems(
  subject: GraphSubject,
  options: GraphProblemOptions,
  check: (problem: GraphProblem, extra: number) => void,
): void {
  const drawn = graphProblems({ ...subject, ...options });
  fc.assert(fc.property(drawn, fc.nat(), check), {
    numRuns: subject.runs,
    endOnFailure: !subject.shrinks,
    seed: subject.seed,
    includeErrorInReport: true,
  });
}
