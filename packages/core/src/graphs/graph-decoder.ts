import type { DecodingStatus } from "../decoder.ts";
import type { GraphChoice, GraphHandled, GraphProblem } from "./graph-problem.ts";

/** The result of a decoder of graphs: `score <= optimum <= bound`. It never aliases memory of the decoder. */
export interface GraphDecoding extends GraphChoice {
  /** `scoreGraph(problem, choice)`. */
  readonly score: number;
  /**
   * An upper bound of the best score. Equal to `score`, it certifies that the graph is optimal; `Infinity`
   * claims nothing.
   */
  readonly bound: number;
}

/** A graph, with its status and the work that it took. */
export interface ReportedGraphDecoding extends GraphDecoding {
  readonly status: DecodingStatus;
  /** Amounts of work by unit, in lower case: `iterations`, `nodes`, `climbs`. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Values from 0 to 1 of predicates, arcs and labelled arcs: in the solution of a relaxation, or
 * probabilities.
 */
export interface GraphPosteriors {
  /** n + 1 entries, the first of them 1. */
  readonly predicates: Float64Array;
  /** One entry an arc. */
  readonly arcs: Float64Array;
  /** One entry a labelled arc. */
  readonly labelled: Float64Array;
}

/**
 * A graph and the solution of the linear relaxation that it was rounded from: the graph itself where that is
 * optimal.
 */
export interface RelaxedGraphDecoding extends ReportedGraphDecoding {
  readonly posteriors: GraphPosteriors;
}

/** The distribution over graphs in proportion to exp(score): the probability of everything. */
export interface GraphMarginals extends GraphPosteriors {
  /** Logarithm of the sum of exp(score) over all graphs. */
  readonly logPartition: number;
}

/**
 * Finds a graph of high score. Code that needs more asks for a capability (`requireCapability`), not for
 * a name.
 */
export interface GraphDecoder extends Partial<GraphDecoderCapabilities> {
  readonly name: string;
  readonly handles: ReadonlySet<GraphHandled>;
  /**
   * @throws UnsupportedPart when the problem has parts, unique labels or constraints that the decoder cannot
   *   take
   * @throws NoGraph when no graph meets the constraints
   * @throws RangeError when a score is NaN or +Infinity, or the arrays do not fit each other
   */
  decode(problem: GraphProblem): GraphDecoding;
}

/**
 * Optional methods of decoders of graphs. Each accepts every problem that `decode` accepts, and throws the
 * same errors.
 */
export interface GraphDecoderCapabilities {
  /** Returns the marginal probabilities of predicates, arcs and labelled arcs. */
  marginals(problem: GraphProblem): GraphMarginals;
  /** `decode`, with status and counts of the work done. */
  decodeWithReport(problem: GraphProblem): ReportedGraphDecoding;
  /** `decodeWithReport`, with the solution of the relaxation that the graph comes from. */
  decodeRelaxed(problem: GraphProblem): RelaxedGraphDecoding;
}
