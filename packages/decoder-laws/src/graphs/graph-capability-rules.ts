import type { GraphDecoding, GraphProblem, RelaxedGraphDecoding, ReportedGraphDecoding } from "@arcwise/core";
import { expectClose, expectThat } from "../subject.ts";
import { forGraphProblems, type GraphRule, type GraphSubject, graphAnswer } from "./graph-subject.ts";

const report: GraphRule = {
  name: "report",
  says: "decodeWithReport returns the graph of decode; it is optimal if and only if the bound is the score",
  check(subject) {
    forGraphProblems(subject, {}, (problem) => {
      const found = subject.make().decodeWithReport?.(problem);
      if (found !== undefined) expectReport(subject, problem, found);
    });
  },
};

function expectReport(subject: GraphSubject, problem: GraphProblem, found: ReportedGraphDecoding): void {
  expectAnswerOfDecode(subject, problem, found);
  const { status, score, bound, counts } = found;
  const isKnown = ["optimal", "fractional", "unsolved"].includes(status);
  expectThat(
    isKnown && (status === "optimal") === (bound === score),
    () => `status "${status}" with score ${score} and bound ${bound}`,
  );
  for (const [unit, count] of Object.entries(counts)) {
    const isSound = /^[a-z][a-zA-Z ]*$/.test(unit) && Number.isInteger(count) && count >= 0;
    expectThat(isSound, () => `expected counts of units in lower case, got ${unit}: ${count}`);
  }
}

function expectAnswerOfDecode(subject: GraphSubject, problem: GraphProblem, found: GraphDecoding): void {
  const text = ({ predicates, labelled, score, bound }: GraphDecoding) =>
    `predicates ${predicates.join("")}, arcs ${labelled.join(" ")}, score ${score}, bound ${bound}`;
  const expected = text(graphAnswer(subject.make(), problem));
  expectThat(text(found) === expected, () => `decode gives ${expected}; with a report ${text(found)}`);
}

const relaxation: GraphRule = {
  name: "relaxation",
  says: "decodeRelaxed returns the graph of decode; posteriors are in [0, 1], its indicators if optimal",
  check(subject) {
    forGraphProblems(subject, {}, (problem) => {
      const found = subject.make().decodeRelaxed?.(problem);
      if (found === undefined) return;
      expectAnswerOfDecode(subject, problem, found);
      expectPosteriors(problem, found);
    });
  },
};

/** Tolerance for rounding and for the residuals at which a relaxation counts as solved. */
const SLACK = 1e-6;

function expectPosteriors({ labels }: GraphProblem, found: RelaxedGraphDecoding): void {
  const { predicates, labelled, posteriors, status } = found;
  const labelMarginals = new Float64Array(labels.label.length);
  for (const chosen of labelled) if (chosen >= 0) labelMarginals[chosen] = 1;
  const graph = {
    predicates: Float64Array.from(predicates),
    arcs: Float64Array.from(labelled, (chosen) => (chosen >= 0 ? 1 : 0)),
    labelled: labelMarginals,
  };
  for (const name of ["predicates", "arcs", "labelled"] as const) {
    const values = posteriors[name];
    expectThat(
      values.length === graph[name].length,
      () => `expected ${graph[name].length} posteriors of ${name}, got ${values.length}`,
    );
    values.forEach((value, i) => {
      const isShare = value >= -SLACK && value <= 1 + SLACK;
      expectThat(isShare, () => `expected a share as posterior ${i} of ${name}, got ${value}`);
      if (status === "optimal") expectClose(value, graph[name][i], SLACK, `posterior ${i} of ${name}`);
    });
  }
}

/** Laws of the capabilities of decoders of graphs. */
export const GRAPH_CAPABILITY_RULES: readonly GraphRule[] = [report, relaxation];
