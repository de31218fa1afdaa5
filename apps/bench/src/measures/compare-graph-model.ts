import type { GraphDecoder } from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { graphScores } from "@arcwise/evaluate";
import { createGraphParser, type GraphExample, type GraphModel } from "@arcwise/parser";
import { GRAPH_DECODERS } from "../registry/graph-decoders.ts";
import {
  compareGraphDecoders,
  type GraphCompareOptions,
  type GraphComparison,
} from "./compare-graph-decoders.ts";

/** Compares all decoders of graphs on the scores of a model. */
export function compareGraphModel(
  model: GraphModel,
  examples: readonly GraphExample[],
  options: Omit<GraphCompareOptions, "f1">,
): GraphComparison {
  // The decoder determines the parts of the problems: it handles all of them.
  const parser = createGraphParser(model, { decoder: ad3GraphDecoder() });
  const problems = parser.read(examples).map((reading) => reading.problem());
  const f1 = (decoder: GraphDecoder): number => {
    const graphs = createGraphParser(model, { decoder }).read(examples);
    const pairs = examples.map(({ graph }, i) => ({ gold: graph, predicted: graphs[i]!.best() }));
    return graphScores(pairs).labelled.f1;
  };
  return compareGraphDecoders(problems, GRAPH_DECODERS, { ...options, f1 });
}
