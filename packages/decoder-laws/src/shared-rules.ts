import { UnsupportedPart } from "@arcwise/core";
import { powerOfTwo } from "@arcwise/core/arithmetic";
import fc from "fast-check";
import {
  type DecoderOf,
  expectClose,
  expectThat,
  type Family,
  type Result,
  type RuleOf,
  type SubjectOf,
  thrownBy,
  toolsOf,
} from "./contract.ts";

/** Returns the laws of a single result that hold for trees as for graphs, by name. */
export function sharedResultRules<
  Subject extends SubjectOf<Decoder>,
  Decoder extends DecoderOf<Problem, Found>,
  Problem,
  Found extends Result,
>(family: Family<Subject, Decoder, Problem, Found>) {
  const { thing, problems, planted } = family;
  const { answer, attempt, forAll, slack, expectOptimal } = toolsOf(family);

  /** Checks results of all problems; of extreme ones only where the decoder returns a result. */
  function forResults(subject: Subject, check: (problem: Problem, found: Found) => void): void {
    forAll(subject, problems(subject, {}), (problem) => check(problem, answer(subject.make(), problem)));
    forAll(subject, problems(subject, { scores: "extreme" }), (problem) => {
      const found = attempt(subject.make(), problem);
      if (found !== undefined) check(problem, found);
    });
  }

  const score: RuleOf<Subject> = {
    name: "score",
    says: `the score is ${family.scorer} of the ${thing === "tree" ? "heads" : "graph"} returned`,
    check(subject) {
      const check = (problem: Problem, found: Found): void => {
        const expected = family.measure(subject, problem, found);
        if (expected === undefined) return;
        expectClose(found.score, expected, slack(subject, problem), `score of the ${thing}`);
      };
      forResults(subject, check);
      const large = planted?.(subject).problem;
      if (large !== undefined) check(large, answer(subject.make(), large));
    },
  };

  const bound: RuleOf<Subject> = {
    name: "bound",
    says: `no ${thing} scores more than the bound (for an exact decoder this follows from certificate and optimal)`,
    only: "inexact",
    check(subject) {
      const check = (problem: Problem, found: Found, best: number): void =>
        expectThat(
          found.bound >= best - slack(subject, problem),
          () => `expected a bound of at least ${best}, got ${found.bound}`,
        );
      forResults(subject, (problem, found) => check(problem, found, family.best(subject, problem)!.score));
      const large = planted?.(subject);
      if (large !== undefined) check(large.problem, answer(subject.make(), large.problem), large.best);
    },
  };

  const certificate: RuleOf<Subject> = {
    name: "certificate",
    says: "the bound equals the score, which certifies the optimum",
    only: "exact",
    check(subject) {
      forAll(subject, problems(subject, {}), (problem) => {
        const found = answer(subject.make(), problem);
        expectThat(found.bound === found.score, () => `score ${found.score}, but bound ${found.bound}`);
      });
    },
  };

  const optimal: RuleOf<Subject> = {
    name: "optimal",
    says: `no ${thing} scores more than the one returned`,
    only: "exact",
    check(subject) {
      forAll(subject, problems(subject, {}), (problem) =>
        expectOptimal(subject, problem, answer(subject.make(), problem)),
      );
      forAll(subject, family.harder(subject), (problem) => {
        const found = attempt(subject.make(), problem);
        if (found !== undefined) expectOptimal(subject, problem, found);
      });
    },
  };

  const extreme: RuleOf<Subject> = {
    name: "extreme",
    says: "scores of 10^12, of 10^-12, near the greatest and the smallest numbers, all equal or all zero, are decoded by the same rules",
    check(subject) {
      forAll(subject, problems(subject, { scores: "extreme" }), (problem) => {
        const found = answer(subject.make(), problem);
        if (subject.exact) expectOptimal(subject, problem, found);
      });
    },
  };

  const report: RuleOf<Subject> = {
    name: "report",
    says: `decodeWithReport returns the ${thing} of decode; it is optimal if and only if the bound is the score`,
    needs: ["decodeWithReport"],
    check(subject) {
      forAll(subject, problems(subject, { fewest: 0 }), (problem) => {
        const found = subject.make().decodeWithReport!(problem);
        const { status, score, bound, counts } = found;
        expectAnswerOfDecode(family, subject, problem, found);
        const isKnown = ["optimal", "fractional", "unsolved"].includes(status);
        expectThat(
          isKnown && (status === "optimal") === (bound === score),
          () => `status "${status}" with score ${score} and bound ${bound}`,
        );
        for (const [unit, count] of Object.entries(counts)) {
          const isSound = /^[a-z][a-zA-Z ]*$/.test(unit) && Number.isInteger(count) && count >= 0;
          expectThat(isSound, () => `expected counts of units in lower case, got ${unit}: ${count}`);
        }
      });
    },
  };

  return { score, bound, certificate, optimal, extreme, report };
}

