import {
  type Capability,
  checkTree,
  type Decoder,
  isProjective,
  isTree,
  type ParsingProblem,
  type PartKind,
  scoreTree,
} from "@arcwise/core";
import fc from "fast-check";
import { type ProblemOptions, problems } from "./problems.ts";
import { copyProblem } from "./transform.ts";

/** A decoder under test, with the claims about it. */
export interface Subject {
  readonly make: () => Decoder;
  readonly exact: boolean;
  readonly projective: boolean;
  readonly singleRoot: boolean;
  readonly kinds: readonly PartKind[];
  readonly global: boolean;
  readonly runs: number;
  readonly seed: number;
  /** Maximal number of words of the problems that are compared with brute force. */
  readonly words: number;
  /** Number of words of the problems with a planted tree. */
  readonly large: number;
  readonly tolerance: number;
  /** Whether a counterexample is reduced to a small one, for the message. */
  readonly shrinks: boolean;
}

/** One rule of the contract. A law that fails throws an error with what was found and the problem. */
export interface Rule {
  readonly name: string;
  /** The rule in one sentence. */
  readonly says: string;
  /** Limits the rule to exact or to inexact decoders. */
  readonly only?: "exact" | "inexact" | undefined;
  /** Limits the rule to decoders with one of these capabilities. */
  readonly needs?: readonly Capability[] | undefined;
  check(subject: Subject): void;
}

/** A copy of the result of a decoder. */
export interface Answer {
  readonly heads: Int32Array;
  readonly score: number;
  readonly bound: number;
}

/** Returns a copy of the result for a copy of the problem, so that changes by the decoder have no effect. */
export function answer(decoder: Decoder, problem: ParsingProblem): Answer {
  const { heads, score, bound } = decoder.decode(copyProblem(problem));
  return { heads: Int32Array.from(heads), score, bound };
}

/** Returns the result, or `undefined` when the decoder throws, which other laws check. */
export function attempt(decoder: Decoder, problem: ParsingProblem): Answer | undefined {
  try {
    return answer(decoder, problem);
  } catch {
    return undefined;
  }
}

/**
 * Returns the score of a result by `scoreTree`, or `undefined` when its heads are not a tree of the family or
 * use a pruned arc, which only the laws `tree` and `pruned` check.
 */
export function measure(subject: Subject, problem: ParsingProblem, heads: Int32Array): number | undefined {
  if (heads.length !== problem.arcs.n + 1 || faultOf(subject, heads) !== undefined) return undefined;
  const score = scoreTree(problem, heads);
  return score === -Infinity ? undefined : score;
}

/** Returns why heads are no tree of the subject's family; `undefined` when they are one. */
export function faultOf(subject: Subject, heads: Int32Array): string | undefined {
  const fault = checkTree(heads, subject);
  if (fault !== undefined) return fault;
  return subject.projective && !isProjective(heads) ? "the tree is not projective" : undefined;
}

/** Returns whether heads are a tree, of the family or not. */
export function isAnyTree(problem: ParsingProblem, heads: Int32Array): boolean {
  return heads.length === problem.arcs.n + 1 && isTree(heads, { singleRoot: false });
}

/** Returns the tolerance of scores of trees of the problem: rounding in any order of summation. */
export function slack(subject: Subject, problem: ParsingProblem): number {
  let largest = 0;
  const look = (scores: Float64Array) => {
    for (const score of scores) if (score > -Infinity) largest = Math.max(largest, Math.abs(score));
  };
  look(problem.arcScores);
  for (const table of problem.parts) look(table.scores);
  const terms = problem.arcs.n * (1 + problem.parts.length + problem.arcs.n);
  const global = problem.global?.score(new Int32Array(problem.arcs.n + 1).fill(-1)) ?? 0;
  return subject.tolerance * (largest * terms + Math.abs(global));
}

export function expectClose(found: number, expected: number, within: number, what: string): void {
  if (Math.abs(found - expected) <= within) return;
  throw new Error(`${what}: expected ${expected}, got ${found}`);
}

export function expectThat(holds: boolean, what: () => string): void {
  if (!holds) throw new Error(what());
}

/** Returns what the action throws, or a text saying that it throws nothing. */
export function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return "no error";
}

/** Runs a check on problems that the subject can decode. `extra` is a random integer from 0 to 2^31 - 1. */
export function forProblems(
  subject: Subject,
  options: ProblemOptions,
  check: (problem: ParsingProblem, extra: number) => void,
): void {
  const drawn = problems({ ...subject, most: subject.words, ...options });
  fc.assert(fc.property(drawn, fc.nat(), check), {
    numRuns: subject.runs,
    endOnFailure: !subject.shrinks,
    seed: subject.seed,
    includeErrorInReport: true,
  });
}
