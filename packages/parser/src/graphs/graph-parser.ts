import {
  type Arcs,
  dependencyGraph,
  type GraphProblem,
  hasGraphCapability,
  requireGraphCapability,
  requireGraphHandled,
  type Sentence,
} from "@arcwise/core";
import { sentenceEncoder } from "@arcwise/core/features";
import type { SearchOptions } from "../decoding/decoders.ts";
import { GraphLabels } from "./encoded-graph.ts";
import { completed, suggesting } from "./enhanced-input.ts";
import { type GraphDecoderChoice, graphDecoderOf, rememberedGraphDecoder } from "./graph-decoders.ts";
import type { GraphModel } from "./graph-model.ts";
import { GraphNetworkScorer } from "./graph-network.ts";
import type { GraphWeights } from "./graph-part-scoring.ts";
import { GraphPruner } from "./graph-pruner.ts";
import { type GraphInput, GraphScorer } from "./graph-scorer.ts";
import { type SenseInput, type SenseModel, SenseScorer } from "./graph-senses.ts";
import { addScores } from "./graph-task.ts";
import type { GraphParse, GraphParseOptions, GraphParser } from "./graph-types.ts";

/** Options of `createGraphParser`. */
export interface GraphParserOptions extends SearchOptions {
  /** Default: the decoder that the model was trained with. */
  readonly decoder?: GraphDecoderChoice | undefined;
}

/**
 * Makes a parser of a graph model. It owns scratch memory that grows with the longest sentence.
 *
 * @throws UnsupportedPart when the decoder cannot score the parts of the model, or take its unique labels
 * @throws MissingDecoder when the model was trained with a decoder that is not built in, and none is given
 * @throws RangeError when a search option is for another decoder
 */
export function createGraphParser(model: GraphModel, options: GraphParserOptions = {}): GraphParser {
  const { decoder: given = rememberedGraphDecoder(model.decoder), ...search } = options;
  const decoder = graphDecoderOf(given, { ...search, purpose: "parsing" });
  const labels = new GraphLabels(model.labels);
  const encoder = sentenceEncoder(model.encoder);
  const scoring = new GraphScoring(model);
  const senses = new Senses(model.senses);
  requireGraphHandled(scoring.emptyProblem(), decoder.name, decoder.handles);

  function inputOf(words: Sentence, { syntax }: GraphParseOptions = {}): GraphInput {
    return { sentence: encoder.encode(words), syntax: suggesting(words, syntax, model) };
  }

  function problem(words: Sentence, at?: GraphParseOptions): GraphProblem {
    return scoring.problem(inputOf(words, at));
  }

  function parse(words: Sentence, at?: GraphParseOptions): GraphParse {
    const input = inputOf(words, at);
    const scored = scoring.problem(input);
    const { choice, report } = decode(scored);
    const { edges, tops } = labels.decode(scored, choice);
    const predicates = model.features.scorePredicates
      ? senses.of({ ...input, words, edges }, choice.predicates)
      : [];
    const found = dependencyGraph(words.length, { edges, tops, predicates });
    const graph = completed(words, found, model.graphs);
    return { ...graph, score: choice.score, bound: choice.bound, ...(report && { report }) };
  }

  function decode(scored: GraphProblem) {
    if (!hasGraphCapability(decoder, "decodeWithReport")) return { choice: decoder.decode(scored) };
    const choice = decoder.decodeWithReport(scored);
    const { status, counts } = choice;
    return { choice, report: { status, counts } };
  }

  return {
    parse,
    problem,
    marginals: (sentence, at) =>
      requireGraphCapability(decoder, "marginals").marginals(problem(sentence, at)),
    posteriors: (sentence, at) =>
      requireGraphCapability(decoder, "decodeRelaxed").decodeRelaxed(problem(sentence, at)).posteriors,
  };
}

/** Gives predicates their senses; "" where the model has none. */
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

/** The path from a sentence to the problem of a decoder: prune, score, add. */
class GraphScoring {
  readonly #model: GraphModel;
  readonly #scorer: GraphScorer;
  readonly #pruner: GraphPruner;
  readonly #network: GraphNetworkScorer | undefined;

  constructor(model: GraphModel) {
    const { features, filter, unique, pruner, prunerWeights, network } = model;
    this.#model = model;
    this.#scorer = new GraphScorer(features, filter, unique);
    this.#pruner = new GraphPruner(prunerWeights.values, prunerWeights.scale, pruner);
    this.#network = network && new GraphNetworkScorer(network);
  }

  problem(input: GraphInput): GraphProblem {
    const { threshold } = this.#model.pruner;
    const suggested = input.syntax?.suggested;
    const also = suggested ? [pairsOfEdges(suggested)] : [];
    const arcs = this.#pruner.prune(input.sentence, threshold, also);
    return this.score(input, arcs);
  }

  score(input: GraphInput, arcs: Arcs): GraphProblem {
    const problem = this.#scorer.score(input, arcs, this.#model.weights);
    if (this.#network !== undefined) {
      addScores(problem, this.#network.scores(input.sentence, arcs), this.#model.features.scorePredicates);
    }
    return problem;
  }

  /** Returns the problem of a sentence without words, with everything that a decoder has to handle. */
  emptyProblem(): GraphProblem {
    return this.#scorer.emptyProblem();
  }
}

/** The pairs of words of edges, as columns. */
export function pairsOfEdges(edges: readonly { readonly head: number; readonly modifier: number }[]) {
  return { head: edges.map(({ head }) => head), modifier: edges.map(({ modifier }) => modifier) };
}
