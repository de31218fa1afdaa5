import type { GraphProblem, RelaxedGraphDecoding } from "@arcwise/core";
import { expectClose, expectThat } from "../contract.ts";
import { expectAnswerOfDecode, sharedResultRules } from "../shared-rules.ts";
import { forGraphProblems, GRAPHS, type GraphRule } from "./graph-subject.ts";

const { report } = sharedResultRules(GRAPHS);

const relaxation: GraphRule = {
  name: "relaxation",
  says: "decodeRelaxed returns the graph of decode; posteriors are in [0, 1], its indicators if optimal",
  needs: ["decodeRelaxed"],
  check(subject) {
    forGraphProblems(subject, {}, (problem) => {
      const found = subject.make().decodeRelaxed!(problem);
      expectAnswerOfDecode(GRAPHS, subject, problem, found);
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
