import type { DependencyGraph, GraphEdge } from "@arcwise/core";
import { Bins } from "../bins.ts";
import { requirePairs } from "../pairs.ts";
import { type ClassRow, classScore } from "../tallies.ts";
import { graphItems } from "./graph-items.ts";
import { checkGraphPair, type GraphPair } from "./graph-pairs.ts";

/** Precision and recall of the edges of graphs by class, for the classes that have edges. */
export interface GraphClasses {
  /** By label, the most frequent gold label first. */
  readonly label: readonly ClassRow[];
  /** By distance of head and modifier in positions; `root` for edges from the root, `self` from a word to itself. */
  readonly distance: readonly ClassRow[];
}

const DISTANCES = new Bins([1, 2, 3, 4, 5, 7, 10, 15, 20]);
const NAMES = ["root", "self", ...DISTANCES.names];

/**
 * Returns precision and recall of edges by label and by distance. An edge is right without its label when the
 * other graph has an edge of any label there; every label of a pair counts as an edge. O(edges).
 *
 * @throws ArcwiseError `invalid-argument` when a pair has graphs of different sizes, or a graph is invalid
 */
export function graphClasses(pairs: readonly GraphPair[]): GraphClasses {
  requirePairs(pairs, "graphClasses");
  const distanceOf = ({ head, modifier }: GraphEdge) => {
    if (head === modifier) return "self";
    return head === 0 ? "root" : DISTANCES.names[DISTANCES.of(Math.abs(head - modifier))]!;
  };
  const label = new EdgeTally(({ label: name }) => name);
  const distance = new EdgeTally(distanceOf);
  for (const [index, pair] of pairs.entries()) {
    checkGraphPair(pair, index);
    for (const tally of [label, distance]) tally.add(pair);
  }
  const labels = label.rows().sort((a, b) => b.gold - a.gold || (a.key < b.key ? -1 : 1));
  const distances = distance.rows().sort((a, b) => NAMES.indexOf(a.key) - NAMES.indexOf(b.key));
  return { label: labels, distance: distances };
}

/** Edges of a class in gold and predicted graphs: all, on pairs of the other graph, and with their label there. */
interface EdgeCounts {
  readonly all: Sides;
  readonly unlabelled: Sides;
  readonly labelled: Sides;
}

interface Sides {
  gold: number;
  predicted: number;
}

const sides = (): Sides => ({ gold: 0, predicted: 0 });

/** Counts edges by a class that depends on the edge alone. */
class EdgeTally {
  readonly #counts = new Map<string, EdgeCounts>();
  readonly #classOf: (edge: GraphEdge) => string;

  constructor(classOf: (edge: GraphEdge) => string) {
    this.#classOf = classOf;
  }

  add({ gold, predicted }: GraphPair): void {
    this.#addSide("gold", gold, predicted);
    this.#addSide("predicted", predicted, gold);
  }

  #addSide(side: keyof Sides, own: DependencyGraph, other: DependencyGraph): void {
    const { labelled, unlabelled } = graphItems(other);
    for (const edge of own.edges) {
      const key = this.#classOf(edge);
      const counts = this.#counts.get(key) ?? { all: sides(), unlabelled: sides(), labelled: sides() };
      this.#counts.set(key, counts);
      const pair = `${edge.head} ${edge.modifier}`;
      counts.all[side]++;
      if (unlabelled.has(pair)) counts.unlabelled[side]++;
      if (labelled.has(`${pair} ${edge.label}`)) counts.labelled[side]++;
    }
  }

  rows(): ClassRow[] {
    return [...this.#counts].map(([key, { all, unlabelled, labelled }]) => ({
      key,
      ...all,
      unlabelled: classScore(unlabelled, all),
      labelled: classScore(labelled, all),
    }));
  }
}
