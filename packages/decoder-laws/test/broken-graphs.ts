import {
  type GraphChoice,
  type GraphDecoder,
  type GraphDecoding,
  type GraphHandled,
  type GraphProblem,
  NoGraph,
  scoreGraph,
} from "@arcwise/core";
import { bestGraph } from "@arcwise/decoder-laws";
import { bruteForceGraphDecoder } from "../src/graphs/graph-oracle.ts";

/** A decoder of graphs with one fault, and the claims about it. */
export interface BrokenGraph {
  /** The only law that must fail. */
  readonly law: string;
  readonly fault: string;
  readonly make: () => GraphDecoder;
  readonly exact?: boolean;
}

/** Contents that sound and broken decoders handle: enough for every law; `sibling` they refuse. */
export const HANDLES: readonly GraphHandled[] = [
  "grandparent",
  "nextSibling",
  "nextCoparent",
  "unique",
  "headed",
  "acyclic",
];

type Decode = GraphDecoder["decode"];

/** Decodes a problem otherwise, given the sound way. */
type Replace = (decode: Decode, problem: GraphProblem) => GraphDecoding;

/** Makes a brute-force decoder with another `decode`, without marginals. */
function broken(replace: Replace = (decode, problem) => decode(problem)): GraphDecoder {
  const { name, handles, decode } = bruteForceGraphDecoder({ handles: HANDLES });
  return { name, handles, decode: (problem) => replace(decode, problem) };
}

/** Returns a decoder with a fault, which claims to be exact. */
function exact(law: string, fault: string, replace: Replace): BrokenGraph {
  return { law, fault, make: () => broken(replace) };
}

/** Returns a decoder with a fault that does not claim to be exact. */
function inexact(law: string, fault: string, replace: Replace): BrokenGraph {
  return { ...exact(law, fault, replace), exact: false };
}

/** Returns a result with another graph and its true score, without a claim about the optimum. */
function withGraph(problem: GraphProblem, choice: GraphChoice): GraphDecoding {
  return { ...choice, score: scoreGraph(problem, choice), bound: Infinity };
}

/** Returns the best graph of a changed problem as a result for the problem. */
function answerOf(problem: GraphProblem, changed: GraphProblem): GraphDecoding {
  const { predicates, labelled } = bestGraph(changed)!;
  return withGraph(problem, { predicates, labelled });
}

/** Returns a problem whose best graph has as few arcs as possible. */
function fewestArcs(problem: GraphProblem): GraphProblem {
  return { ...problem, arcScores: problem.arcScores.map((score) => score - 1e15) };
}

function withoutConstraints({ constraints: _, ...problem }: GraphProblem): GraphProblem {
  return problem;
}

/** Returns scores with a finite floor in place of -Infinity. */
function withFloor(scores: Float64Array, floor: number): Float64Array {
  return scores.map((score) => (score === -Infinity ? floor : score));
}

/** Number of instances made of decoders that differ from one another. */
let made = 0;

