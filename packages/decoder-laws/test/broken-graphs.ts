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

/** Makes a brute-force decoder with another `decode`, without marginals. */
function broken(replace: (decode: Decode) => Decode): () => GraphDecoder {
  return () => {
    const { name, handles, decode } = bruteForceGraphDecoder({ handles: HANDLES });
    return { name, handles, decode: replace(decode) };
  };
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
  {
    law: "graph",
    fault: "clears the predicate of the root",
    make: broken((decode) => (problem) => {
      const found = decode(problem);
      return problem.arcs.head.length === 0
        ? found
        : { ...found, predicates: found.predicates.fill(0, 0, 1) };
    }),
  },
  {
    law: "graph",
    fault: "ignores unique labels",
    make: broken((decode) => (problem) => {
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
  },
  {
    law: "graph",
    fault: "ignores constraints",
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      const { predicates, labelled } = bestGraph(withoutConstraints(problem))!;
      return scoreGraph(problem, { predicates, labelled }) === -Infinity
        ? { ...proper, predicates, labelled }
        : proper;
    }),
  },
  {
    law: "graph",
    fault: "returns an ordinary array",
    make: broken((decode) => (problem) => {
      const found = decode(problem);
      return { ...found, labelled: [...found.labelled] as unknown as Int32Array };
    }),
  },
  {
    law: "pruned",
    fault: "treats -Infinity as a very low score",
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      const { predicates, labelled } = bestGraph({
        ...problem,
        arcScores: withFloor(problem.arcScores, 1000),
        labels: { ...problem.labels, scores: withFloor(problem.labels.scores, 1000) },
      })!;
      return { ...proper, predicates, labelled };
    }),
  },
  {
    law: "pruned",
    fault: "uses pruned predicates",
    make: broken((decode) => (problem) => {
      const proper = decode(problem);
      if (problem.arcs.head.length === 0) return proper;
      const predicates = proper.predicates.map((on, w) =>
        problem.predicateScores[w] === -Infinity ? 1 : on,
      );
      return { ...proper, predicates };
    }),
  },
  {
    law: "score",
    fault: "omits parts from the score",
    exact: false,
    make: broken((decode) => (problem) => {
      const found = decode(problem);
      return { ...found, score: scoreGraph({ ...problem, parts: [] }, found), bound: Infinity };
    }),
  },
  {
    law: "bound",
    fault: "returns the score of a graph with few arcs as the bound",
    exact: false,
    make: broken((decode) => (problem) => {
      decode(problem);
      const found = answerOf(problem, fewestArcs(problem));
      return { ...found, bound: found.score };
    }),
  },
  {
    law: "certificate",
    fault: "claims a bound that is a little too high",
    make: broken((decode) => (problem) => {
      const found = decode(problem);
      const isMeasured = problem.arcs.head.length > 0;
      return isMeasured ? { ...found, bound: found.score + 1e-3 * (1 + Math.abs(found.score)) } : found;
    }),
  },
  {
    law: "no-graph",
    fault: "returns the empty graph if no graph meets the constraints",
    make: broken((decode) => (problem) => {
      try {
        return decode(problem);
      } catch (error) {
        if (!(error instanceof NoGraph)) throw error;
        const predicates = new Uint8Array(problem.arcs.n + 1).fill(1, 0, 1);
        const labelled = new Int32Array(problem.arcs.head.length).fill(-1);
        return { predicates, labelled, score: 0, bound: 0 };
      }
    }),
  },
  {
    law: "tiny",
    fault: "fails without words",
    make: broken((decode) => (problem) => {
      if (problem.arcs.n === 0) throw new Error("no words");
      return decode(problem);
    }),
  },
  {
    law: "extreme",
    fault: "throws at large scores",
    make: broken((decode) => (problem) => {
      if (problem.arcScores.some((score) => Math.abs(score) > 1e11 && Number.isFinite(score))) {
        throw new Error("too large");
      }
      return decode(problem);
    }),
  },
  {
    law: "marginals",
    fault: "ignores parts in marginals",
    make: () => {
      const decoder = bruteForceGraphDecoder({ handles: HANDLES });
      return { ...decoder, marginals: (problem) => decoder.marginals({ ...problem, parts: [] }) };
    },
  },
  {
    law: "shift",
    fault: "prefers few arcs where one scores more than 1000",
    exact: false,
    make: broken((decode) => (problem) => {
      const isHigh = problem.arcScores.some((score) => score > 1000 && score < 1e4);
      return isHigh
        ? { ...decode(problem), ...answerOf(problem, fewestArcs(problem)) }
        : unclaimed(decode(problem));
    }),
  },
  {
    law: "scale",
    fault: "rounds small scores to 0",
    exact: false,
    make: broken((decode) => (problem) => {
      const { scores } = problem.labels;
      const isSmall =
        scores.some((score) => score !== 0) &&
        [...scores, ...problem.arcScores].every((score) => score === -Infinity || Math.abs(score) < 1e-2);
      return isSmall
        ? { ...decode(problem), ...answerOf(problem, fewestArcs(problem)) }
        : unclaimed(decode(problem));
    }),
  },
  {
    law: "renumber",
    fault: "uses only the first label of each arc, unless there are constraints",
    exact: false,
    make: broken((decode) => (problem) => {
      const proper = unclaimed(decode(problem));
      const { start, scores } = problem.labels;
      const isFirst = scores.map((_, k) => (start.includes(k) ? 1 : 0));
      const first = {
        ...problem.labels,
        scores: scores.map((score, k) => (isFirst[k] === 1 ? score : -Infinity)),
      };
      const best = bestGraph({ ...problem, labels: first });
      return best === undefined ? proper : withGraph(problem, best);
    }),
  },
  {
    law: "deterministic",
    fault: "decodes differently in every second instance",
    exact: false,
    make: () => {
      const luck = made++ % 2 === 0;
      return broken((decode) => (problem) => {
        const found = unclaimed(decode(problem));
        return luck ? found : { ...found, bound: 1e300 };
      })();
    },
  },
  {
    law: "history",
    fault: "counts its problems in the bound",
    exact: false,
    make: () => {
      let count = 0;
      return broken((decode) => (problem) => ({ ...decode(problem), bound: 1e300 + 1e290 * count++ }))();
    },
  },
  {
    law: "report",
    fault: "reports a certified graph as unsolved",
    make: () => {
      const decoder = broken((decode) => decode)();
      const decodeWithReport = (problem: GraphProblem) =>
        ({ ...decoder.decode(problem), status: "unsolved", counts: {} }) as const;
      return { ...decoder, decodeWithReport };
    },
  },
  {
    law: "relaxation",
    fault: "returns posteriors of a graph other than the optimal one",
    make: () => {
      const decoder = broken((decode) => decode)();
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
      const decoder = broken((decode) => decode)();
      return { ...decoder, handles: new Set([...HANDLES, "magic" as GraphHandled]) };
    },
  },
  {
    law: "untouched",
    fault: "sorts the scores of labels in place",
    make: broken((decode) => (problem) => {
      const found = decode(problem);
      problem.labels.scores.sort();
      return found;
    }),
  },
  {
    law: "aliased",
    fault: "reuses the arrays of its results",
    make: () => {
      const memory = new Int32Array(64);
      return broken((decode) => (problem) => {
        const found = decode(problem);
        const labelled = memory.subarray(0, found.labelled.length);
        labelled.set(found.labelled);
        return { ...found, labelled };
      })();
    },
  },
  {
    law: "refusal",
    fault: "ignores siblings",
    make: broken(
      (decode) => (problem) =>
        decode({ ...problem, parts: problem.parts.filter(({ kind }) => kind !== "sibling") }),
    ),
  },
  {
    law: "malformed",
    fault: "treats NaN as 0",
    make: broken(
      (decode) => (problem) =>
        decode({
          ...problem,
          arcScores: problem.arcScores.map((score) => (Number.isNaN(score) ? 0 : score)),
        }),
    ),
  },
];

/** Returns a result without a claim about the optimum. */
function unclaimed(found: GraphDecoding): GraphDecoding {
  return { ...found, bound: Infinity };
}
