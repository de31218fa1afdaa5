import type {
  DependencyGraph,
  GraphMarginals,
  GraphPartKind,
  GraphPosteriors,
  GraphProblem,
  ReportedGraphDecoding,
  Sentence,
} from "@arcwise/core";
import type { SyntaxInput } from "@arcwise/core/features";
import type { LearnerChoice } from "../types.ts";
import type { GraphDecoderChoice } from "./graph-decoders.ts";
import type { GraphCosts } from "./graph-task.ts";

/** A sentence with its gold graph, and its basic tree where graphs are learned with one. */
export interface GraphExample {
  readonly sentence: Sentence;
  readonly graph: DependencyGraph;
  readonly syntax?: SyntaxInput | undefined;
}

/** Progress of the training of a graph parser. */
export interface GraphTrainingProgress {
  readonly stage: "prune" | "network" | "learn";
  /** From 1. */
  readonly epoch: number;
  readonly epochs: number;
  /** Sentences done in this epoch, and all of them. */
  readonly done: number;
  readonly total: number;
  /** In "network": the mean loss of a word so far in this epoch. */
  readonly loss?: number | undefined;
  /** In "learn": the mean cost of the mistakes in a sentence so far in this epoch. */
  readonly cost?: number | undefined;
  /** At the end of an epoch of "learn" with a development set: labelled F1 of its edges, in percent. */
  readonly dev?: number | undefined;
}

/**
 * What graphs are: semantic graphs of predicates and their arguments, or enhanced dependencies, whose labels
 * may hold lemmas of other words (`obl:in`): those are learned without them, and found again in the graph.
 */
export type GraphKind = "semantic" | "enhanced";

/** Options of `trainGraphParser`. */
export interface GraphTrainOptions {
  /** Default: "semantic". */
  readonly graphs?: GraphKind | undefined;
  /**
   * Whether the edges that follow from the basic tree by the rules of `enhanceTree` are candidates and
   * features: for enhanced dependencies of English, with trees. Default: false.
   */
  readonly rules?: boolean | undefined;
  /** Kinds of parts of several arcs; they ask for a decoder that handles them. Default: none. */
  readonly parts?: readonly GraphPartKind[] | undefined;
  /**
   * Whether frequent labels that no predicate of the training graphs has twice are unique, which requires a
   * decoder that handles "unique". Default: false.
   */
  readonly unique?: boolean | undefined;
  /**
   * "basic", exact and fast, for models without parts and unique labels; "ad3" or "hillclimb" for all models.
   * Or another decoder: an object, a factory, or a module (`loadGraphDecoder` of `@arcwise/parser/node`).
   * Default: "basic", with parts or unique labels "ad3".
   */
  readonly decoder?: GraphDecoderChoice | undefined;
  /** Default: a support vector machine (cost-augmented hinge loss) with the steps of AdaGrad. */
  readonly learner?: LearnerChoice | undefined;
  /**
   * Costs of mistakes in cost-augmented decoding. Default: 0.4 a false predicate or labelled arc, 0.6 a
   * missing one.
   */
  readonly costs?: Partial<GraphCosts> | undefined;
  /**
   * Share of gold edges that the pruner keeps, and maximum number of candidates a word for that. Default:
   * 0.985 and 4.
   */
  readonly prune?: { readonly recall?: number; readonly most?: number } | undefined;
  /**
   * A recurrent network that scores predicates, arcs and labels besides the sparse features. Units: a
   * multiple of 4 (128 is usual). Epochs by default: 12. Weights of its log-odds and of its log-shares of
   * labels: by default 0.6 and 0.3, chosen on PropBank.
   */
  readonly network?:
    | {
        readonly units: number;
        readonly epochs?: number;
        readonly weight?: number;
        readonly labelWeight?: number;
      }
    | undefined;
  /**
   * How many of the epochs, the first ones, are learned without parts of several arcs and unique labels,
   * which take most of the time. For learners of one example at a time. Default: with parts or unique labels
   * and such a learner, all epochs but the last two; otherwise 0.
   */
  readonly basicEpochs?: number | undefined;
  /** Default: 8. */
  readonly epochs?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  readonly dev?: readonly GraphExample[] | undefined;
  readonly onProgress?: ((progress: GraphTrainingProgress) => void) | undefined;
  /** Called with the state after each epoch: `resume` continues from it to the same model, byte for byte. */
  readonly onCheckpoint?: ((state: Uint8Array) => void | Promise<void>) | undefined;
  readonly resume?: Uint8Array | undefined;
  /** Ends training, between two sentences, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
}

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
 * What a parser of graphs has read of one sentence: a value that owns what it needs. Its methods may be
 * called in any order, any number of times, also after other sentences were read.
 */
export interface GraphReading {
  /**
   * Returns the best graph. O(n² templates) with few templates for the pruner, O(candidates · templates ·
   * labels), and the decoder's cost.
   *
   * @throws RangeError when the model was trained with trees and none is given, or when the tree is none
   */
  best(): GraphParse;
  /** Returns the scored candidates, as the decoder gets them. Throws as `best`. */
  problem(): GraphProblem;
  /**
   * Returns the marginal probabilities of the problem.
   *
   * @throws UnsupportedCapability when the decoder has none, RangeError as `best`
   */
  marginals(): GraphMarginals;
  /**
   * Returns the values of the relaxed solution that the graph comes from.
   *
   * @throws UnsupportedCapability when the decoder solves no relaxation, RangeError as `best`
   */
  posteriors(): GraphPosteriors;
}

/** Finds graphs with one model. */
export interface GraphParser {
  /** Reads sentences: the networks of the model run over several of them at a time. */
  read(inputs: readonly GraphParserInput[]): GraphReading[];
  /**
   * Returns the best graph of a sentence: `read([{ sentence, ...options }])[0].best()`. Throws as that.
   */
  parse(sentence: Sentence, options?: GraphParseOptions): GraphParse;
}
