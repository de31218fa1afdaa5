import { random } from "@arcwise/core";
import { sharedRelationRules } from "./shared-rules.ts";
import { expectRelated, forProblems, type Rule, TREES } from "./subject.ts";
import { looksAtOrder, relabel, shiftArcs, silenceRoot } from "./transform.ts";

const { scale, raise, deterministic, history } = sharedRelationRules(TREES);

const shift: Rule = {
  name: "shift",
  says: "adding a constant to every arc adds n times the constant to the score",
  check(subject) {
    forProblems(subject, { scores: "exact" }, (problem, extra) => {
      const by = [-1024, -3, 1, 0.5, 7, 4096][extra % 6];
      const expected = (score: number) => score + by * problem.arcs.n;
      expectRelated(subject, problem, shiftArcs(problem, by), expected, `after every arc gained ${by}`);
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
      const relabelled = relabel(problem, order);
      expectRelated(subject, problem, relabelled, (score) => score, `in the order ${order.join(" ")}`);
    });
  },
};

/** Laws of the results of related problems. */
export const RELATION_RULES: readonly Rule[] = [shift, scale, relabelling, raise, deterministic, history];
