import type { GraphDecoder, GraphHandled } from "@arcwise/core";
import { type Law, lawsOf } from "../rules-to-laws.ts";
import { GRAPH_CAPABILITY_RULES } from "./graph-capability-rules.ts";
import { GRAPH_RELATION_RULES } from "./graph-relation-rules.ts";
import { GRAPH_RESULT_RULES } from "./graph-result-rules.ts";
import type { GraphRule, GraphSubject } from "./graph-subject.ts";

/** Claims about a decoder of graphs, and the size of the tests. */
export interface GraphLawOptions {
  /** The decoder always finds a graph of highest score. */
  readonly exact: boolean;
  /** Laws that do not hold, by name, each with the reason. An excepted law must really fail. */
  readonly except?: Readonly<Record<string, string>> | undefined;
  /** Contents of the problems; by default all that the decoder handles. */
  readonly handles?: readonly GraphHandled[] | undefined;
  /** Number of problems per law; 50 by default. */
  readonly runs?: number | undefined;
  /** Seed of the problems; 1 by default. */
  readonly seed?: number | undefined;
  /** Maximal numbers of words and arcs of the problems; 4 and 7 by default. */
  readonly words?: number | undefined;
  readonly arcs?: number | undefined;
  /** Tolerance of scores, relative to the largest sum that a graph can have; 1e-9 by default. */
  readonly tolerance?: number | undefined;
}

const RULES: readonly GraphRule[] = [
  ...GRAPH_RESULT_RULES,
  ...GRAPH_CAPABILITY_RULES,
  ...GRAPH_RELATION_RULES,
];

/** The names of all laws of graphs, in the order of checking. */
export const GRAPH_LAW_NAMES: readonly string[] = RULES.map(({ name }) => name);

/**
 * Returns the laws of the contract of graphs for one decoder, as data, like `laws`. Results are compared with
 * an enumeration of all graphs.
 *
 * @throws RangeError when `except` names no law of this decoder, or a reason is empty
 */
export function graphLaws(make: () => GraphDecoder, options: GraphLawOptions): Law[] {
  const { exact, except = {} } = options;
  const handles = options.handles ?? [...make().handles];
  const subject: GraphSubject = {
    make,
    exact,
    handles,
    claimed: handles,
    runs: options.runs ?? 50,
    seed: options.seed ?? 1,
    words: options.words ?? 4,
    arcs: options.arcs ?? 7,
    tolerance: options.tolerance ?? 1e-9,
    shrinks: true,
  };
  return lawsOf(RULES, subject, except);
}
