import {
  type DependencyGraph,
  dependencyGraph,
  type GraphChoice,
  type GraphDecoder,
  type GraphDecoding,
  type GraphMarginals,
  type GraphPartKind,
  type GraphPosteriors,
  type GraphProblem,
  hasCapability,
  requireCapability,
  type Sentence,
} from "@arcwise/core";
import { requireVectors } from "@arcwise/core/encoders";
import { type SentenceEncoder, type SyntaxInput, sentenceEncoder } from "@arcwise/core/features";
import { accepting, anything, checkOptions, defineOptions, type OptionsOf } from "@arcwise/core/options";
import { SEARCH_OPTIONS } from "../decoding/decoder-table.ts";
import { storedDecoderName } from "../decoding/decoders.ts";
import { requireScored } from "../decoding/make-decoder.ts";
import { copyWords } from "../reading/tree-reading.ts";
import { readsWordsThemselves } from "../scoring/network/network-scorer.ts";
import { withWords } from "../scoring/trees/tree-features.ts";
import { withVectors } from "../scoring/vectors/word-vectors.ts";
import { GraphLabels } from "./encoded-graph.ts";
import { completed, suggesting } from "./enhanced-input.ts";
import { type GraphDecoderChoice, graphDecoderOf } from "./graph-decoders.ts";
import { encoderOfGraphs, type GraphModel } from "./graph-model.ts";
import { graphNetworkReader } from "./graph-network.ts";
import { type GraphScoring, graphScoringOf, type ScoredInput } from "./graph-scoring.ts";
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
 * @throws MissingDecoder when the model was trained with a decoder that is not built in, and none is given
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
  const engine = new GraphEngine(model, decoder);
  const read = (inputs: readonly GraphParserInput[]) => engine.read(inputs);
  const parse: GraphParser["parse"] = (sentence, given) => read([{ sentence, ...given }])[0]!.best();
  return { encoder: encoderOfGraphs(model), read, parse };
}

/** A sentence as the features see it, with its words, its tree and the output of the network. */
interface ReadGraph extends ScoredInput {
  readonly words: Sentence;
}

/** The scorers and the decoder of a model: prune, score, decode. */
class GraphEngine {
  readonly decoder: GraphDecoder;
  readonly #model: GraphModel;
  readonly #labels: GraphLabels;
  readonly #encoder: SentenceEncoder;
  readonly #scoring: GraphScoring;
  readonly #networks: ReturnType<typeof graphNetworkReader> | undefined;
  readonly #senses: SenseScorer | undefined;

  /** @throws UnsupportedPart when the decoder cannot score the parts of the model, or take its unique labels */
  constructor(model: GraphModel, decoder: GraphDecoder) {
    const { network, senses } = model;
    this.decoder = decoder;
    this.#model = model;
    this.#labels = new GraphLabels(model.labels);
    const readsWords = network && readsWordsThemselves(network) ? network : undefined;
    this.#encoder = withWords(withVectors(sentenceEncoder(model.encoder), network?.vectors), readsWords);
    this.#scoring = graphScoringOf(model);
    this.#networks = network && graphNetworkReader(network, this.#encoder);
    this.#senses = senses && new SenseScorer(senses.inventory, senses.configuration);
    const kinds = Object.keys(model.features.parts) as GraphPartKind[];
    requireScored(decoder, kinds, model.unique.includes(1) && ["unique"]);
  }

  /** Encodes sentences and runs the networks over them, several at a time. */
  read(inputs: readonly GraphParserInput[]): GraphReading[] {
    const needed = this.#model.network?.encoder;
    const encoded = inputs.map(({ sentence: given, syntax }) => {
      const words = copyWords(given);
      if (needed !== undefined) requireVectors(words, needed);
      return { words, sentence: this.#encoder.encode(words), syntax: syntax && copySyntax(syntax) };
    });
    const networks = this.#networks?.(encoded.map(({ sentence }) => sentence));
    return encoded.map((one, s) => new ModelGraphReading(this, { ...one, network: networks?.[s] }));
  }

  /** Returns a sentence with the edges that rules suggest, and its problem. */
  score(given: ReadGraph): { readonly read: ReadGraph; readonly problem: GraphProblem } {
    const read = { ...given, syntax: suggesting(given.words, given.syntax, this.#model) };
    return { read, problem: this.#scoring(read) };
  }

  /** Returns a graph that the decoder chose, with labels, senses, and lemmas in labels. */
  graph({ read, problem }: ReturnType<GraphEngine["score"]>, choice: GraphChoice): DependencyGraph {
    const { words } = read;
    const { features, senses, graphs } = this.#model;
    const { edges, tops } = this.#labels.decode(problem, choice);
    const isPredicate = (w: number) => features.scorePredicates && w > 0 && choice.predicates[w] === 1;
    const positions = [...choice.predicates.keys()].filter(isPredicate);
    if (positions.length > 0) this.#senses?.prepare({ ...read, edges });
    const predicates = positions.map((position) => ({
      position,
      sense: this.#senses?.best(position, senses!.weights) ?? "",
    }));
    return completed(words, dependencyGraph(words.length, { edges, tops, predicates }), graphs);
  }
}

class ModelGraphReading implements GraphReading {
  readonly #engine: GraphEngine;
  readonly #read: ReadGraph;

  constructor(engine: GraphEngine, read: ReadGraph) {
    this.#engine = engine;
    this.#read = read;
  }

  best(): GraphParse {
    const { decoder } = this.#engine;
    const scored = this.#engine.score(this.#read);
    const parse = (choice: GraphDecoding): GraphParse => {
      const { score, bound } = choice;
      return { ...this.#engine.graph(scored, choice), score, bound };
    };
    if (!hasCapability(decoder, "decodeWithReport")) return parse(decoder.decode(scored.problem));
    const choice = decoder.decodeWithReport(scored.problem);
    const { status, counts } = choice;
    return { ...parse(choice), report: { status, counts } };
  }

  problem(): GraphProblem {
    return this.#engine.score(this.#read).problem;
  }

  marginals(): GraphMarginals {
    return requireCapability(this.#engine.decoder, "marginals", 'use the decoder "basic"').marginals(
      this.problem(),
    );
  }

  posteriors(): GraphPosteriors {
    return requireCapability(this.#engine.decoder, "decodeRelaxed", 'use the decoder "ad3"').decodeRelaxed(
      this.problem(),
    ).posteriors;
  }
}

/** Copies a tree, which may change later. */
function copySyntax({ heads, labels, suggested }: SyntaxInput): SyntaxInput {
  return { heads: heads.slice(), labels: [...labels], suggested: suggested && [...suggested] };
}
