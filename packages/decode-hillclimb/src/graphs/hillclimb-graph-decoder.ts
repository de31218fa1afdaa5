import {
  GRAPH_CONSTRAINTS,
  GRAPH_PART_KINDS,
  type GraphDecoder,
  type GraphHandled,
  type GraphProblem,
  NoGraph,
  type ReportedGraphDecoding,
  random,
  requireGraphHandled,
  scoreGraph,
  validateGraphProblem,
} from "@arcwise/core";
import { GraphClimb } from "./graph-climb.ts";
import { GraphStarts } from "./graph-starts.ts";

/** Options of hill climbing over graphs. */
export interface HillclimbGraphOptions {
  /** Number of climbs a problem; 20 by default. The first begins at the best graph of the basic parts. */
  readonly restarts?: number | undefined;
  /** The search ends after that many climbs in a row without a better graph; Infinity by default. */
  readonly patience?: number | undefined;
  /** Seed of the other starts. The same seed gives the same graph; 1 by default. */
  readonly seed?: number | undefined;
}

/** A graph found by climbing, with counts of the search. */
export interface GraphClimbing extends ReportedGraphDecoding {
  readonly status: "unsolved";
  /**
   * Climbs begun; rounds over all arcs and moves made, all climbs together; the climb that found the graph,
   * from 0.
   */
  readonly counts: Readonly<Record<"climbs" | "rounds" | "moves" | "best", number>>;
}

/** A decoder of graphs that also reports counts of its search. */
export interface HillclimbGraphDecoder extends GraphDecoder {
  /** `decode`, with the counts of the search. */
  decodeWithReport(problem: GraphProblem): GraphClimbing;
}

/**
 * Makes a decoder that searches for the best dependency graph under all parts, unique labels and constraints,
 * by randomised hill climbing: arcs are added, removed, relabelled or moved, predicates switched with their
 * arcs, as long as the score rises. The best of all climbs is the result, without a certificate: `bound` is
 * Infinity. Other climbs than the first begin at graphs drawn by the scores of their arcs. Moves that break a
 * constraint are not made; a start that does is first brought to meet them all.
 *
 * A round takes O(arcs (arcs of a word) (parts of an arc)), with constraints O(n + arcs) more for each move
 * that scores more; a climb takes some three rounds.
 *
 * Zhang, Lei, Barzilay and Jaakkola 2014, "Greed is Good if Randomized", which climbs over trees.
 *
 * The decoder throws NoGraph when no climb meets the constraints, RangeError when a score is NaN or +Infinity
 * or arrays do not fit each other.
 *
 * @throws RangeError on an option out of range
 */
export function hillclimbGraphDecoder(options: HillclimbGraphOptions = {}): HillclimbGraphDecoder {
  const { restarts = 20, patience = Infinity, seed = 1 } = options;
  if (!Number.isInteger(restarts) || restarts < 1) {
    throw new RangeError(`restarts must be an integer of at least 1, got ${restarts}`);
  }
  if (!(patience >= 1)) throw new RangeError(`patience must be at least 1, got ${patience}`);
  const name = "hillclimb-graph";
  const handles: ReadonlySet<GraphHandled> = new Set([
    ...GRAPH_PART_KINDS,
    "unique",
    ...GRAPH_CONSTRAINTS,
  ] as const);
  const stream = random(seed);

  function decodeWithReport(problem: GraphProblem): GraphClimbing {
    requireGraphHandled(problem, name, handles);
    validateGraphProblem(problem);
    const climb = new GraphClimb(problem);
    const starts = new GraphStarts(climb);
    const { state } = climb;
    let labelled: Int32Array | undefined;
    let score = -Infinity;
    let best = 0;
    let climbs = 0;
    for (; climbs < restarts && climbs - best <= patience; climbs++) {
      if (climbs === 0) starts.basic();
      else starts.draw(stream.fork(climbs));
      if (!climb.climb() || (labelled !== undefined && state.score <= score)) continue;
      score = state.score;
      best = climbs;
      labelled = state.labelled.slice();
    }
    if (labelled === undefined) {
      throw new NoGraph(name, `none of ${climbs} climbs found a graph that meets the constraints`);
    }
    const predicates = predicatesOf(problem, labelled);
    const { rounds, moves } = climb;
    return {
      predicates,
      labelled,
      score: scoreGraph(problem, { predicates, labelled }),
      bound: Infinity,
      status: "unsolved",
      counts: { climbs, rounds, moves, best },
    };
  }

  return {
    name,
    handles,
    decode(problem) {
      const { predicates, labelled, score, bound } = decodeWithReport(problem);
      return { predicates, labelled, score, bound };
    },
    decodeWithReport,
  };
}

/** Predicates that have an arc, or score more than 0 without one. */
function predicatesOf({ arcs, predicateScores }: GraphProblem, labelled: Int32Array): Uint8Array {
  const predicates = Uint8Array.from(predicateScores, (score, w) => (w === 0 || score > 0 ? 1 : 0));
  for (let a = 0; a < labelled.length; a++) if (labelled[a] >= 0) predicates[arcs.head[a]] = 1;
  return predicates;
}