/** Checks that a method returns what `decode` returns. */
export function expectAnswerOfDecode<
  Subject extends SubjectOf<Decoder>,
  Decoder extends DecoderOf<Problem, Found>,
  Problem,
  Found extends Result,
>(family: Family<Subject, Decoder, Problem, Found>, subject: Subject, problem: Problem, found: Found): void {
  const { answer, expectSame } = toolsOf(family);
  expectSame(answer(subject.make(), problem), found, "decode, and with a report");
}

/** Returns the laws of related problems that hold for trees as for graphs, by name. */
export function sharedRelationRules<
  Subject extends SubjectOf<Decoder>,
  Decoder extends DecoderOf<Problem, Found>,
  Problem,
  Found extends Result,
>(family: Family<Subject, Decoder, Problem, Found>) {
  const { problems } = family;
  const { answer, attempt, forAll, slack, expectRelated, expectSame } = toolsOf(family);

  const scale: RuleOf<Subject> = {
    name: "scale",
    says: "multiplying every score by a power of two multiplies the result's score by it",
    check(subject) {
      forAll(subject, problems(subject, { scores: "exact" }), (problem, extra) => {
        const factor = powerOfTwo([-20, -8, -1, 1, 6, 20][extra % 6]);
        const scaled = family.scale(problem, factor);
        expectRelated(subject, problem, scaled, (score) => score * factor, `after all times ${factor}`);
      });
    },
  };

  const raise: RuleOf<Subject> = {
    name: "raise",
    says: "raising the score of an arc of the result raises its score, by the same amount for an exact decoder",
    check(subject) {
      forAll(subject, problems(subject, { scores: "exact" }), (problem, extra) => {
        const decoder = subject.make();
        const found = answer(decoder, problem);
        const before = family.measure(subject, problem, found);
        if (before === undefined) return;
        const by = [0.5, 8, 100][extra % 3];
        const raised = family.raise(problem, found, extra, by);
        if (raised === undefined) return;
        const after = family.measure(subject, raised, answer(decoder, raised));
        if (after === undefined) return;
        const what = `score after an arc gained ${by}`;
        expectThat(after > before, () => `${what}: expected more than ${before}, got ${after}`);
        if (subject.exact) expectClose(after, before + by, slack(subject, raised), what);
      });
    },
  };

  const deterministic: RuleOf<Subject> = {
    name: "deterministic",
    says: "two instances with equal options return equal results",
    check(subject) {
      forAll(subject, problems(subject, {}), (problem) => {
        const first = answer(subject.make(), problem);
        expectSame(first, answer(subject.make(), problem), "two instances");
      });
    },
  };

  const history: RuleOf<Subject> = {
    name: "history",
    says: "the result for a problem does not depend on problems decoded or refused before",
    check(subject) {
      const others = someProblems(family, subject, false);
      forAll(subject, problems(subject, {}), (problem, extra) => {
        const decoder = subject.make();
        const first = answer(decoder, problem);
        expectSame(first, answer(decoder, problem), "twice in a row");
        // Some of the others cannot be solved: refusals must not affect later results either.
        for (let i = 0; i < 3; i++) attempt(decoder, others[(extra + i) % others.length]);
        expectSame(first, answer(decoder, problem), "before and after other problems");
      });
    },
  };

  return { scale, raise, deterministic, history };
}

/** Draws some problems of the subject; without `solvable`, some may have no solution. */
function someProblems<Subject extends { readonly seed: number }, Decoder, Problem, Found extends Result>(
  { problems }: Family<Subject, Decoder, Problem, Found>,
  subject: Subject,
  solvable: boolean,
): Problem[] {
  return fc.sample(problems(subject, { solvable }), { seed: subject.seed, numRuns: 20 });
}

