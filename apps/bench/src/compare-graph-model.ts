import type { DependencyGraph, GraphDecoder, Sentence } from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { createGraphParser, type GraphModel } from "@arcwise/parser";
import { compareGraphDecoders, type GraphComparison } from "./compare-graph-decoders.ts";
import { GRAPH_DECODERS } from "./graph-registry.ts";

/** A sentence with its gold graph. */
interface Example {
  readonly sentence: Sentence;
  readonly graph: DependencyGraph;
}

/** All decoders of graphs on the scores of a model that was trained without trees. */
export function compareGraphModel(
  model: GraphModel,
  examples: readonly Example[],
  onPass?: (name: string) => void,
): GraphComparison {
  // Any decoder that takes all parts does to make the problems.
  const parser = createGraphParser(model, { decoder: ad3GraphDecoder() });
  const problems = examples.map(({ sentence }) => parser.problem(sentence));
  const f1 = (decoder: GraphDecoder): number => labelledF1(createGraphParser(model, { decoder }), examples);
  return compareGraphDecoders(problems, GRAPH_DECODERS, { f1, ...(onPass && { onPass }) });
}

/** Labelled F1 of edges. */
function labelledF1(parser: ReturnType<typeof createGraphParser>, examples: readonly Example[]): number {
  let [right, total] = [0, 0];
  for (const { sentence, graph } of examples) {
    const { edges } = parser.parse(sentence);
    const gold = new Set(graph.edges.map(({ head, modifier, label }) => `${head} ${modifier} ${label}`));
    for (const { head, modifier, label } of edges) if (gold.has(`${head} ${modifier} ${label}`)) right++;
    total += edges.length + graph.edges.length;
  }
  return (2 * right) / Math.max(1, total);
}
