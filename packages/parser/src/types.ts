import type {
  Arcs,
  DependencyTree,
  ParsingProblem,
  PartKind,
  ReportedDecoding,
  Scored,
  Sentence,
} from "@arcwise/core";
import type { EncoderIdentity } from "@arcwise/core/encoders";
import type { OptionsOf } from "@arcwise/core/options";
import type { ANALYSIS_OPTIONS, MARGINAL_OPTIONS } from "./decoding/constraints.ts";
import type { Calibration } from "./model/calibration.ts";
import type { ColumnShares } from "./model/column-shares.ts";
import type { GivenColumns } from "./scoring/network/given-columns.ts";

/** A sentence with its gold tree. */
export interface TrainingExample {
  readonly sentence: Sentence;
  readonly tree: DependencyTree;
}

/** A trained parser, as `trainParser` and `loadParser` return it. */
export interface ParserModel {
  readonly description: {
    readonly decoder: string;
    readonly order: number;
    /** The learner of the weights of features and its epochs; absent if a network alone scores. */
    readonly learner?: string | undefined;
    readonly epochs?: number | undefined;
    readonly seed: number;
    readonly labels: readonly string[];
    readonly trainingSentences: number;
    readonly trainingWords: number;
    /**
     * Shares of the training words that have tags, features and lemmas; absent in models of older versions.
     */
    readonly columns?: ColumnShares | undefined;
    /** The encoder that it was trained with, and needs. */
    readonly encoder?: EncoderIdentity | undefined;
    readonly nonZeroWeights: number;
    /** How scores become probabilities, if a development set was given; otherwise as they are. */
    readonly calibration?: Calibration | undefined;
    /**
     * Thresholds of the pruner: it keeps heads at least `ratio` times as probable as the best one, and at
     * most `most`; with the share of gold heads among them and their number a word, in training sentences
     * that the pruner was not trained on. False: no pruning.
     */
    readonly pruning:
      | false
      | {
          readonly ratio: number;
          readonly most: number;
          readonly recall: number;
          readonly candidates: number;
        };
    readonly [more: string]: unknown;
  };
}

/** The status of a tree, whether it is proved optimal, and counts of the work done. */
export type ParseReport = Pick<ReportedDecoding, "status" | "counts">;

/** The parts of a model that were not applied to a sentence because it is too large. */
export interface Reduction {
  /** Maximum number of candidate heads of a word, if it was lowered. */
  readonly heads?: number | undefined;
  /** Kinds of parts that were not scored. */
  readonly leftOut: readonly PartKind[];
  /** Number of blocks of words that were parsed one by one: 1 for a sentence that was parsed as a whole. */
  readonly blocks: number;
}

/** The analysis of a sentence. */
export interface Parse extends DependencyTree {
  /** Its score by the model: the score of its arcs, each with its best allowed label, and of its parts. */
  readonly score: number;
  /**
   * An upper bound of the score of any tree over the candidate arcs; equal to `score` when the tree is proved
   * optimal.
   */
  readonly bound: number;
  /**
   * Present for a sentence of too many words or parts (`MAX_PARTS`, `MAX_WORDS`). Score and bound
   * then concern what was scored; scores of blocks are summed, and the bound is Infinity.
   */
  readonly reduced?: Reduction | undefined;
  /** Present for decoders with `decodeWithReport`. */
  readonly report?: ParseReport | undefined;
}

/** Options of an analysis of one sentence. */
export interface ReadingOptions extends OptionsOf<typeof ANALYSIS_OPTIONS> {}

/** Options of probabilities. */
export interface MarginalOptions extends OptionsOf<typeof MARGINAL_OPTIONS> {}

/**
 * How probabilities of arcs were computed: "exact", by sums over all trees of the decoder; "arcs", by sums of
 * a model of arcs, in which the score of an arc includes the parts that it would form with the best tree.
 */
export type ProbabilityMethod = "exact" | "arcs";

/** An analysis, and how probable its arcs are when trees have probability proportional to exp(score). */
export interface Marginals extends Parse {
  /** n + 1 entries: the probability of each word's head; entry 0 is 0. */
  readonly headProbabilities: Float64Array;
  /** n + 1 entries: the probability of each word's head together with its label; entry 0 is 0. */
  readonly labelledProbabilities: Float64Array;
  /** All candidate arcs, and the probability of each: the arcs of a word sum to 1. */
  readonly arcs: Arcs;
  readonly arcProbabilities: Float64Array;
  /**
   * Logarithm of the sum over all labelled trees of exp(score); of the model of arcs where `method` says so.
   */
  readonly logPartition: number;
  readonly method: ProbabilityMethod;
}

/**
 * A share of the score of a tree: of the features of a template on the arc of a word, of the network on that arc, of a kind
 * of parts, or of scores of whole trees (`global`).
 *
 * @example
 * const share: ScoreShare = { term: "feature", template: "h.upos m.upos", word: 1, score: 0.42 };
 */
