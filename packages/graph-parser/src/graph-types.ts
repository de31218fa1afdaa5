import type {
  DependencyGraph,
  GraphMarginals,
  GraphPosteriors,
  GraphProblem,
  ReportedGraphDecoding,
  Sentence,
} from "@arcwise/core";
import type { EncoderIdentity } from "@arcwise/core/encoders";
import type { SyntaxInput } from "@arcwise/core/features";

/** A sentence with its gold graph, and its basic tree where graphs are learned with one. */
export interface GraphExample {
  readonly sentence: Sentence;
  readonly graph: DependencyGraph;
  readonly syntax?: SyntaxInput | undefined;
}

/**
 * The kind of graphs: semantic graphs of predicates and their arguments, or enhanced dependencies. Labels of enhanced
 * dependencies may contain lemmas of other words (`obl:in`): the model learns labels without lemmas, and the lemmas are
 * found again in the graph.
 */
export type GraphKind = "semantic" | "enhanced";

/** Additional input of a sentence. */
export interface GraphParseOptions {
  /** The basic tree, which a model that was trained with trees needs. */
  readonly syntax?: SyntaxInput | undefined;
}

/** The graph of a sentence. */
export interface GraphParse extends DependencyGraph {
  /** Its score by the model. */
  readonly score: number;
  /**
   * An upper bound of the score of any graph over the candidates; equal to `score` where the decoder proved
   * optimality.
   */
  readonly bound: number;
  /** How it was found, by decoders that report it. */
  readonly report?: Pick<ReportedGraphDecoding, "status" | "counts"> | undefined;
}

/** A sentence to find a graph of. */
export interface GraphParserInput extends GraphParseOptions {
  readonly sentence: Sentence;
}

/**
 * A sentence that a graph parser has read: a value that owns its data. Its methods may be called in any order, any
 * number of times, even after other sentences were read.
 */
export interface GraphReading {
  /**
   * Returns the best graph. O(n² templates) with few templates for the pruner, O(candidates · templates ·
   * labels), and the decoder's cost.
   *
   * @throws RangeError when the model was trained with trees and none is given, or when the heads do not form a tree
   */
  best(): GraphParse;
  /** Returns the scored candidates, as the decoder gets them. Throws as `best`. */
  problem(): GraphProblem;
  /**
   * Returns the marginal probabilities of the problem.
   *
   * @throws UnsupportedCapability when the decoder does not compute marginals, RangeError as `best`
   */
  marginals(): GraphMarginals;
  /**
   * Returns the values of the relaxed solution that the graph comes from.
   *
   * @throws UnsupportedCapability when the decoder does not solve a relaxation, RangeError as `best`
   */
  posteriors(): GraphPosteriors;
}

/** Finds graphs with one model. */
export interface GraphParser {
  /** The encoder whose vectors words need, as of `Parser`. */
  readonly encoder?: EncoderIdentity | undefined;
  /** Reads sentences: the networks of the model run over several of them at a time. */
  read(inputs: readonly GraphParserInput[]): GraphReading[];
  /**
   * Returns the best graph of a sentence: `read([{ sentence, ...options }])[0].best()`. Throws as that.
   */
  parse(sentence: Sentence, options?: GraphParseOptions): GraphParse;
}
