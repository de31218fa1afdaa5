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

/** A decoder under test and what is claimed of it. */
export interface Subject {
  readonly make: () => Decoder;
  readonly exact: boolean;
  readonly projective: boolean;
  readonly singleRoot: boolean;
  readonly kinds: readonly PartKind[];
  readonly global: boolean;
  readonly runs: number;
  readonly seed: number;
  /** Most words of the problems that are compared with brute force. */
  readonly words: number;
  /** Number of words of the problems whose best tree is planted. */
  readonly large: number;
  readonly tolerance: number;
}

/** One rule of the contract. A law that fails throws an error that says what was found, on which problem. */
export interface Rule {
  readonly name: string;
  /** The rule in one sentence. */
  readonly says: string;
  /** Only decoders that are exact, or only those that are not, are held to it. */
  readonly only?: "exact" | "inexact";
  /** Only decoders that have one of these capabilities are held to it. */
  readonly needs?: readonly Capability[];
  check(subject: Subject): void;
}

/** What a decoder answered, in memory of its own. */
export interface Answer {
  readonly heads: Int32Array;
  readonly score: number;
  readonly bound: number;
}

/**
 * The answer for a copy of the problem: what the decoder does to its input or its answers later is not seen.
 */
export function answer(decoder: Decoder, problem: ParsingProblem): Answer {
  const { heads, score, bound } = decoder.decode(copyProblem(problem));
  return { heads: Int32Array.from(heads), score, bound };
}

/** The answer, or `undefined` when the decoder throws: where that is for another law to say. */
export function attempt(decoder: Decoder, problem: ParsingProblem): Answer | undefined {
  try {
    return answer(decoder, problem);
  } catch {
    return undefined;
  }
}

/**
 * The score of an answer by `scoreTree`, or `undefined` when its heads are not a tree of the family or use a
 * pruned arc: that is for the laws `tree` and `pruned` to say, and for no other.
 */
export function measure(subject: Subject, problem: ParsingProblem, heads: Int32Array): number | undefined {
  if (heads.length !== problem.arcs.n + 1 || faultOf(subject, heads) !== undefined) return undefined;
  const score = scoreTree(problem, heads);
  return score === -Infinity ? undefined : score;
}

/** What keeps the heads from being a tree of the subject's family. */
export function faultOf(subject: Subject, heads: Int32Array): string | undefined {
  const fault = checkTree(heads, subject);
  if (fault !== undefined) return fault;
  return subject.projective && !isProjective(heads) ? "the tree is not projective" : undefined;
}

/** Whether the heads are a tree at all, of the family or not. */
export function isAnyTree(problem: ParsingProblem, heads: Int32Array): boolean {
  return heads.length === problem.arcs.n + 1 && isTree(heads, { singleRoot: false });
}

/** How far apart two scores of trees of the problem may be: rounding in whatever order things are added. */
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

/** What the action throws, or words that say that it does not. */
export function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return "no error";
}

/** Runs the check on problems that the subject can decode. `extra` is a number from 0 to 2^31 - 1. */
export function forProblems(
  subject: Subject,
  options: ProblemOptions,
  check: (problem: ParsingProblem, extra: number) => void,
): void {
  const drawn = problems({ ...subject, most: subject.words, ...options });
  fc.assert(fc.property(drawn, fc.nat(), check), {
    numRuns: subject.runs,
    seed: subject.seed,
    includeErrorInReport: true,
  });
}
