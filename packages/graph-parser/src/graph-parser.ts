import {
  type DependencyGraph,
  dependencyGraph,
  type GraphChoice,
  type GraphDecoder,
  type GraphDecoding,
  type GraphPartKind,
  type GraphProblem,
  hasCapability,
  requireCapability,
  type Sentence,
} from "@arcwise/core";
import { requireVectors } from "@arcwise/core/encoders";
import type { SyntaxInput } from "@arcwise/core/features";
import { accepting, anything, checkOptions, defineOptions, type OptionsOf } from "@arcwise/core/options";
import { SEARCH_OPTIONS } from "@arcwise/parser/decoding";
import { copyWords, modelEncoder, requireScored, storedDecoderName } from "@arcwise/parser/shared";
import { GraphLabels } from "./encoded-graph.ts";
import { completed, suggesting } from "./enhanced-input.ts";
import { type GraphDecoderChoice, graphDecoderOf } from "./graph-decoders.ts";
import { encoderOfGraphs, type GraphModel } from "./graph-model.ts";
import { graphNetworkReader } from "./graph-network-jobs.ts";
import { graphScoringOf, type ScoredInput } from "./graph-scoring.ts";
import { SenseScorer } from "./graph-senses.ts";
import type { GraphParse, GraphParser, GraphParserInput, GraphReading } from "./graph-types.ts";

const OPTIONS = defineOptions({
  decoder: {
    check: accepting<GraphDecoderChoice>(anything),
    help: "the decoder to parse with",
    defaultHelp: "the decoder that the model was trained with, if it is built in",
  },
  ...SEARCH_OPTIONS,
});

/** Options of `createGraphParser`. */
export interface GraphParserOptions extends OptionsOf<typeof OPTIONS> {}

/**
 * Makes a parser of a graph model. It owns scratch memory that grows with the longest sentence.
 *
 * @throws UnsupportedPart when the decoder cannot score the parts of the model, or take its unique labels
 * @throws ArcwiseError `missing-decoder` when the model was trained with a decoder that is not built in, and none is given
 * @throws ArcwiseError `unknown-option`, `invalid-option`
 * @throws RangeError when a search option is for another decoder
 */
export function createGraphParser(model: GraphModel, options?: GraphParserOptions): GraphParser {
  const { decoder: given = storedDecoderName("graphs", model.decoder), ...search } = checkOptions(
    OPTIONS,
    options,
    "createGraphParser",
  );
  const decoder = graphDecoderOf(given, { ...search, purpose: "parsing" });
  const engine = graphEngine(model, decoder);
  const read = (inputs: readonly GraphParserInput[]) =>
    engine.read(inputs).map((sentence) => graphReading(engine, sentence));
  const parse: GraphParser["parse"] = (sentence, given) => read([{ sentence, ...given }])[0].best();
  return { encoder: encoderOfGraphs(model), read, parse };
}

/** A sentence as the features see it, with its words, its tree and the output of the network. */
interface ReadGraph extends ScoredInput {
  readonly words: Sentence;
}

/** A sentence with its problem. */
interface ScoredGraph {
  readonly read: ReadGraph;
  readonly problem: GraphProblem;
}

/** The scorers and the decoder of a model: prune, score, decode. */
type GraphEngine = ReturnType<typeof graphEngine>;

function graphEngine(model: GraphModel, decoder: GraphDecoder) {
  const { network, senses, features, graphs } = model;
  const labels = new GraphLabels(model.labels);
  const encoder = modelEncoder(model.encoder, network);
  const scoring = graphScoringOf(model);
  const readNetworks = network && graphNetworkReader(network, encoder);
  const senseScorer = senses && new SenseScorer(senses.inventory, senses.configuration);
  const kinds = Object.keys(features.parts) as GraphPartKind[];
  requireScored(decoder, kinds, model.unique.includes(1) && ["unique"]);
  return {
    decoder,
    /** Encodes sentences and runs the networks over them, several at a time. */
    read(inputs: readonly GraphParserInput[]): ReadGraph[] {
      const encoded = inputs.map(({ sentence: given, syntax }) => {
        const words = copyWords(given);
        if (network?.encoder !== undefined) requireVectors(words, network.encoder);
        return { words, sentence: encoder.encode(words), syntax: syntax && copySyntax(syntax) };
      });
      const networks = readNetworks?.(encoded.map(({ sentence }) => sentence));
      return encoded.map((one, s) => ({ ...one, network: networks?.[s] }));
    },
    /** Returns a sentence with the edges that rules suggest, and its problem. */
    score(given: ReadGraph): ScoredGraph {
      const read = { ...given, syntax: suggesting(given.words, given.syntax, model) };
      return { read, problem: scoring(read) };
    },
    /** Returns a graph that the decoder chose, with labels, senses, and lemmas in labels. */
    graph({ read, problem }: ScoredGraph, choice: GraphChoice): DependencyGraph {
      const { words } = read;
      const { edges, tops } = labels.decode(problem, choice);
      const isPredicate = (w: number) => features.scorePredicates && w > 0 && choice.predicates[w] === 1;
      const positions = [...choice.predicates.keys()].filter(isPredicate);
      if (positions.length > 0) senseScorer?.prepare({ ...read, edges });
      const senseOf = (position: number) => senseScorer?.best(position, senses!.weights) ?? "";
      const predicates = positions.map((position) => ({ position, sense: senseOf(position) }));
      return completed(words, dependencyGraph(words.length, { edges, tops, predicates }), graphs);
    },
  };
}

function graphReading(engine: GraphEngine, read: ReadGraph): GraphReading {
  const { decoder } = engine;
  const problem = () => engine.score(read).problem;
  return {
    best() {
      const scored = engine.score(read);
      const parse = (choice: GraphDecoding): GraphParse => {
        const { score, bound } = choice;
        return { ...engine.graph(scored, choice), score, bound };
      };
      if (!hasCapability(decoder, "decodeWithReport")) return parse(decoder.decode(scored.problem));
      const choice = decoder.decodeWithReport(scored.problem);
      const { status, counts } = choice;
      return { ...parse(choice), report: { status, counts } };
    },
    problem,
    marginals: () => requireCapability(decoder, "marginals", 'use the decoder "basic"').marginals(problem()),
    posteriors: () =>
      requireCapability(decoder, "decodeRelaxed", 'use the decoder "ad3"').decodeRelaxed(problem())
        .posteriors,
  };
}

/** Copies a tree, which may change later. */
function copySyntax({ heads, labels, suggested }: SyntaxInput): SyntaxInput {
  return { heads: heads.slice(), labels: [...labels], suggested: suggested && [...suggested] };
}