export const BROKEN_GRAPHS: readonly BrokenGraph[] = [
  exact("graph", "clears the predicate of the root", (decode, problem) => {
    const found = decode(problem);
    return problem.arcs.head.length === 0 ? found : { ...found, predicates: found.predicates.fill(0, 0, 1) };
  }),
  exact("graph", "ignores unique labels", (decode, problem) => {
    const proper = decode(problem);
    const unique = problem.unique.map(() => 0);
    const many = bestGraph({
      ...problem,
      unique,
      arcScores: problem.arcScores.map((score) => score + 1e3),
    })!;
    return scoreGraph(problem, many) === -Infinity && scoreGraph({ ...problem, unique }, many) > -Infinity
      ? { ...proper, predicates: many.predicates, labelled: many.labelled }
      : proper;
  }),
  exact("graph", "ignores constraints", (decode, problem) => {
    const proper = decode(problem);
    const { predicates, labelled } = bestGraph(withoutConstraints(problem))!;
    return scoreGraph(problem, { predicates, labelled }) === -Infinity
      ? { ...proper, predicates, labelled }
      : proper;
  }),
  exact("graph", "returns an ordinary array", (decode, problem) => {
    const found = decode(problem);
    return { ...found, labelled: [...found.labelled] as unknown as Int32Array };
  }),
  exact("pruned", "treats -Infinity as a very low score", (decode, problem) => {
    const proper = decode(problem);
    const { predicates, labelled } = bestGraph({
      ...problem,
      arcScores: withFloor(problem.arcScores, 1000),
      labels: { ...problem.labels, scores: withFloor(problem.labels.scores, 1000) },
    })!;
    return { ...proper, predicates, labelled };
  }),
  exact("pruned", "uses pruned predicates", (decode, problem) => {
    const proper = decode(problem);
    if (problem.arcs.head.length === 0) return proper;
    const predicates = proper.predicates.map((on, w) => (problem.predicateScores[w] === -Infinity ? 1 : on));
    return { ...proper, predicates };
  }),
  inexact("score", "omits parts from the score", (decode, problem) => {
    const found = decode(problem);
    return { ...found, score: scoreGraph({ ...problem, parts: [] }, found), bound: Infinity };
  }),
  inexact("bound", "returns the score of a graph with few arcs as the bound", (decode, problem) => {
    decode(problem);
    const found = answerOf(problem, fewestArcs(problem));
    return { ...found, bound: found.score };
  }),
  exact("certificate", "claims a bound that is a little too high", (decode, problem) => {
    const found = decode(problem);
    const isMeasured = problem.arcs.head.length > 0;
    return isMeasured ? { ...found, bound: found.score + 1e-3 * (1 + Math.abs(found.score)) } : found;
  }),
  exact("no-graph", "returns the empty graph if no graph meets the constraints", (decode, problem) => {
    try {
      return decode(problem);
    } catch (error) {
      if (!(error instanceof NoGraph)) throw error;
      const predicates = new Uint8Array(problem.arcs.n + 1).fill(1, 0, 1);
      const labelled = new Int32Array(problem.arcs.head.length).fill(-1);
      return { predicates, labelled, score: 0, bound: 0 };
    }
  }),
  exact("tiny", "fails without words", (decode, problem) => {
    if (problem.arcs.n === 0) throw new Error("no words");
    return decode(problem);
  }),
  exact("extreme", "throws at large scores", (decode, problem) => {
    if (problem.arcScores.some((score) => Math.abs(score) > 1e11 && Number.isFinite(score))) {
      throw new Error("too large");
    }
    return decode(problem);
  }),
  {
    law: "marginals",
    fault: "ignores parts in marginals",
    make: () => {
      const decoder = bruteForceGraphDecoder({ handles: HANDLES });
      return { ...decoder, marginals: (problem) => decoder.marginals({ ...problem, parts: [] }) };
    },
  },
  inexact("shift", "prefers few arcs where one scores more than 1000", (decode, problem) => {
    const isHigh = problem.arcScores.some((score) => score > 1000 && score < 1e4);
    return isHigh
      ? { ...decode(problem), ...answerOf(problem, fewestArcs(problem)) }
      : unclaimed(decode(problem));
  }),
  inexact("scale", "rounds small scores to 0", (decode, problem) => {
    const { scores } = problem.labels;
    const isSmall =
      scores.some((score) => score !== 0) &&
      [...scores, ...problem.arcScores].every((score) => score === -Infinity || Math.abs(score) < 1e-2);
    return isSmall
      ? { ...decode(problem), ...answerOf(problem, fewestArcs(problem)) }
      : unclaimed(decode(problem));
  }),
  inexact(
    "renumber",
    "uses only the first label of each arc, unless there are constraints",
    (decode, problem) => {
      const proper = unclaimed(decode(problem));
      const { start, scores } = problem.labels;
      const isFirst = scores.map((_, k) => (start.includes(k) ? 1 : 0));
      const first = {
        ...problem.labels,
        scores: scores.map((score, k) => (isFirst[k] === 1 ? score : -Infinity)),
      };
      const best = bestGraph({ ...problem, labels: first });
      return best === undefined ? proper : withGraph(problem, best);
    },
  ),
  {
    law: "deterministic",
    fault: "decodes differently in every second instance",
    exact: false,
    make: () => {
      const luck = made++ % 2 === 0;
      return broken((decode, problem) => {
        const found = unclaimed(decode(problem));
        return luck ? found : { ...found, bound: 1e300 };
      });
    },
  },
  {
    law: "history",
    fault: "counts its problems in the bound",
    exact: false,
    make: () => {
      let count = 0;
      return broken((decode, problem) => ({ ...decode(problem), bound: 1e300 + 1e290 * count++ }));
    },
  },
  {
    law: "report",
    fault: "reports a certified graph as unsolved",
    make: () => {
      const decoder = broken();
      const decodeWithReport = (problem: GraphProblem) =>
        ({ ...decoder.decode(problem), status: "unsolved", counts: {} }) as const;
      return { ...decoder, decodeWithReport };
    },
  },
  {
    law: "relaxation",
    fault: "returns posteriors of a graph other than the optimal one",
    make: () => {
      const decoder = broken();
      const decodeRelaxed = (problem: GraphProblem) => {
        const found = decoder.decode(problem);
        const { labels } = problem;
        const posteriors = {
          predicates: Float64Array.from(found.predicates),
          arcs: Float64Array.from(found.labelled, (chosen) => (chosen >= 0 ? 0.5 : 0)),
          labelled: new Float64Array(labels.label.length),
        };
        return { ...found, status: "optimal", counts: {}, posteriors } as const;
      };
      return { ...decoder, decodeRelaxed };
    },
  },
  {
    law: "description",
    fault: "lists an unknown entry in handles",
    make: () => {
      const decoder = broken();
      return { ...decoder, handles: new Set([...HANDLES, "magic" as GraphHandled]) };
    },
  },
  exact("untouched", "sorts the scores of labels in place", (decode, problem) => {
    const found = decode(problem);
    problem.labels.scores.sort();
    return found;
  }),
  {
    law: "aliased",
    fault: "reuses the arrays of its results",
    make: () => {
      const memory = new Int32Array(64);
      return broken((decode, problem) => {
        const found = decode(problem);
        const labelled = memory.subarray(0, found.labelled.length);
        labelled.set(found.labelled);
        return { ...found, labelled };
      });
    },
  },
  exact("refusal", "ignores siblings", (decode, problem) =>
    decode({ ...problem, parts: problem.parts.filter(({ kind }) => kind !== "sibling") }),
  ),
  exact("malformed", "treats NaN as 0", (decode, problem) =>
    decode({
      ...problem,
      arcScores: problem.arcScores.map((score) => (Number.isNaN(score) ? 0 : score)),
    }),
  ),
];

/** Returns a result without a claim about the optimum. */
function unclaimed(found: GraphDecoding): GraphDecoding {
  return { ...found, bound: Infinity };
}