/** Returns the laws of side effects, refusals and errors that hold for trees as for graphs, by name. */
export function sharedMannerRules<
  Subject extends SubjectOf<Decoder>,
  Decoder extends DecoderOf<Problem, Found>,
  Problem,
  Found extends Result,
>(family: Family<Subject, Decoder, Problem, Found>) {
  const { copy, arraysOf, arraysOfResult, problems } = family;
  const { forAll } = toolsOf(family);

  const description: RuleOf<Subject> = {
    name: "description",
    says: "the decoder has all members of the contract; handles lists known contents, including those claimed",
    check({ make, claimed }) {
      const { name, handles } = family.checked(make());
      expectThat(make().name === name, () => `expected the name "${name}" again, got "${make().name}"`);
      for (const what of claimed) {
        const found = [...handles].join(", ");
        expectThat(handles.has(what), () => `expected handles to list "${what}", got ${found}`);
      }
    },
  };

  const untouched: RuleOf<Subject> = {
    name: "untouched",
    says: "the arrays of the problem are not changed",
    check(subject) {
      forAll(subject, problems(subject, {}), (problem) => {
        const before = copy(problem);
        subject.make().decode(problem);
        expectUntouched(family, problem, before);
      });
    },
  };

  const aliased: RuleOf<Subject> = {
    name: "aliased",
    says: "the caller owns a result: later problems do not change it, and changing it has no effect",
    check(subject) {
      const others = someProblems(family, subject, true);
      const text = (found: Found) => arraysOfResult(found).map(String).join("; ");
      forAll(subject, problems(subject, {}), (problem, extra) => {
        const decoder = subject.make();
        const input = copy(problem);
        const first = decoder.decode(input);
        const before = text(first);
        const other = others[extra % others.length];
        const second = decoder.decode(copy(other));
        expectThat(text(first) === before, () => `the result was ${before} and became ${text(first)}`);
        const expected = text(second);
        for (const values of arraysOfResult(second)) values.fill(-7);
        const again = text(decoder.decode(copy(other)));
        expectThat(again === expected, () => `after it was overwritten, ${expected} became ${again}`);
        for (const [name, values] of arraysOf(input)) {
          const isShared = arraysOfResult(first).some(({ buffer }) => buffer === values.buffer);
          expectThat(!isShared, () => `the result shares its memory with ${name}`);
        }
      });
    },
  };

  const malformed: RuleOf<Subject> = {
    name: "malformed",
    says: "NaN, +Infinity and arrays of inconsistent sizes throw a RangeError",
    check(subject) {
      for (const [what, problem] of family.malformed(subject)) {
        const thrown = thrownBy(() => subject.make().decode(problem));
        expectThat(thrown instanceof RangeError, () => `expected a RangeError for ${what}, got ${thrown}`);
      }
    },
  };

  return { description, untouched, aliased, malformed };
}

export function expectUntouched<Problem>(
  { arraysOf }: Pick<Family<never, never, Problem, Result>, "arraysOf">,
  problem: Problem,
  copy: Problem,
): void {
  const before = arraysOf(copy);
  arraysOf(problem).forEach(([name, values], i) => {
    const changed = values.findIndex((value, at) => !Object.is(value, before[i][1][at]));
    expectThat(changed < 0, () => {
      const was = before[i][1][changed];
      return `${name}[${changed}] was ${was} and is ${values[changed]}`;
    });
  });
}

/** Checks that a decoder refuses a problem with an error that names the decoder and the content. */
export function expectRefusal<Problem, Found extends Result>(
  decoder: DecoderOf<Problem, Found>,
  problem: Problem,
  what: string,
): void {
  const thrown = thrownBy(() => decoder.decode(problem));
  expectThat(thrown instanceof UnsupportedPart, () => `expected UnsupportedPart for ${what}, got ${thrown}`);
  const { kind, decoder: name } = thrown as UnsupportedPart;
  expectThat(
    kind === what && name === decoder.name,
    () => `expected ${decoder.name} to refuse ${what}, but the error names ${name} and ${kind}`,
  );
}
