import {
  type GraphDecoder,
  type GraphDecoding,
  type GraphProblem,
  hasCapability,
  scoreGraph,
} from "@arcwise/core";
import { ad3GraphDecoder } from "@arcwise/decode-ad3";
import { graphScores } from "@arcwise/evaluate";
import {
  createGraphParser,
  type GraphExample,
  type GraphModel,
  type GraphParse,
} from "@arcwise/graph-parser";
import { GRAPH_DECODERS } from "../registry/graph-decoders.ts";
import {
  type CompareOptions,
  type Comparison,
  compareDecoders,
  type DecoderComparison,
  type Subject,
} from "./compare-decoders.ts";
import { mean } from "./timing.ts";

/** Results of a decoder of graphs. */
export interface GraphComparison extends DecoderComparison {
  /** Labelled F1 of edges. */
  readonly f1: number;
  /** Iterations per sentence, of decoders that count them. */
  readonly iterations?: number | undefined;
}

interface FoundGraph extends GraphDecoding {
  readonly iterations?: number | undefined;
}

/** Compares all decoders of graphs on the scores of a model. */
export function compareGraphs(
  treebank: string,
  model: GraphModel,
  examples: readonly GraphExample[],
  options: CompareOptions,
): Comparison<GraphComparison> {
  const subject: Subject<GraphProblem, GraphDecoder, FoundGraph, GraphParse> = {
    contestants: GRAPH_DECODERS,
    lengths: examples.map(({ sentence }) => sentence.length),
    reader: (given) => {
      // The decoder determines the parts of the problems: AD3 handles all of them.
      const { name, handles, decode } = ad3GraphDecoder();
      const parser = createGraphParser(model, { decoder: { name, handles, decode: given ?? decode } });
      return (i) => parser.read([examples[i]!])[0]!;
    },
    handled,
    decode: (_label, decoder, problem) => decodeGraph(decoder, problem),
    keyOf: ({ labelled, predicates }) => `${labelled} ${predicates}`,
  };
  const { comparison, used, runs, outputs } = compareDecoders(treebank, subject, options);
  const decoders = comparison.decoders.map((row, which): GraphComparison => {
    const pairs = used.map((i, k) => ({ gold: examples[i]!.graph, predicted: outputs[which]![k]! }));
    const counts = runs[which]!.flatMap(({ iterations }) => iterations ?? []);
    const iterations = counts.length === used.length ? mean(counts) : undefined;
    return { ...row, f1: graphScores(pairs).labelled.f1, iterations };
  });
  return { ...comparison, decoders };
}

/** Decodes what a decoder handles of a problem; the score counts the whole problem. */
export function decodeGraph(decoder: GraphDecoder, problem: GraphProblem): FoundGraph {
  const known = handled(decoder, problem);
  const report = hasCapability(decoder, "decodeWithReport") ? decoder.decodeWithReport(known) : undefined;
  const found = { ...(report ?? decoder.decode(known)), iterations: report?.counts.iterations };
  return known === problem ? found : { ...found, score: scoreGraph(problem, found), bound: Infinity };
}

/** Returns the problem without what a decoder does not handle; the problem itself if it handles all. */
function handled({ handles }: GraphDecoder, problem: GraphProblem): GraphProblem {
  const parts = problem.parts.filter(({ kind }) => handles.has(kind));
  const isUnique = problem.unique.includes(1) && !handles.has("unique");
  if (parts.length === problem.parts.length && !isUnique) return problem;
  return { ...problem, parts, unique: isUnique ? problem.unique.map(() => 0) : problem.unique };
}
