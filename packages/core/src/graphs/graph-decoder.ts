import type { DecodingStatus } from "../decoder.ts";
import { InvalidDecoder, UnsupportedCapability } from "../errors/decoder-errors.ts";
import { GRAPH_PART_KINDS, type GraphChoice, type GraphHandled, type GraphProblem } from "./graph-problem.ts";
import { GRAPH_CONSTRAINTS } from "./validate-graph.ts";

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
 * Finds a graph of high score. Code that needs more asks for a capability (`requireGraphCapability`), not for
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

/** The name of a capability. */
export type GraphCapability = keyof GraphDecoderCapabilities;

/** A description of each capability, in the order of the contract. */
export const GRAPH_CAPABILITIES: Readonly<Record<GraphCapability, string>> = {
  marginals: "sums over graphs",
  decodeWithReport: "a report",
  decodeRelaxed: "solutions of a relaxation",
};

/** A decoder that has some capabilities. */
export type GraphDecoderWith<C extends GraphCapability> = GraphDecoder & Pick<GraphDecoderCapabilities, C>;

/** Whether a decoder has a capability. */
export function hasGraphCapability<C extends GraphCapability>(
  decoder: GraphDecoder,
  name: C,
): decoder is GraphDecoderWith<C> {
  return decoder[name] !== undefined;
}

/** Returns the decoder as one that has the capability. @throws UnsupportedCapability when it lacks it */
export function requireGraphCapability<C extends GraphCapability>(
  decoder: GraphDecoder,
  name: C,
): GraphDecoderWith<C> {
  if (hasGraphCapability(decoder, name)) return decoder;
  throw new UnsupportedCapability(decoder.name, name, GRAPH_CAPABILITIES[name]);
}

/**
 * Checks that a value from a module has the members of a decoder of graphs.
 *
 * @param source the module, for the message
 * @throws InvalidDecoder that names the first member that is missing or wrong
 */
export function requireGraphDecoder(value: unknown, source: string): GraphDecoder {
  const fail = (what: string): never => {
    throw new InvalidDecoder(`${source}: expected a decoder of graphs, but ${what}`);
  };
  if (typeof value !== "object" || value === null) fail(`got ${value === null ? "null" : typeof value}`);
  const members = value as Record<string, unknown>;
  const expected: readonly (readonly [keyof GraphDecoder, string, (member: unknown) => boolean])[] = [
    ["name", "a string that is not empty", (name) => typeof name === "string" && name !== ""],
    ["handles", "a Set of kinds of parts, constraints or unique", isHandles],
    ["decode", "a function", (decode) => typeof decode === "function"],
  ];
  for (const [member, what, isSound] of expected) {
    if (members[member] === undefined) fail(`"${member}" is missing (${what})`);
    if (!isSound(members[member])) fail(`"${member}" is not ${what}`);
  }
  for (const name of Object.keys(GRAPH_CAPABILITIES)) {
    const member = members[name];
    if (member !== undefined && typeof member !== "function") fail(`"${name}" is not a function`);
  }
  return value as GraphDecoder;
}

function isHandles(value: unknown): boolean {
  const known: ReadonlySet<unknown> = new Set<GraphHandled>([
    ...GRAPH_PART_KINDS,
    ...GRAPH_CONSTRAINTS,
    "unique",
  ]);
  return value instanceof Set && [...value].every((one) => known.has(one));
}
