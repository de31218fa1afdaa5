import { type GraphDecoding, type GraphProblem, UnsupportedPart, validateGraphProblem } from "@arcwise/core";
import { powerOfTwo } from "@arcwise/core/arithmetic";
import fc from "fast-check";
import { expectClose, expectThat, thrownBy } from "../subject.ts";
import { GRAPH_HANDLED } from "./graph-oracle.ts";
import { graphProblems } from "./graph-problems.ts";
import { measureBothGraphs } from "./graph-result-rules.ts";
import {
  forGraphProblems,
  type GraphRule,
  type GraphSubject,
  graphAnswer,
  graphSlack,
  measureGraph,
} from "./graph-subject.ts";
import {
  arraysOfGraph,
  copyGraphProblem,
  raiseGraphArc,
  renumberLabels,
  scaleGraphScores,
  shiftLabels,
} from "./graph-transform.ts";

const shift: GraphRule = {
  name: "shift",
  says: "moving a constant from the labels of every arc to the arc does not change the score",
  check(subject) {
    forGraphProblems(subject, { scores: "exact" }, (problem, extra) => {
      const by = [-1024, -3, 1, 0.5, 7, 4096][extra % 6];
      const shifted = shiftLabels(problem, by);
      const scores = measureBothGraphs(subject, problem, shifted);
      if (scores === undefined) return;
      expectClose(
        scores[1],
        scores[0],
        graphSlack(subject, shifted),
        `score after labels gave ${by} to arcs`,
      );
    });
  },
};

const scale: GraphRule = {
  name: "scale",
  says: "multiplying every score by a power of two multiplies the score",
  check(subject) {
    forGraphProblems(subject, { scores: "exact" }, (problem, extra) => {
      const factor = powerOfTwo([-20, -8, -1, 1, 6, 20][extra % 6] ?? 0);
      const scaled = scaleGraphScores(problem, factor);
      const scores = measureBothGraphs(subject, problem, scaled);
      if (scores === undefined) return;
      expectClose(scores[1], scores[0] * factor, graphSlack(subject, scaled), `score, all times ${factor}`);
    });
  },
};

const renumber: GraphRule = {
  name: "renumber",
  says: "the numbering of labels does not change the score",
  check(subject) {
    forGraphProblems(subject, { scores: "exact" }, (problem) => {
      const scores = measureBothGraphs(subject, problem, renumberLabels(problem));
      if (scores === undefined) return;
      expectClose(scores[1], scores[0], graphSlack(subject, problem), "score, labels numbered backwards");
    });
  },
};

const raise: GraphRule = {
  name: "raise",
  says: "raising an arc of the graph returned raises the score by as much",
  only: "exact",
  check(subject) {
    forGraphProblems(subject, { scores: "exact" }, (problem, extra) => {
      const decoder = subject.make();
      const found = graphAnswer(decoder, problem);
      const before = measureGraph(problem, found);
      const on = [...found.labelled.keys()].filter((arc) => found.labelled[arc] >= 0);
      if (before === undefined || on.length === 0) return;
      const by = [0.5, 8, 100][extra % 3];
      const raised = raiseGraphArc(problem, on[extra % on.length], by);
      const after = measureGraph(raised, graphAnswer(decoder, raised));
      if (after === undefined) return;
      expectClose(after, before + by, graphSlack(subject, raised), `score after an arc gained ${by}`);
    });
  },
};

function expectSame(first: GraphDecoding, second: GraphDecoding, what: string): void {
  const text = ({ predicates, labelled, score, bound }: GraphDecoding): string =>
    `predicates ${predicates.join("")}, arcs ${labelled.join(" ")}, score ${score}, bound ${bound}`;
  expectThat(text(first) === text(second), () => `${what}: ${text(first)}; then ${text(second)}`);
}

const deterministic: GraphRule = {
  name: "deterministic",
  says: "two instances with equal options return equal results",
  check(subject) {
    forGraphProblems(subject, {}, (problem) => {
      const first = graphAnswer(subject.make(), problem);
      expectSame(first, graphAnswer(subject.make(), problem), "two instances");
    });
  },
};

/** Returns some problems of the subject; without `solvable`, some may have no graph. */
function someProblems(subject: GraphSubject, solvable: boolean): GraphProblem[] {
  return fc.sample(graphProblems({ ...subject, solvable }), { seed: subject.seed + 1, numRuns: 20 });
}

const history: GraphRule = {
  name: "history",
  says: "the result for a problem does not depend on problems decoded or refused before",
  check(subject) {
    const others = someProblems(subject, false);
    forGraphProblems(subject, {}, (problem, extra) => {
      const decoder = subject.make();
      const first = graphAnswer(decoder, problem);
      expectSame(first, graphAnswer(decoder, problem), "twice in a row");
      for (let i = 0; i < 3; i++) {
        try {
          graphAnswer(decoder, others[(extra + i) % others.length]);
        } catch {
          // Some have no graph: refusals must not affect later results either.
        }
      }
      expectSame(first, graphAnswer(decoder, problem), "before and after other problems");
    });
  },
};