export interface ScoreShare {
  readonly term: "feature" | "network" | Scored;
  /** The template of a feature. */
  readonly template?: string | undefined;
  /** The word whose arc and label are scored; undefined for parts and whole trees. */
  readonly word?: number | undefined;
  readonly score: number;
}

/**
 * A sentence that a parser has read: a value that owns its data. Its methods may be called in any order, any number of
 * times, even after other sentences were read.
 */
export interface Reading {
  /** The words as the sparse features see them: a copy. */
  readonly words: Sentence;
  /**
   * Returns the best analysis: its heads by the decoder, each arc with its best label.
   *
   * Cost: O(n²) for the pruner with a small constant, O(candidates · templates · labels), and the decoder's.
   *
   * @throws NoTree when no tree meets the constraints
   * @throws ArcwiseError `invalid-data` with constraints of more than 1,000 words that are parsed in blocks
   * @throws ArcwiseError `invalid-argument` when constraints name words that do not exist, or do not have one entry per word
   */
  best(options?: ReadingOptions): Parse;
  /**
   * Returns the k best trees, best first, each arc with its best label; fewer when there are not as many. No
   * two have the same heads. The cost of `best`, and O(n²) or less per tree.
   *
   * A decoder that does not rank trees ("hillclimb", "ad3", decoders of modules) finds them by partition
   * (`kBestByPartition`), with up to n decodings per tree. If it is not exact, these are the trees that it
   * finds, by their scores: better ones may be missing, and the first one may be better than the tree of
   * `best`.
   *
   * @throws ArcwiseError `invalid-argument` when k is not an integer >= 1
   * @throws ArcwiseError `invalid-data` for more than 1,000 words that are parsed in blocks
   * @throws NoTree, ArcwiseError as `best`
   */
  kBest(k: number, options?: ReadingOptions): Parse[];
  /**
   * Returns the best analysis with the probabilities of its arcs, and of all candidate arcs. They are exact
   * for scores of arcs (matrix-tree theorem, or inside-outside for projective trees) and for decoders that
   * sum over trees with parts; otherwise from a model of arcs. `method` says which.
   *
   * The labels of each arc are summed out; a label's share of the arc's sum is its probability given the arc.
   * The scores of margin learners are not log-probabilities: scores are divided by the temperature that
   * training learned on its development set (`calibration` of the description). Without one, the
   * probabilities of models trained by "crf" are calibrated, and others rank arcs only.
   *
   * Cost: twice the cost of scoring, and O(n³) with a small constant, or the cost of the projective decoder; for a
   * model of arcs also O(candidates · n) per kind of parts.
   *
   * @throws ArcwiseError `invalid-data` for more than 1,000 words
   * @throws NoTree, ArcwiseError as `best`
   */
  marginals(options?: MarginalOptions): Marginals;
  /**
   * Returns the labels of the words in the columns that the network of the model predicts, by name; empty
   * if it does not predict columns.
   *
   * The labels of a word are chosen jointly: combinations that training did not see are chosen only if they are far
   * more probable.
   *
   * Cost: O(units · labels + combinations of labels) per word.
   *
   * @param given what something else, such as a tagger, predicted
   * @throws ArcwiseError `invalid-argument` when there is not one given label for each word
   */
  columns(given?: GivenColumns): Record<string, string[]>;
  /** Returns the scored candidates, the input of a decoder. Throws as `kBest`. */
  problem(options?: ReadingOptions): ParsingProblem;
  /**
   * Returns the shares of the score of a tree, each arc with its best label: features and networks by word, parts by
   * kind. They sum to its score, up to rounding; shares of 0 of features are left out. A network is a single share of each arc: within it, shares do not add up.
   *
   * Cost: O(n · templates), and the cost of scoring.
   *
   * @throws ArcwiseError `invalid-argument` when the heads are not a tree
   * @throws NoTree when the decoder cannot return the tree
   * @throws ArcwiseError `invalid-data` for sentences that are parsed in blocks
   */
  shares(heads: Int32Array): ScoreShare[];
  /**
   * Returns this reading with other tags of the words for the sparse features. The network does not run
   * again: it keeps what it found for the words that were read.
   *
   * @throws ArcwiseError `invalid-argument` when there are not as many words
   */
  withWords(words: Sentence): Reading;
}

/** Parses sentences with one model. Serves one caller at a time. */
export interface Parser {
  /** The encoder whose vectors words need (`encodeWords` of `@arcwise/core/encoders`); undefined: none. */
  readonly encoder?: EncoderIdentity | undefined;
  /**
   * Reads sentences: encodes them and runs the network over several at a time, which takes less time than
   * one by one, with the same results. O(n units² + n² units) per sentence with a network, O(n) without.
   *
   * @throws ArcwiseError `missing-encoder` when a word lacks the vector that the model needs
   */
  read(sentences: readonly Sentence[]): Reading[];
  /** Returns the best analysis of one sentence: `read([sentence])[0].best(options)`. */
  parse(sentence: Sentence, options?: ReadingOptions): Parse;
}
