import type { DependencyGraph, GraphDecoder, GraphEdge } from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { createGraphParser, type GraphExample, type GraphModel, type GraphParser } from "@arcwise/parser";
import { compareGraphDecoders, type GraphComparison } from "./compare-graph-decoders.ts";
import { GRAPH_DECODERS } from "./graph-registry.ts";
import type { Diagram } from "./report/arc-diagram.ts";

/** What is known of a model after all decoders had its scores. */
export interface GraphModelComparison extends GraphComparison {
  /** Graphs of some sentences that AD3 found, and their gold graphs. */
  readonly diagrams: readonly Diagram[];
}

/** Sentences that are drawn, and how long they are. */
const DRAWN = { sentences: 6, least: 5, most: 16 };

/** All decoders of graphs on the scores of a model, and diagrams of some graphs. */
export function compareGraphModel(
  model: GraphModel,
  examples: readonly GraphExample[],
  onPass?: (name: string) => void,
): GraphModelComparison {
  // Any decoder that takes all parts does to make the problems.
  const parser = createGraphParser(model, { decoder: ad3GraphDecoder() });
  const problems = examples.map(({ sentence, syntax }) => parser.problem(sentence, { syntax }));
  const f1 = (decoder: GraphDecoder): number => labelledF1(createGraphParser(model, { decoder }), examples);
  const comparison = compareGraphDecoders(problems, GRAPH_DECODERS, { f1, ...(onPass && { onPass }) });
  const drawn = examples.filter(
    ({ sentence: { length }, graph }) =>
      length >= DRAWN.least && length <= DRAWN.most && graph.edges.length > 0,
  );
  return { ...comparison, diagrams: drawn.slice(0, DRAWN.sentences).map((one) => diagramOf(parser, one)) };
}

/** Edges that were found above the words, those that are missing below. */
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

/** The edges of a graph, with its tops as edges from the root. */
function edgesOf({ edges, tops }: DependencyGraph): GraphEdge[] {
  return [...edges, ...tops.map((modifier) => ({ head: 0, modifier, label: "top" }))];
}

function keyOf({ head, modifier, label }: GraphEdge): string {
  return `${head} ${modifier} ${label}`;
}

/** Labelled F1 of edges. */
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
