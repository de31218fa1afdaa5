import type { Arcs, DependencyGraph, GraphChoice, GraphEdge, GraphProblem } from "@arcwise/core";
import { arcIndex } from "@arcwise/core";
import { type Vocabulary, vocabulary, vocabularyCounter } from "@arcwise/core/features";

/** A gold graph as indices: at most one edge from a head to a modifier. */
export interface EncodedGraph {
  readonly n: number;
  /** n + 1 entries: 1 where the word is a predicate or has an edge to a modifier; entry 0 is 1. */
  readonly predicates: Uint8Array;
  /** n + 2 entries; the edges of modifier m are `start[m] .. start[m + 1] - 1`. */
  readonly start: Int32Array;
  /** Ascending within a modifier. */
  readonly head: Int32Array;
  readonly modifier: Int32Array;
  /** Index of the label in the model's list. */
  readonly label: Int32Array;
}

/** Label of the edges from the root that stand for tops. */
const TOP = "*top*";
/** Joins the labels of a pair of words that has several; no label of SDP or CoNLL-U contains it. */
const SEVERAL = "|";

/**
 * Returns the edges of a graph with at most one edge a pair of words: tops become edges from the root,
 * several labels are joined. Edges from a word to itself are left out: they are not candidates.
 */
function singleEdges({ edges, tops }: DependencyGraph): GraphEdge[] {
  const all = [...edges, ...tops.map((modifier) => ({ head: 0, modifier, label: TOP }))];
  const byPair = new Map<string, GraphEdge>();
  for (const edge of all) {
    if (edge.head === edge.modifier) continue;
    const key = `${edge.head} ${edge.modifier}`;
    const before = byPair.get(key);
    const label = before === undefined ? edge.label : `${before.label}${SEVERAL}${edge.label}`;
    byPair.set(key, { ...edge, label });
  }
  return [...byPair.values()].sort((a, b) => a.modifier - b.modifier || a.head - b.head);
}

/** The labels of graphs, as indices from 0 on, most frequent first. */
export class GraphLabels {
  readonly strings: readonly string[];
  readonly #vocabulary: Vocabulary;

  constructor(strings: readonly string[]) {
    this.strings = strings;
    this.#vocabulary = vocabulary(strings);
  }

  /** The labels that occur in graphs. O(edges). */
  static collect(graphs: Iterable<DependencyGraph>): GraphLabels {
    const counter = vocabularyCounter();
    for (const graph of graphs) for (const { label } of singleEdges(graph)) counter.add(label);
    return new GraphLabels(counter.vocabulary().strings);
  }

  /** @throws RangeError when the graph has a label that is not one of these */
  encode(graph: DependencyGraph): EncodedGraph {
    const { n } = graph;
    const edges = singleEdges(graph);
    const start = new Int32Array(n + 2);
    const predicates = new Uint8Array(n + 1);
    predicates[0] = 1;
    for (const { position } of graph.predicates) predicates[position] = 1;
    for (const { head, modifier } of edges) {
      predicates[head] = 1;
      start[modifier + 1]++;
    }
    for (let m = 0; m <= n; m++) start[m + 1] += start[m];
    const label = Int32Array.from(edges, (edge) => this.id(edge.label));
    if (label.includes(-1)) {
      throw new RangeError(`the label "${edges[label.indexOf(-1)].label}" is not a label of the model`);
    }
    return {
      n,
      predicates,
      start,
      head: Int32Array.from(edges, ({ head }) => head),
      modifier: Int32Array.from(edges, ({ modifier }) => modifier),
      label,
    };
  }

  /** Returns the index of a label; -1 if the label is unknown. */
  id(label: string): number {
    return this.#vocabulary.id(label) - 1;
  }

  /** Returns the edges and tops of a graph that a decoder chose. O(arcs). */
  decode({ arcs, labels }: GraphProblem, { labelled }: GraphChoice): { edges: GraphEdge[]; tops: number[] } {
    const edges: GraphEdge[] = [];
    const tops: number[] = [];
    for (let a = 0; a < labelled.length; a++) {
      if (labelled[a] < 0) continue;
      const [head, modifier] = [arcs.head[a], arcs.modifier[a]!];
      for (const label of this.strings[labels.label[labelled[a]!]!].split(SEVERAL)) {
        if (label === TOP) tops.push(modifier);
        else edges.push({ head, modifier, label });
      }
    }
    return { edges, tops };
  }
}

/**
 * Returns the gold label of each candidate arc, -1 where the arc is not in the gold graph. O(edges log n +
 * arcs).
 */
export function goldLabels(arcs: Arcs, gold: EncodedGraph): Int32Array {
  const labels = new Int32Array(arcs.head.length).fill(-1);
  for (let e = 0; e < gold.head.length; e++) {
    const arc = arcIndex(arcs, gold.head[e], gold.modifier[e]);
    if (arc >= 0) labels[arc] = gold.label[e];
  }
  return labels;
}
