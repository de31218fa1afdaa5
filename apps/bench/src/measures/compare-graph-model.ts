import type { DependencyGraph, GraphDecoder, GraphEdge } from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { graphScores } from "@arcwise/evaluate";
import { createGraphParser, type GraphExample, type GraphModel } from "@arcwise/parser";
import { GRAPH_DECODERS } from "../registry/graph-decoders.ts";
import type { ShownSentence } from "../report/page/sentences.ts";
import { distinctOf, MAX_SHOWN } from "../results/results.ts";
import {
  compareGraphDecoders,
  type GraphCompareOptions,
  type GraphComparison,
} from "./compare-graph-decoders.ts";
import { spreadEvenly } from "./scored-sentences.ts";

/** Results of all decoders on the scores of a model. */
export interface GraphModelComparison extends GraphComparison {
  /** At most `MAX_SHOWN` sentences with their graphs. */
  readonly shown: readonly ShownSentence[];
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
    const pairs = examples.map(({ graph }, i) => ({ gold: graph, predicted: graphs[i]! }));
    return graphScores(pairs).labelled.f1;
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
): ShownSentence {
  const keyOf = (edges: readonly GraphEdge[]): string => edges.map(edgeKey).sort().join("\n");
  const { distinct, indices } = distinctOf([graph, ...found].map(edgesOf), keyOf);
  return { index, forms: sentence.map(({ form }) => form), graphs: distinct, found: indices.slice(1) };
}

/** Returns the edges of a graph, with its tops as edges from the root. */
function edgesOf({ edges, tops }: DependencyGraph): GraphEdge[] {
  return [...edges, ...tops.map((modifier) => ({ head: 0, modifier, label: "top" }))];
}

function edgeKey({ head, modifier, label }: GraphEdge): string {
  return `${head} ${modifier} ${label}`;
}
