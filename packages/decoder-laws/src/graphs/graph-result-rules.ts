import { completeArcs, type GraphProblem, NoGraph } from "@arcwise/core";
import { expectClose, expectThat } from "../contract.ts";
import { sharedResultRules } from "../shared-rules.ts";
import { bestGraph, graphMarginals } from "./graph-oracle.ts";
import { answer, forGraphProblems, GRAPHS, type GraphRule, graphFault } from "./graph-subject.ts";

const { score, bound, certificate, optimal, extreme } = sharedResultRules(GRAPHS);

const graph: GraphRule = {
  name: "graph",
  says: "the result is a graph: arcs have a label and predicate, unique labels occur once, constraints hold",
  check(subject) {
    forGraphProblems(subject, {}, (problem) => {
      const { predicates, labelled } = subject.make().decode(problem);
      expectThat(predicates instanceof Uint8Array, () => "expected predicates in a Uint8Array");
      expectThat(labelled instanceof Int32Array, () => "expected labelled arcs in an Int32Array");
      const fault = graphFault(problem, { predicates, labelled });
      expectThat(
        fault === undefined,
        () => `predicates ${predicates.join("")}, arcs ${labelled.join(" ")}: ${fault}`,
      );
    });
  },
};

const pruned: GraphRule = {
  name: "pruned",
  says: "no pruned predicate, arc or labelled arc is used",
  check(subject) {
    forGraphProblems(subject, {}, (problem) => {
      const found = answer(subject.make(), problem);
      if (graphFault(problem, found) !== undefined) return;
      const { predicateScores, arcScores, labels } = problem;
      found.predicates.forEach((on, w) => {
        expectThat(on === 0 || predicateScores[w] !== -Infinity, () => `predicate ${w} is pruned`);
      });
      found.labelled.forEach((chosen, a) => {
        if (chosen < 0) return;
        expectThat(arcScores[a] !== -Infinity, () => `arc ${a} is pruned`);
        expectThat(labels.scores[chosen] !== -Infinity, () => `labelled arc ${chosen} is pruned`);
      });
    });
  },
};

const noGraph: GraphRule = {
  name: "no-graph",
  says: "NoGraph is thrown when no graph meets the constraints (a search may throw it when it finds none)",
  check(subject) {
    forGraphProblems(subject, { solvable: false, arcs: Math.min(5, subject.arcs) }, (problem) => {
      let thrown: unknown;
      try {
        answer(subject.make(), problem);
      } catch (error) {
        thrown = error;
      }
      const exists = bestGraph(problem) !== undefined;
      if (!exists)
        expectThat(thrown instanceof NoGraph, () => `expected NoGraph, got ${thrown ?? "an answer"}`);
      else if (subject.exact) expectThat(thrown === undefined, () => `expected a graph, got ${thrown}`);
      else
        expectThat(
          thrown === undefined || thrown instanceof NoGraph,
          () => `expected a graph, got ${thrown}`,
        );
    });
  },
};

const tiny: GraphRule = {
  name: "tiny",
  says: "a sentence without words has the empty graph of score 0; without arcs, predicates of positive score",
  check(subject) {
    const empty = answer(subject.make(), arclessProblem([]));
    expectThat(
      empty.predicates.join(" ") === "1" && empty.labelled.length === 0,
      () => `expected the root alone, got ${empty.predicates.join(" ")}`,
    );
    expectThat(empty.score === 0, () => `expected a score of 0, got ${empty.score}`);
    const scores = [2, -1, -Infinity];
    const { predicates, score: sum } = answer(subject.make(), arclessProblem(scores));
    expectThat(
      predicates.join(" ") === "1 1 0 0",
      () => `expected predicates 1 1 0 0, got ${predicates.join(" ")}`,
    );
    expectThat(sum === 2, () => `expected a score of 2, got ${sum}`);
  },
};

/** Returns a problem of words that may be predicates, without arcs. */
function arclessProblem(predicateScores: readonly number[]): GraphProblem {
  const n = predicateScores.length;
  const none = new Int32Array(0);
  return {
    arcs: { ...completeArcs(0), n, start: new Int32Array(n + 2) },
    arcScores: new Float64Array(0),
    predicateScores: Float64Array.of(0, ...predicateScores),
    labels: { count: 1, start: new Int32Array(1), label: none, scores: new Float64Array(0) },
    unique: new Uint8Array(1),
    parts: [],
  };
}

const marginals: GraphRule = {
  name: "marginals",
  says: "marginals equal the marginals of an enumeration of all graphs",
  needs: ["marginals"],
  check(subject) {
    forGraphProblems(subject, { scores: "exact", arcs: Math.min(6, subject.arcs) }, (problem) => {
      const found = subject.make().marginals!(problem);
      const expected = graphMarginals(problem)!;
      expectClose(
        found.logPartition,
        expected.logPartition,
        1e-9 * (1 + Math.abs(expected.logPartition)),
        "log Z",
      );
      for (const name of ["predicates", "arcs", "labelled"] as const) {
        expectThat(
          found[name].length === expected[name].length,
          () => `expected ${expected[name].length} marginals of ${name}, got ${found[name].length}`,
        );
        expected[name].forEach((value, i) => {
          expectClose(found[name][i], value, 1e-9, `marginal ${i} of ${name}`);
        });
      }
    });
  },
};

/** Laws of a single result. */
export const GRAPH_RESULT_RULES: readonly GraphRule[] = [
  graph,
  pruned,
  score,
  bound,
  certificate,
  optimal,
  noGraph,
  tiny,
  extreme,
  marginals,
];
