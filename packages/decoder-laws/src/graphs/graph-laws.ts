import type { GraphDecoder, GraphHandled } from "@arcwise/core";
import { type CommonLawOptions, type Law, lawsOf, sizeOf } from "../rules-to-laws.ts";
import { GRAPH_CAPABILITY_RULES } from "./graph-capability-rules.ts";
import { GRAPH_RELATION_RULES } from "./graph-relation-rules.ts";
import { GRAPH_RESULT_RULES } from "./graph-result-rules.ts";
import type { GraphRule, GraphSubject } from "./graph-subject.ts";

/** Claims about a decoder of graphs, and the size of the tests. */
export interface GraphLawOptions extends CommonLawOptions {
  /** Contents of the problems; by default all that the decoder handles. */
  readonly handles?: readonly GraphHandled[] | undefined;
  /** Maximal numbers of words and arcs of the problems; 4 and 7 by default. */
  readonly words?: number | undefined;
  readonly arcs?: number | undefined;
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
  const { except = {} } = options;
  const handles = options.handles ?? [...make().handles];
  const subject: GraphSubject = {
    make,
    handles,
    claimed: handles,
    words: options.words ?? 4,
    arcs: options.arcs ?? 7,
    ...sizeOf(options),
  };
  return lawsOf(RULES, subject, except);
}
