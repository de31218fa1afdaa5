import {
  CHAIN_KINDS,
  GRAPH_CONSTRAINTS,
  type GraphChoice,
  type GraphDecoder,
  type GraphHandled,
  type GraphProblem,
  NoGraph,
  PAIR_KINDS,
  type RelaxedGraphDecoding,
  requireGraphHandled,
  scoreGraph,
  validateGraphProblem,
} from "@arcwise/core";
import type { SearchLimits } from "../trees/branch-and-bound.ts";
import { bestBasicGraph } from "./basic-graph.ts";
import { GraphSearch } from "./graph-search.ts";
import { choicePosteriors, posteriorsOf } from "./graph-variables.ts";
import { scaledGraph, withLabelsBelow } from "./scaled-graph.ts";

/** Options of AD3 over graphs. */
export interface Ad3GraphOptions {
  /** Maximum number of AD3 iterations; 100 by default. */
  readonly maxIterations?: number | undefined;
  /** AD3 stops without a certificate when both residuals per link are below this; 1e-3 by default. */
  readonly residualThreshold?: number | undefined;
  /** Runs branch and bound until the best graph is found or a limit is reached; false by default. */
  readonly exact?: boolean | SearchLimits | undefined;
  /**
   * Uses one component for predicates and arcs and another for labels, which have to agree; false by default.
   * The relaxation is as tight, and takes more iterations.
   */
  readonly split?: boolean | undefined;
}

/**
 * A graph with its certificate and solver statistics. `fractional`: the relaxation was solved to the
 * requested residuals, and its solution is not integral; `unsolved`: the iterations or the limits of a search
 * ran out. The posteriors are the graph itself if it is optimal.
 */
export interface Ad3GraphReport extends RelaxedGraphDecoding {
  /** The stage that proved the graph optimal, or the last one that ran. */
  readonly stage: "basic" | "ad3" | "search";
  /** Numbers of AD3 iterations, of nodes, and of cycles and components that were cut off. */
  readonly counts: Readonly<Record<"iterations" | "nodes" | "cuts", number>>;
}

/** A decoder of graphs that reports how each graph was found. */
export interface Ad3GraphDecoder extends GraphDecoder {
  /** Decodes a problem and reports the certificate, posteriors and statistics. */
  decodeWithReport(problem: GraphProblem): Ad3GraphReport;
  /** The same function as `decodeWithReport`. */
  decodeRelaxed(problem: GraphProblem): Ad3GraphReport;
}

/** Tolerance per word, arc and one more, for scores scaled to at most 8. */
const TOLERANCE = 1e-9;
/** Maximum number of nodes of a search for any feasible graph. */
const FIRST_GRAPH = { nodes: 2000 };

/**
 * Makes a decoder of dependency graphs by dual decomposition: the basic parts of each predicate, at-most-one
 * factors for unique labels, pairs, automata for adjacent modifiers and heads, and constraints, which
 * agree on the arcs. The decoder returns the best graph that it sees and an upper bound of the score of all
 * graphs; where the relaxation is tight, the two are equal, which proves the graph optimal. With `exact` it
 * searches until the graph is proved optimal or a limit is reached. Problems whose best basic graph repeats
 * no unique label, without parts and constraints, are solved directly.
 *
 * With k arcs in a chain and p pairs, an iteration takes O(labelled arcs + p) and some O(k²) for each chain.
 * Forbidden cycles and unconnected components are cut off when they are found, and AD3 restarts.
 *
 * The decoder throws NoGraph when no graph meets the constraints (unless `exact`, also when none is found),
 * RangeError when a score is NaN or +Infinity or arrays do not fit each other.
 *
 * Martins and Almeida (2014); Almeida and Martins (2015); Das, Martins and Smith (2012).
 *
 * @throws RangeError on an option out of range
 */
export function ad3GraphDecoder(options: Ad3GraphOptions = {}): Ad3GraphDecoder {
  const { maxIterations = 100, residualThreshold = 1e-3, exact = false, split = false } = options;
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw new RangeError(`maxIterations must be an integer of at least 1, got ${maxIterations}`);
  }
  if (!(residualThreshold >= 0)) {
    throw new RangeError(`residualThreshold must be >= 0, got ${residualThreshold}`);
  }
  const name = split ? "ad3-graph-split" : "ad3-graph";
  const handles: ReadonlySet<GraphHandled> = new Set([
    ...PAIR_KINDS,
    ...CHAIN_KINDS,
    "unique",
    ...GRAPH_CONSTRAINTS,
  ] as const);
  const limits = exact === false ? undefined : exact === true ? {} : exact;

  function decodeWithReport(problem: GraphProblem): Ad3GraphReport {
    requireGraphHandled(problem, name, handles);
    validateGraphProblem(problem);
    const basic = basicGraph(problem);
    const isFree = problem.parts.length === 0 && problem.constraints === undefined;
    if (isFree && !split && scoreGraph(problem, basic) > -Infinity) return basicReport(problem, basic);
    const scaled = scaledGraph(split ? problem : withLabelsBelow(problem));
    const search = new GraphSearch(
      scaled,
      split,
      TOLERANCE * (problem.arcs.n + problem.arcs.head.length + 1),
    );
    search.offer(basic);
    const ended = search.relax(maxIterations, residualThreshold);
    const isSearched = search.isOpen() && limits !== undefined;
    if (isSearched || (search.isOpen() && search.score === -Infinity)) {
      search.divide(limits ?? FIRST_GRAPH, !isSearched);
    }
    if (search.best === undefined) {
      throw new NoGraph(
        name,
        `no choice of ${problem.arcs.head.length} arcs over ${problem.arcs.n} words meets the constraints`,
      );
    }
    const isOptimal = !search.isOpen();
    const { best, variables, mean } = search;
    const score = scoreGraph(problem, best);
    const bound = scaled.scale.original(search.bound + TOLERANCE * (problem.arcs.n + 1));
    return {
      ...best,
      score,
      bound: isOptimal ? score : Math.max(score, bound),
      status: isOptimal ? "optimal" : isSearched ? "unsolved" : ended,
      stage: search.nodes > 0 ? "search" : "ad3",
      counts: { iterations: search.iterations, nodes: search.nodes, cuts: search.cuts.length },
      posteriors:
        isOptimal || mean === undefined
          ? choicePosteriors(problem, best)
          : posteriorsOf(problem, variables, mean),
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
    decodeRelaxed: decodeWithReport,
  };
}

function basicGraph(problem: GraphProblem): GraphChoice {
  const { n, head } = problem.arcs;
  const predicates = new Uint8Array(n + 1);
  const labelled = new Int32Array(head.length);
  bestBasicGraph(problem, predicates, labelled, new Float64Array(n + 1));
  return { predicates, labelled };
}

function basicReport(problem: GraphProblem, choice: GraphChoice): Ad3GraphReport {
  const score = scoreGraph(problem, choice);
  return {
    ...choice,
    score,
    bound: score,
    status: "optimal",
    stage: "basic",
    counts: { iterations: 0, nodes: 0, cuts: 0 },
    posteriors: choicePosteriors(problem, choice),
  };
}
