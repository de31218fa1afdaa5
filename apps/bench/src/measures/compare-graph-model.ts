import type { DependencyGraph, GraphDecoder, GraphEdge } from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { createGraphParser, type GraphExample, type GraphModel } from "@arcwise/parser";
import { GRAPH_DECODERS } from "../registry/graph-decoders.ts";
import { MAX_SHOWN } from "../results/results.ts";
import {
  compareGraphDecoders,
  type GraphCompareOptions,
  type GraphComparison,
} from "./compare-graph-decoders.ts";
import { spreadEvenly } from "./scored-sentences.ts";

/** A sentence with its gold graph and the graphs of all decoders, to look at. */
export interface SentenceGraphs {
  /** Number of the sentence in the data, from 0. */
  readonly index: number;
  readonly forms: readonly string[];
  /** The gold graph, then all other graphs that a decoder found, each once. Tops are edges from 0. */
  readonly graphs: readonly (readonly GraphEdge[])[];
  /** For each decoder, which of `graphs` it found: 0 without errors. */
  readonly found: readonly number[];
}

/** Results of all decoders on the scores of a model. */
export interface GraphModelComparison extends GraphComparison {
  /** At most `MAX_SHOWN` sentences with their graphs. */
  readonly shown: readonly SentenceGraphs[];
}

/** Compares all decoders of graphs on the scores of a model. */
export function compareGraphModel(
  model: GraphModel,
  examples: readonly GraphExample[],
  options: Omit<GraphCompareOptions, "f1">,
): GraphModelComparison {
  // The decoder determines the parts of the problems: it handles all of them.
  const parser = createGraphParser(model, { decoder: ad3GraphDecoder() });
  const problems = parser.read(examples).map((reading) => reading.problem());
  const parsed: DependencyGraph[][] = [];
  const f1 = (decoder: GraphDecoder): number => {
    const one = createGraphParser(model, { decoder });
    const graphs = one.read(examples).map((reading) => reading.best());
    parsed.push(graphs);
    return labelledF1(graphs, examples);
  };
  const comparison = compareGraphDecoders(problems, GRAPH_DECODERS, { ...options, f1 });
  const shown = spreadEvenly([...examples.keys()], MAX_SHOWN).map((i) => {
    const found = parsed.map((graphs) => graphs[i]!);
    return sentenceGraphs(i, examples[i]!, found);
  });
  return { ...comparison, shown };
}

/** Returns a sentence with its gold graph and the graphs of decoders, equal graphs once. */
function sentenceGraphs(
  index: number,
  { sentence, graph }: GraphExample,
  found: readonly DependencyGraph[],
): SentenceGraphs {
  const graphs: GraphEdge[][] = [];
  const known = new Map<string, number>();
  const indexOf = (one: DependencyGraph): number => {
    const edges = edgesOf(one);
    const key = edges.map(keyOf).sort().join("\n");
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, graphs.length);
    return graphs.push(edges) - 1;
  };
  indexOf(graph);
  return { index, forms: sentence.map(({ form }) => form), graphs, found: found.map(indexOf) };
}

/** Returns the edges of a graph, with its tops as edges from the root. */
function edgesOf({ edges, tops }: DependencyGraph): GraphEdge[] {
  return [...edges, ...tops.map((modifier) => ({ head: 0, modifier, label: "top" }))];
}

function keyOf({ head, modifier, label }: GraphEdge): string {
  return `${head} ${modifier} ${label}`;
}

/** Returns the labelled F1 of edges. */
function labelledF1(graphs: readonly DependencyGraph[], examples: readonly GraphExample[]): number {
  let [right, total] = [0, 0];
  for (const [i, { graph }] of examples.entries()) {
    const { edges } = graphs[i]!;
    const gold = new Set(graph.edges.map(keyOf));
    right += edges.filter((edge) => gold.has(keyOf(edge))).length;
    total += edges.length + graph.edges.length;
  }
  return (2 * right) / Math.max(1, total);
}
