import { arcIndex, type ParsingProblem, random } from "@arcwise/core";
import { powerOfTwo } from "@arcwise/core/arithmetic";
import {
  type Answer,
  answer,
  expectClose,
  expectThat,
  forProblems,
  measure,
  type Rule,
  type Subject,
  slack,
} from "./subject.ts";
import { looksAtOrder, raiseArc, relabel, scaleScores, shiftArcs, silenceRoot } from "./transform.ts";

/** Returns the scores of the results of two problems, or `undefined` when one is not a tree of the family. */
function measureBoth(
  subject: Subject,
  first: ParsingProblem,
  second: ParsingProblem,
): readonly [number, number] | undefined {
  const decoder = subject.make();
  const before = measure(subject, first, answer(decoder, first).heads);
  const after = measure(subject, second, answer(decoder, second).heads);
  return before === undefined || after === undefined ? undefined : [before, after];
}

const shift: Rule = {
  name: "shift",
  says: "adding a constant to every arc adds n times the constant to the score",
  check(subject) {
    forProblems(subject, { scores: "exact" }, (problem, extra) => {
      const by = [-1024, -3, 1, 0.5, 7, 4096][extra % 6];
      const shifted = shiftArcs(problem, by);
      const scores = measureBoth(subject, problem, shifted);
      if (scores === undefined) return;
      const expected = scores[0] + by * problem.arcs.n;
      expectClose(scores[1], expected, slack(subject, shifted), `score after every arc gained ${by}`);
    });
  },
};

const scale: Rule = {
  name: "scale",
  says: "multiplying every score by a power of two multiplies the result's score by it",
  check(subject) {
    forProblems(subject, { scores: "exact" }, (problem, extra) => {
      const factor = powerOfTwo([-20, -8, -1, 1, 6, 20][extra % 6] ?? 0);
      const scaled = scaleScores(problem, factor);
      const scores = measureBoth(subject, problem, scaled);
      if (scores === undefined) return;
      expectClose(scores[1], scores[0] * factor, slack(subject, scaled), `score, all times ${factor}`);
    });
  },
};

const relabelling: Rule = {
  name: "relabel",
  says: "reordering words does not change the score where parts do not depend on their order",
  check(subject) {
    forProblems(subject, { scores: "exact" }, (drawn, extra) => {
      const ordered = subject.projective || drawn.parts.some(({ kind }) => looksAtOrder(kind));
      const problem = ordered && !subject.singleRoot ? silenceRoot(drawn) : drawn;
      const { n } = problem.arcs;
      const words = Int32Array.from({ length: n }, (_, i) => (ordered ? n - i : i + 1));
      const order = Int32Array.of(0, ...(ordered ? words : random(extra).shuffle(words)));
      const scores = measureBoth(subject, problem, relabel(problem, order));
      if (scores === undefined) return;
      expectClose(scores[1], scores[0], slack(subject, problem), `score, words in order ${order.join(" ")}`);
    });
  },
};

const raise: Rule = {
  name: "raise",
  says: "raising the score of an arc of the result raises its score, by the same amount for an exact decoder",
  check(subject) {
    forProblems(subject, { scores: "exact" }, (problem, extra) => {
      const decoder = subject.make();
      const { heads } = answer(decoder, problem);
      const before = measure(subject, problem, heads);
      if (before === undefined) return;
      const m = 1 + (extra % problem.arcs.n);
      const by = [0.5, 8, 100][extra % 3];
      const raised = raiseArc(problem, arcIndex(problem.arcs, heads[m], m), by);
      const after = measure(subject, raised, answer(decoder, raised).heads);
      if (after === undefined) return;
      const what = `score after ${heads[m]} -> ${m} gained ${by}`;
      expectThat(after > before, () => `${what}: expected more than ${before}, got ${after}`);
      if (subject.exact) expectClose(after, before + by, slack(subject, raised), what);
    });
  },
};

function expectSame(first: Answer, second: Answer, what: string): void {
  const text = ({ heads, score, bound }: Answer) => `${heads.join(" ")}, score ${score}, bound ${bound}`;
  expectThat(text(first) === text(second), () => `${what}: ${text(first)}; then ${text(second)}`);
}

const deterministic: Rule = {
  name: "deterministic",
  says: "two instances with equal options return equal results",
  check(subject) {
    forProblems(subject, {}, (problem) => {
      const first = answer(subject.make(), problem);
      expectSame(first, answer(subject.make(), problem), "two instances");
    });
  },
};

const history: Rule = {
  name: "history",
  says: "the result for a problem does not depend on problems decoded or refused before",
  check(subject) {
    const others: ParsingProblem[] = [];
    forProblems(subject, { solvable: false }, (problem) => {
      if (others.length < 20) others.push(problem);
    });
    forProblems(subject, {}, (problem, extra) => {
      const decoder = subject.make();
      const first = answer(decoder, problem);
      expectSame(first, answer(decoder, problem), "twice in a row");
      for (let i = 0; i < 3; i++) {
        try {
          answer(decoder, others[(extra + i) % others.length]);
        } catch {
          // Some have no tree: refusals must not affect later results either.
        }
      }
      expectSame(first, answer(decoder, problem), "before and after other problems");
    });
  },
};

/** Laws of the results of related problems. */
export const RELATION_RULES: readonly Rule[] = [shift, scale, relabelling, raise, deterministic, history];
