import type { GraphProblem } from "@arcwise/core";
import fc from "fast-check";
import { expectRefusal, sharedMannerRules, sharedRelationRules } from "../shared-rules.ts";
import { GRAPH_HANDLED } from "./graph-oracle.ts";
import { graphProblems } from "./graph-problems.ts";
import { expectRelated, forGraphProblems, GRAPHS, type GraphRule } from "./graph-subject.ts";
import { renumberLabels, shiftLabels } from "./graph-transform.ts";

const { scale, raise, deterministic, history } = sharedRelationRules(GRAPHS);
const { description, untouched, aliased, malformed } = sharedMannerRules(GRAPHS);

const shift: GraphRule = {
  name: "shift",
  says: "moving a constant from the labels of every arc to the arc does not change the score",
  check(subject) {
    forGraphProblems(subject, { scores: "exact" }, (problem, extra) => {
      const by = [-1024, -3, 1, 0.5, 7, 4096][extra % 6];
      const shifted = shiftLabels(problem, by);
      expectRelated(subject, problem, shifted, (score) => score, `after labels gave ${by} to arcs`);
    });
  },
};

const renumber: GraphRule = {
  name: "renumber",
  says: "the numbering of labels does not change the score",
  check(subject) {
    forGraphProblems(subject, { scores: "exact" }, (problem) => {
      const renumbered = renumberLabels(problem);
      expectRelated(subject, problem, renumbered, (score) => score, "after labels were numbered backwards");
    });
  },
};

const refusal: GraphRule = {
  name: "refusal",
  says: "parts, unique labels and constraints that are not in handles throw an UnsupportedPart",
  check(subject) {
    const { handles } = subject.make();
    for (const what of GRAPH_HANDLED) {
      if (handles.has(what)) continue;
      const all = fc.sample(graphProblems({ handles: [what], solvable: false }), { seed: 1, numRuns: 200 });
      const asks = ({ parts, unique, constraints }: GraphProblem): boolean =>
        parts.length > 0 || unique.includes(1) || constraints !== undefined;
      expectRefusal(subject.make(), all.find(asks)!, what);
    }
  },
};

/** Laws of results of related problems, and of side effects. */
export const GRAPH_RELATION_RULES: readonly GraphRule[] = [
  shift,
  scale,
  renumber,
  { ...raise, only: "exact" },
  deterministic,
  history,
  description,
  untouched,
  aliased,
  refusal,
  malformed,
];
