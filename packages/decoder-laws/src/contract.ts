import type { Capability } from "@arcwise/core";
import fc from "fast-check";

/** One rule of the contract. A law that fails throws an error with what was found and the problem. */
export interface RuleOf<Subject> {
  readonly name: string;
  /** The rule in one sentence. */
  readonly says: string;
  /** Limits the rule to exact or to inexact decoders. */
  readonly only?: "exact" | "inexact" | undefined;
  /** Limits the rule to decoders with one of these capabilities. */
  readonly needs?: readonly Capability[] | undefined;
  check(subject: Subject): void;
}

/** The result of a decoder of trees or of graphs. */
export interface Result {
  readonly score: number;
  readonly bound: number;
}

/** A decoder of trees or of graphs. */
export interface DecoderOf<Problem, Found extends Result> {
  readonly name: string;
  readonly handles: ReadonlySet<string>;
  decode(problem: Problem): Found;
  decodeWithReport?(
    problem: Problem,
  ): Found & { readonly status: string; readonly counts: Readonly<Record<string, number>> };
}

/** A decoder under test, with the claims about it. */
export interface SubjectOf<Decoder> {
  readonly make: () => Decoder;
  readonly exact: boolean;
  /** The contents of problems that the decoder is said to handle. */
  readonly claimed: readonly string[];
  readonly runs: number;
  readonly seed: number;
  readonly tolerance: number;
  /** Whether a counterexample is reduced to a small one, for the message. */
  readonly shrinks: boolean;
}

/** Options of the problems of trees and of graphs. */
export interface DrawOptions {
  /** Minimal number of words; 1 by default. */
  readonly fewest?: number | undefined;
  /**
   * `any`: several magnitudes, ties, rounding. `exact`: small multiples of 1/8, whose sums are exact.
   * `extreme`: about 10^12, 10^-12, the greatest, the smallest, all equal. `any` by default.
   */
  readonly scores?: "any" | "exact" | "extreme" | undefined;
  /** Whether some tree or graph is guaranteed to be allowed; true by default. */
  readonly solvable?: boolean | undefined;
}

/** An array of a problem or a result. */
export type Values = Int32Array | Float64Array | Uint8Array;

/** The definitions of trees or of graphs that the rules common to both need. */
export interface Family<Subject, Decoder, Problem, Found extends Result> {
  /** `tree` or `graph`. */
  readonly thing: string;
  /** The function of core that defines the score. */
  readonly scorer: string;
  readonly problems: (subject: Subject, options: DrawOptions) => fc.Arbitrary<Problem>;
  /** Problems with further difficulties, for `optimal`. */
  readonly harder: (subject: Subject) => fc.Arbitrary<Problem>;
  /** A problem too large for enumeration, with the highest score. */
  readonly planted?: (subject: Subject) => { readonly problem: Problem; readonly best: number };
  readonly copy: (problem: Problem) => Problem;
  readonly copyResult: (found: Found) => Found;
  readonly arraysOf: (problem: Problem) => readonly (readonly [name: string, values: Values])[];
  readonly arraysOfResult: (found: Found) => readonly Values[];
  /** Returns the score by definition; `undefined` if the result is not valid, which other laws check. */
  readonly measure: (subject: Subject, problem: Problem, found: Found) => number | undefined;
  /** Returns the best result by enumeration; `undefined` if none is allowed. */
  readonly best: (subject: Subject, problem: Problem) => { readonly score: number } | undefined;
  /** Returns the number of terms of a score, and an upper bound of the terms that are not in an array. */
  readonly terms: (problem: Problem) => readonly [count: number, other: number];
  readonly scale: (problem: Problem, factor: number) => Problem;
  /** Raises an arc of a result; `undefined` if it has no arcs. */
  readonly raise: (problem: Problem, found: Found, draw: number, by: number) => Problem | undefined;
  readonly checked: (decoder: Decoder) => Decoder;
  readonly malformed: (subject: Subject) => readonly (readonly [fault: string, problem: Problem])[];
}

/** The functions that rules share. */
export interface Tools<Subject, Decoder, Problem, Found> {
  /** Returns a copy of the result for a copy of the problem, so that changes by the decoder have no effect. */
  answer(decoder: Decoder, problem: Problem): Found;
  /** Returns the result, or `undefined` when the decoder throws, which other laws check. */
  attempt(decoder: Decoder, problem: Problem): Found | undefined;
  /** Returns the tolerance of scores: rounding in any order of summation. */
  slack(subject: Subject, problem: Problem): number;
  /** Runs a check on drawn problems. `extra` is a random integer from 0 to 2^31 - 1. */
  forAll(
    subject: Subject,
    drawn: fc.Arbitrary<Problem>,
    check: (problem: Problem, extra: number) => void,
  ): void;
  /** Checks that the result scores as much as the best by enumeration. */
  expectOptimal(subject: Subject, problem: Problem, found: Found): void;
  /** Checks that a change of a problem changes the score of its result as expected. */
  expectRelated(
    subject: Subject,
    first: Problem,
    second: Problem,
    expected: (score: number) => number,
    what: string,
  ): void;
  /** Checks that two results have the same bytes. */
  expectSame(first: Found, second: Found, what: string): void;
}

/** Makes the functions that rules share, for a family. */
export function toolsOf<
  Subject extends SubjectOf<Decoder>,
  Decoder extends DecoderOf<Problem, Found>,
  Problem,
  Found extends Result,
>(family: Family<Subject, Decoder, Problem, Found>): Tools<Subject, Decoder, Problem, Found> {
  const { measure } = family;
  const answer = (decoder: Decoder, problem: Problem) =>
    family.copyResult(decoder.decode(family.copy(problem)));
  const slack = (subject: Subject, problem: Problem): number => {
    let largest = 0;
    for (const [name, scores] of family.arraysOf(problem)) {
      if (!/scores$/i.test(name)) continue;
      for (const score of scores) if (score > -Infinity) largest = Math.max(largest, Math.abs(score));
    }
    const [count, other] = family.terms(problem);
    return subject.tolerance * (largest * count + other);
  };
  const text = (found: Found): string => {
    const arrays = family.arraysOfResult(found).map((values) => values.join(" "));
    return `${arrays.join(", ")}, score ${found.score}, bound ${found.bound}`;
  };
  return {
    answer,
    slack,
    attempt(decoder, problem) {
      try {
        return answer(decoder, problem);
      } catch {
        return undefined;
      }
    },
    forAll(subject, drawn, check) {
      fc.assert(fc.property(drawn, fc.nat(), check), {
        numRuns: subject.runs,
        endOnFailure: !subject.shrinks,
        seed: subject.seed,
        includeErrorInReport: true,
      });
    },
    expectOptimal(subject, problem, found) {
      const score = measure(subject, problem, found);
      if (score === undefined) return;
      const best = family.best(subject, problem)!;
      expectThat(
        score >= best.score - slack(subject, problem),
        () => `${text(found)}: scores ${score}, but the best ${family.thing} scores ${best.score}`,
      );
    },
    expectRelated(subject, first, second, expected, what) {
      const decoder = subject.make();
      const before = measure(subject, first, answer(decoder, first));
      const after = measure(subject, second, answer(decoder, second));
      if (before === undefined || after === undefined) return;
      expectClose(after, expected(before), slack(subject, second), `score ${what}`);
    },
    expectSame(first, second, what) {
      expectThat(text(first) === text(second), () => `${what}: ${text(first)}; then ${text(second)}`);
    },
  };
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
