import {
  type DependencyGraph,
  dependencyGraph,
  type GraphChoice,
  type GraphDecoder,
  type GraphDecoding,
  type GraphMarginals,
  type GraphPosteriors,
  type GraphProblem,
  hasCapability,
  requireCapability,
  requireGraphHandled,
  type Sentence,
} from "@arcwise/core";
import { requireVectors } from "@arcwise/core/encoders";
import { type SentenceEncoder, type SyntaxInput, sentenceEncoder } from "@arcwise/core/features";
import { accepting, anything, checkOptions, defineOptions, type OptionsOf } from "@arcwise/core/options";
import { SEARCH_OPTIONS } from "../decoding/decoder-table.ts";
import { copyWords } from "../reading/tree-reading.ts";
import { readsWordsThemselves } from "../scoring/network/network-scorer.ts";
import { withWords } from "../scoring/trees/tree-features.ts";
import { withVectors } from "../scoring/vectors/word-vectors.ts";
import { GraphLabels } from "./encoded-graph.ts";
import { completed, suggesting } from "./enhanced-input.ts";
import { type GraphDecoderChoice, graphDecoderOf, rememberedGraphDecoder } from "./graph-decoders.ts";
import { encoderOfGraphs, type GraphModel } from "./graph-model.ts";
import { GraphNetworkScorer } from "./graph-network.ts";
import type { GraphWeights } from "./graph-part-scoring.ts";
import { type GraphScoring, graphScoringOf, type ScoredInput } from "./graph-scoring.ts";
import { type SenseInput, type SenseModel, SenseScorer } from "./graph-senses.ts";
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
  const { decoder: given = rememberedGraphDecoder(model.decoder), ...search } = checkOptions(
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
  readonly #network: GraphNetworkScorer | undefined;
  readonly #senses: Senses;

  /** @throws UnsupportedPart when the decoder cannot score the parts of the model, or take its unique labels */
  constructor(model: GraphModel, decoder: GraphDecoder) {
    const { network } = model;
    this.decoder = decoder;
    this.#model = model;
    this.#labels = new GraphLabels(model.labels);
    const readsWords = network && readsWordsThemselves(network) ? network : undefined;
    this.#encoder = withWords(withVectors(sentenceEncoder(model.encoder), network?.vectors), readsWords);
    this.#scoring = graphScoringOf(model);
    this.#network = network && new GraphNetworkScorer(network, this.#encoder);
    this.#senses = new Senses(model.senses);
    requireGraphHandled(this.#scoring.emptyProblem(), decoder.name, decoder.handles);
  }

  /** Encodes sentences and runs the networks over them, several at a time. */
  read(inputs: readonly GraphParserInput[]): GraphReading[] {
    const needed = this.#model.network?.encoder;
    const encoded = inputs.map(({ sentence: given, syntax }) => {
      const words = copyWords(given);
      if (needed !== undefined) requireVectors(words, needed);
      return { words, sentence: this.#encoder.encode(words), syntax: syntax && copySyntax(syntax) };
    });
    const networks = this.#network?.readAll(encoded.map(({ sentence }) => sentence));
    return encoded.map((one, s) => new ModelGraphReading(this, { ...one, network: networks?.[s] }));
  }

  /** Adds the edges that rules suggest to the tree of a sentence. */
  withSuggestions(read: ReadGraph): ReadGraph {
    return { ...read, syntax: suggesting(read.words, read.syntax, this.#model) };
  }

  problem(read: ReadGraph): GraphProblem {
    return this.#scoring.problem(read);
  }

  /** Returns a graph that the decoder chose, with labels, senses, and lemmas in labels. */
  graph(read: ReadGraph, problem: GraphProblem, choice: GraphChoice): DependencyGraph {
    const { words } = read;
    const { edges, tops } = this.#labels.decode(problem, choice);
    const predicates = this.#model.features.scorePredicates
      ? this.#senses.of({ ...read, edges }, choice.predicates)
      : [];
    const found = dependencyGraph(words.length, { edges, tops, predicates });
    return completed(words, found, this.#model.graphs);
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
    const engine = this.#engine;
    const { decoder } = engine;
    const read = engine.withSuggestions(this.#read);
    const problem = engine.problem(read);
    const parse = (choice: GraphDecoding): GraphParse => {
      const { score, bound } = choice;
      return { ...engine.graph(read, problem, choice), score, bound };
    };
    if (!hasCapability(decoder, "decodeWithReport")) return parse(decoder.decode(problem));
    const choice = decoder.decodeWithReport(problem);
    const { status, counts } = choice;
    return { ...parse(choice), report: { status, counts } };
  }

  problem(): GraphProblem {
    return this.#engine.problem(this.#engine.withSuggestions(this.#read));
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

/** Gives predicates their senses; "" if the model does not have senses. */
class Senses {
  readonly #scorer: SenseScorer | undefined;
  readonly #weights: GraphWeights;

  constructor(senses: SenseModel | undefined) {
    this.#scorer = senses && new SenseScorer(senses.inventory, senses.configuration);
    this.#weights = senses?.weights ?? { values: new Float32Array(0), scale: 1 };
  }

  /**
   * The words that are predicates (1 at their position), with their senses. O(predicates · features ·
   * senses).
   */
  of(input: SenseInput, predicates: Uint8Array): { readonly position: number; readonly sense: string }[] {
    const positions = [...predicates.keys()].filter((w) => w > 0 && predicates[w] === 1);
    if (positions.length > 0) this.#scorer?.prepare(input);
    return positions.map((position) => ({
      position,
      sense: this.#scorer?.best(position, this.#weights) ?? "",
    }));
  }
}
