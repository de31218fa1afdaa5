import type { DependencyGraph } from "@arcwise/core";
import { defineOptions, flag, type OptionsOf } from "@arcwise/core/options";

/** The options that select what is scored in addition to edges. */
export const GRAPH_SCORING = defineOptions({
  tops: {
    check: flag,
    help: "whether tops are edges from a virtual root, as in SDP 2014 and 2015",
    default: false,
  },
  /** Unlabelled scores count them without their senses. */
  senses: {
    check: flag,
    help: "whether predicates are edges from a virtual root whose labels are their senses, as in CoNLL 2009",
    default: false,
  },
});

/** Selects what is scored in addition to edges. */
export interface GraphScoringOptions extends OptionsOf<typeof GRAPH_SCORING> {}

/** The items of a graph that are counted, as strings that are equal for equal items. */
export interface GraphItems {
  readonly labelled: ReadonlySet<string>;
  /** Pairs of words: several labels of a pair are one item. */
  readonly unlabelled: ReadonlySet<string>;
}

/** Returns the items of a graph. O(edges). */
export function graphItems(graph: DependencyGraph, options: GraphScoringOptions = {}): GraphItems {
  const labelled = new Set<string>();
  const unlabelled = new Set<string>();
  const add = (item: string, name: string): void => {
    unlabelled.add(item);
    labelled.add(`${item} ${name}`);
  };
  for (const { head, modifier, label } of graph.edges) add(`${head} ${modifier}`, label);
  if (options.tops === true) for (const top of graph.tops) add(`top ${top}`, "");
  if (options.senses === true)
    for (const { position, sense } of graph.predicates) add(`predicate ${position}`, sense);
  return { labelled, unlabelled };
}

/** Returns the number of items that two sets share. */
export function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const item of a) if (b.has(item)) count++;
  return count;
}
