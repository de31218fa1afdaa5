import type { DependencyGraph, GraphDecoder, GraphEdge } from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { createGraphParser, type GraphExample, type GraphModel, type GraphParser } from "@arcwise/parser";
import {
  compareGraphDecoders,
  type GraphCompareOptions,
  type GraphComparison,
} from "./compare-graph-decoders.ts";
import { GRAPH_DECODERS } from "./graph-registry.ts";
import type { Diagram } from "./report/arc-diagram.ts";

/** Results of all decoders on the scores of a model. */
export interface GraphModelComparison extends GraphComparison {
  /** Graphs of some sentences found by AD3, and their gold graphs. */
  readonly diagrams: readonly Diagram[];
}

/** Number of sentences that are drawn, and their minimal and maximal lengths. */
const DRAWN = { sentences: 6, least: 5, most: 16 };

/** Compares all decoders of graphs on the scores of a model, and draws some graphs. */
export function compareGraphModel(
  model: GraphModel,
  examples: readonly GraphExample[],
  options: Omit<GraphCompareOptions, "f1">,
): GraphModelComparison {
  // Any decoder that handles all parts will do, as it only determines the parts of the problems.
  const parser = createGraphParser(model, { decoder: ad3GraphDecoder() });
  const problems = examples.map(({ sentence, syntax }) => parser.problem(sentence, { syntax }));
  const f1 = (decoder: GraphDecoder): number => labelledF1(createGraphParser(model, { decoder }), examples);
  const comparison = compareGraphDecoders(problems, GRAPH_DECODERS, { ...options, f1 });
  const drawn = examples.filter(
    ({ sentence: { length }, graph }) =>
      length >= DRAWN.least && length <= DRAWN.most && graph.edges.length > 0,
  );
  return { ...comparison, diagrams: drawn.slice(0, DRAWN.sentences).map((one) => diagramOf(parser, one)) };
}

/** Returns a diagram with the edges found above the words and the missing ones below. */
function diagramOf(parser: GraphParser, { sentence, graph, syntax }: GraphExample): Diagram {
  const found = edgesOf(parser.parse(sentence, { syntax }));
  const gold = edgesOf(graph);
  const [known, wanted] = [new Set(found.map(keyOf)), new Set(gold.map(keyOf))];
  return {
    words: sentence.map(({ form }) => form),
    above: found.map((edge) => ({ ...edge, kind: wanted.has(keyOf(edge)) ? "right" : "wrong" })),
    below: gold.filter((edge) => !known.has(keyOf(edge))).map((edge) => ({ ...edge, kind: "missed" })),
  };
}

/** Returns the edges of a graph, with its tops as edges from the root. */
function edgesOf({ edges, tops }: DependencyGraph): GraphEdge[] {
  return [...edges, ...tops.map((modifier) => ({ head: 0, modifier, label: "top" }))];
}

function keyOf({ head, modifier, label }: GraphEdge): string {
  return `${head} ${modifier} ${label}`;
}

/** Returns the labelled F1 of edges. */
function labelledF1(parser: GraphParser, examples: readonly GraphExample[]): number {
  let [right, total] = [0, 0];
  for (const { sentence, graph, syntax } of examples) {
    const { edges } = parser.parse(sentence, { syntax });
    const gold = new Set(graph.edges.map(keyOf));
    right += edges.filter((edge) => gold.has(keyOf(edge))).length;
    total += edges.length + graph.edges.length;
  }
  return (2 * right) / Math.max(1, total);
}