const description: GraphRule = {
  name: "description",
  says: "the decoder has a name; handles lists what is claimed, and nothing unknown to the contract",
  check({ make, handles: claimed }) {
    const { name, handles } = make();
    expectThat(typeof name === "string" && name.length > 0, () => `expected a name, got ${name}`);
    expectThat(make().name === name, () => `expected the name "${name}" again, got "${make().name}"`);
    for (const what of claimed) {
      expectThat(
        handles.has(what),
        () => `expected handles to list "${what}", got ${[...handles].join(", ")}`,
      );
    }
    for (const what of handles) {
      expectThat(
        GRAPH_HANDLED.includes(what),
        () => `handles lists "${what}", which is unknown to the contract`,
      );
    }
  },
};

const untouched: GraphRule = {
  name: "untouched",
  says: "the arrays of the problem are not changed",
  check(subject) {
    forGraphProblems(subject, {}, (problem) => {
      const before = arraysOfGraph(copyGraphProblem(problem));
      subject.make().decode(problem);
      arraysOfGraph(problem).forEach(([name, values], i) => {
        const changed = values.findIndex((value, at) => !Object.is(value, before[i][1][at]));
        expectThat(changed < 0, () => {
          const was = before[i][1][changed];
          return `${name}[${changed}] was ${was} and is ${values[changed]}`;
        });
      });
    });
  },
};

const aliased: GraphRule = {
  name: "aliased",
  says: "the caller owns a result: later problems do not change it, and changing it has no effect",
  check(subject) {
    const others = someProblems(subject, true);
    forGraphProblems(subject, {}, (problem, extra) => {
      const decoder = subject.make();
      const { predicates, labelled } = decoder.decode(copyGraphProblem(problem));
      const text = (): string => `${predicates.join("")} ${labelled.join(" ")}`;
      const copy = text();
      const other = others[extra % others.length];
      const second = decoder.decode(copyGraphProblem(other));
      expectThat(text() === copy, () => `the answer was ${copy} and became ${text()}`);
      const expected = `${second.predicates.join("")} ${second.labelled.join(" ")}`;
      second.predicates.fill(7);
      second.labelled.fill(-7);
      const again = decoder.decode(copyGraphProblem(other));
      const found = `${again.predicates.join("")} ${again.labelled.join(" ")}`;
      expectThat(found === expected, () => `after its arrays were overwritten, ${expected} became ${found}`);
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
      const problem = all.find(asks)!;
      const decoder = subject.make();
      const thrown = thrownBy(() => decoder.decode(problem));
      expectThat(
        thrown instanceof UnsupportedPart,
        () => `expected UnsupportedPart for ${what}, got ${thrown}`,
      );
      const error = thrown as UnsupportedPart;
      expectThat(
        error.kind === what && error.decoder === decoder.name,
        () =>
          `expected ${decoder.name} to refuse ${what}, ` +
          `but the error names ${error.decoder} and ${error.kind}`,
      );
    }
  },
};

const malformed: GraphRule = {
  name: "malformed",
  says: "NaN, +Infinity and arrays of inconsistent sizes throw a RangeError",
  check(subject) {
    for (const problem of someProblems(subject, true)) {
      for (const [what, faulty] of malformedGraphs(problem)) {
        const thrown = thrownBy(() => subject.make().decode(faulty));
        expectThat(thrown instanceof RangeError, () => `expected a RangeError for ${what}, got ${thrown}`);
      }
    }
  },
};

/** Returns copies of a problem, each with one fault. */
function malformedGraphs(problem: GraphProblem): (readonly [string, GraphProblem])[] {
  validateGraphProblem(problem);
  const list: (readonly [string, GraphProblem])[] = [];
  const scores = (name: string): void => {
    for (const value of [Number.NaN, Infinity]) {
      const copy = copyGraphProblem(problem);
      const values = arraysOfGraph(copy).find(([which]) => which === name)![1];
      if (values.length === 0) continue;
      values[values.length - 1] = value;
      list.push([`${value} in ${name}`, copy]);
    }
  };
  for (const [name] of arraysOfGraph(problem)) if (/scores$/i.test(name)) scores(name);
  const longer = (values: Float64Array): Float64Array => Float64Array.of(...values, 0);
  list.push(["an arc score too many", { ...problem, arcScores: longer(problem.arcScores) }]);
  list.push(["a predicate too many", { ...problem, predicateScores: longer(problem.predicateScores) }]);
  list.push([
    "a label that is unique or not too many",
    { ...problem, unique: Uint8Array.of(...problem.unique, 0) },
  ]);
  const { labels } = problem;
  list.push(["a label score too many", { ...problem, labels: { ...labels, scores: longer(labels.scores) } }]);
  for (const table of problem.parts) {
    list.push([`two tables of ${table.kind}`, { ...problem, parts: [...problem.parts, table] }]);
    const scores = longer(table.scores);
    list.push([`a score too many of ${table.kind}`, { ...problem, parts: [{ ...table, scores }] }]);
  }
  return list;
}

/** Laws of results of related problems, and of side effects. */
export const GRAPH_RELATION_RULES: readonly GraphRule[] = [
  shift,
  scale,
  renumber,
  raise,
  deterministic,
  history,
  description,
  untouched,
  aliased,
  refusal,
  malformed,
];
