import type { DependencyGraph } from "@arcwise/core";

/** Selects what is scored besides edges. */
export interface GraphScoringOptions {
  /** Whether tops are edges from a virtual root, as in SDP 2014 and 2015; false by default. */
  readonly tops?: boolean | undefined;
  /**
   * Whether predicates are edges from a virtual root whose labels are their senses, as in CoNLL 2009; false
   * by default. Unlabelled scores count them without their senses.
   */
  readonly senses?: boolean | undefined;
}

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
  for (const { head, modifier, label } of graph.edges) {
    unlabelled.add(`${head} ${modifier}`);
    labelled.add(`${head} ${modifier} ${label}`);
  }
  if (options.tops === true) {
    for (const top of graph.tops) {
      unlabelled.add(`top ${top}`);
      labelled.add(`top ${top}`);
    }
  }
  if (options.senses === true) {
    for (const { position, sense } of graph.predicates) {
      unlabelled.add(`predicate ${position}`);
      labelled.add(`predicate ${position} ${sense}`);
    }
  }
  return { labelled, unlabelled };
}

/** Returns the number of items that two sets share. */
export function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const item of a) if (b.has(item)) count++;
  return count;
}
