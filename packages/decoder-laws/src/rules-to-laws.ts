import type { Capability } from "@arcwise/core";
import type { RuleOf, SubjectOf } from "./contract.ts";

/** One check, for any test runner: `for (const { name, check } of laws(...)) test(name, check)`. */
export interface Law {
  readonly name: string;
  /** The law in one sentence. */
  readonly says: string;
  /** Throws when the law does not hold; when the law is excepted, throws when it does. */
  readonly check: () => void;
}

/** The claims and sizes that laws of trees and of graphs share. */
export interface CommonLawOptions {
  /** The decoder always finds a tree or graph of highest score. */
  readonly exact: boolean;
  /** Laws that do not hold, by name, each with the reason. An excepted law must really fail. */
  readonly except?: Readonly<Record<string, string>> | undefined;
  /** Number of problems per law; 50 by default. */
  readonly runs?: number | undefined;
  /** Seed of the problems; 1 by default. */
  readonly seed?: number | undefined;
  /** Tolerance of scores, relative to the largest possible sum; 1e-9 by default. */
  readonly tolerance?: number | undefined;
}

/** Returns the members of a subject that options of both families set. */
export function sizeOf({ exact, runs = 50, seed = 1, tolerance = 1e-9 }: CommonLawOptions) {
  return { exact, runs, seed, tolerance, shrinks: true };
}

/** A decoder with some of the capabilities. */
type Capable = { readonly [Name in Capability]?: unknown };

/**
 * Converts the rules that apply to a subject into laws. An excepted law must fail; its counterexample is not reduced to a
 * small one, which would take longer than all other checks.
 */
export function lawsOf<Subject extends SubjectOf<Capable>>(
  all: readonly RuleOf<Subject>[],
  subject: Subject,
  except: Readonly<Record<string, string>>,
): Law[] {
  const decoder = subject.make();
  const rules = all.filter(
    ({ only = "", needs }) =>
      only !== (subject.exact ? "inexact" : "exact") &&
      (needs === undefined || needs.some((name) => decoder[name] !== undefined)),
  );
  for (const [name, reason] of Object.entries(except)) {
    if (!rules.some((rule) => rule.name === name)) {
      throw new RangeError(
        `except: expected one of ${rules.map((rule) => rule.name).join(", ")}, got "${name}"`,
      );
    }
    if (reason.trim() === "") throw new RangeError(`except: expected a reason for "${name}"`);
  }
  return rules.map((rule) => {
    const reason = Object.hasOwn(except, rule.name) ? except[rule.name] : undefined;
    if (reason === undefined) return { name: rule.name, says: rule.says, check: () => rule.check(subject) };
    return {
      name: `${rule.name} (excepted: ${reason})`,
      says: rule.says,
      check: () => expectFailure(rule, subject, reason),
    };
  });
}

function expectFailure<Subject extends SubjectOf<Capable>>(
  rule: RuleOf<Subject>,
  subject: Subject,
  reason: string,
): void {
  try {
    rule.check({ ...subject, shrinks: false });
  } catch {
    return;
  }
  throw new Error(`the law "${rule.name}" is excepted (${reason}), but it holds: remove the exception`);
}
