import type { DependencyGraph, GraphEdge } from "@arcwise/core";
import { checkOptions, defineOptions, type OptionsOf } from "@arcwise/core/options";
import { Bins, bounds } from "../bins.ts";
import { requirePairs } from "../pairs.ts";
import { ratio } from "../scoring.ts";
import type { ClassRow, ClassScore } from "../tallies.ts";
import { graphItems } from "./graph-items.ts";
import { checkGraphPair, type GraphPair } from "./graph-pairs.ts";

/** Precision and recall of the edges of graphs by class, for the classes that have edges. */
export interface GraphClasses {
  /** By label, the most frequent gold label first. */
  readonly label: readonly ClassRow[];
  /** By distance of head and modifier in positions; `root` for edges from the root, `self` from a word to itself. */
  readonly distance: readonly ClassRow[];
}

const GRAPH_CLASSES_OPTIONS = defineOptions({
  distances: {
    check: bounds,
    help: "upper bounds of the bins of distances",
    default: [1, 2, 3, 4, 5, 7, 10, 15, 20],
  },
});

/**
 * Returns precision and recall of edges by label and by distance. An edge is right without its label when the
 * other graph has an edge of any label there; every label of a pair counts as an edge. O(edges).
 *
 * @throws ArcwiseError `invalid-argument` when a pair has graphs of different sizes, or a graph is invalid; `unknown-option`,
 * `invalid-option`
 */
export function graphClasses(
  pairs: readonly GraphPair[],
  options?: OptionsOf<typeof GRAPH_CLASSES_OPTIONS>,
): GraphClasses {
  requirePairs(pairs, "graphClasses");
  const bins = new Bins(checkOptions(GRAPH_CLASSES_OPTIONS, options, "graphClasses").distances);
  const names = ["root", "self", ...bins.names];
  const distanceOf = ({ head, modifier }: GraphEdge) => {
    if (head === modifier) return "self";
    return head === 0 ? "root" : bins.names[bins.of(Math.abs(head - modifier))]!;
  };
  const label = new EdgeTally(({ label: name }) => name);
  const distance = new EdgeTally(distanceOf);
  for (const [index, pair] of pairs.entries()) {
    checkGraphPair(pair, index);
    for (const tally of [label, distance]) tally.add(pair);
  }
  const labels = label.rows().sort((a, b) => b.gold - a.gold || (a.key < b.key ? -1 : 1));
  const distances = distance.rows().sort((a, b) => names.indexOf(a.key) - names.indexOf(b.key));
  return { label: labels, distance: distances };
}

/** Number of edges of a class in one of the two graphs, and number of its edges in both graphs. */
interface SideCounts {
  edges: number;
  pairs: number;
  labelled: number;
}

/** Counts edges by a class that depends on the edge alone. */
class EdgeTally {
  readonly #gold = new Map<string, SideCounts>();
  readonly #predicted = new Map<string, SideCounts>();
  readonly #classOf: (edge: GraphEdge) => string;

  constructor(classOf: (edge: GraphEdge) => string) {
    this.#classOf = classOf;
  }

  add({ gold, predicted }: GraphPair): void {
    this.#addSide(this.#gold, gold, predicted);
    this.#addSide(this.#predicted, predicted, gold);
  }

  #addSide(side: Map<string, SideCounts>, own: DependencyGraph, other: DependencyGraph): void {
    const { labelled, unlabelled } = graphItems(other);
    for (const edge of own.edges) {
      const counts = countsOf(side, this.#classOf(edge));
      const pair = `${edge.head} ${edge.modifier}`;
      counts.edges++;
      if (unlabelled.has(pair)) counts.pairs++;
      if (labelled.has(`${pair} ${edge.label}`)) counts.labelled++;
    }
  }

  rows(): ClassRow[] {
    const keys = new Set([...this.#gold.keys(), ...this.#predicted.keys()]);
    return [...keys].map((key) => {
      const gold = countsOf(this.#gold, key);
      const predicted = countsOf(this.#predicted, key);
      return {
        key,
        gold: gold.edges,
        predicted: predicted.edges,
        unlabelled: classScore(gold, predicted, "pairs"),
        labelled: classScore(gold, predicted, "labelled"),
      };
    });
  }
}

function countsOf(side: Map<string, SideCounts>, key: string): SideCounts {
  let counts = side.get(key);
  if (counts === undefined) {
    counts = { edges: 0, pairs: 0, labelled: 0 };
    side.set(key, counts);
  }
  return counts;
}

function classScore(gold: SideCounts, predicted: SideCounts, column: "pairs" | "labelled"): ClassScore {
  const precision = ratio(predicted[column], predicted.edges);
  const recall = ratio(gold[column], gold.edges);
  return {
    correctGold: gold[column],
    correctPredicted: predicted[column],
    precision,
    recall,
    f1: ratio(2 * precision * recall, precision + recall),
  };
}
