import type {
  Arcs,
  DependencyTree,
  ParsingProblem,
  PartKind,
  ReportedDecoding,
  Sentence,
} from "@arcwise/core";
import type { FilePieces } from "@arcwise/core/container";
import type { Learner } from "@arcwise/learn";
import type { ParseConstraints } from "./decoding/constraints.ts";
import type { DecoderChoice } from "./decoding/decoders.ts";
import type { ColumnShares } from "./model/column-shares.ts";
import type { GivenColumns } from "./scoring/network/given-columns.ts";
import type { FeatureTemplates } from "./scoring/templates/feature-templates.ts";
import type { WordVectors } from "./scoring/tensor/word-vectors.ts";
import type { TreeFeatures } from "./scoring/trees/tree-features.ts";

/** A sentence with its gold tree. */
export interface TrainingExample {
  readonly sentence: Sentence;
  readonly tree: DependencyTree;
}

/** Progress of training, reported every few dozen sentences of an epoch and at its end. */
export interface TrainingProgress {
  /**
   * The current stage: the arc pruner, the network, the weights of the parser, or the labeller of its trees.
   */
  readonly stage: "prune" | "network" | "learn" | "label";
  /** From 1. */
  readonly epoch: number;
  readonly epochs: number;
  /** Sentences done in this epoch, and all of them. */
  readonly done: number;
  readonly total: number;
  /**
   * Share of training words with a wrong head or label so far in this epoch. With shards it is approximate: a
   * wrong label on a right head counts half.
   */
  readonly trainingError: number;
  /**
   * In the stage "network": mean loss of a word so far in this epoch, in nats: the sum of those of its head,
   * its label and its columns.
   */
  readonly loss?: number;
  /**
   * At the end of an epoch, with a development set: attachment scores in percent, of trees with labels by
   * sparse features alone.
   */
  readonly dev?: { readonly uas: number; readonly las: number } | undefined;
  readonly epochDone: boolean;
}

/**
 * Options of training. Those of the model come first: decoder, order, parts, learner; each stage of training
 * has a group. Every option has a default: `trainParser(examples)` trains a first-order parser.
 */
export interface TrainOptions {
  /**
   * "mst" (order 1) or "eisner", which for orders 2 and 3 means the exact projective decoder of that order;
   * "hillclimb" (search) and "ad3" (dual decomposition), of any order, for any trees. Default: "mst", from
   * order 2 on "eisner". Or another decoder: an object, a factory, or a module (`loadDecoder` of
   * `@arcwise/parser/node`), which is the only form for training on threads.
   */
  readonly decoder?: DecoderChoice | undefined;
  /**
   * 1 (default): arcs; 2: grandparents and neighbouring siblings too; 3: grand-siblings and tri-siblings too.
   */
  readonly order?: 1 | 2 | 3 | undefined;
  /**
   * Kinds of parts besides those of the order (2 or 3), or "full": all that the decoder handles: arbitrary
   * siblings and head bigrams of "ad3"; and of "hillclimb" also great-grandparents, siblings of the
   * grandparent, and siblings of the head.
   */
  readonly parts?: readonly PartKind[] | "full" | undefined;
  /**
   * True: features of whole trees, too; a module of features: those of the module as well. They need a
   * decoder that scores whole trees ("hillclimb"). A model stores the name of a module, not its code: parsing
   * needs the same module.
   */
  readonly global?: boolean | TreeFeatures | undefined;
  /** Feature templates instead of the built-in ones, or besides them. The model stores them. */
  readonly templates?: FeatureTemplates | undefined;
  /**
   * A learner of `@arcwise/learn`, a function that makes one, or a name: "mira" (default), "perceptron",
   * "kbest-mira", "svm", "crf", "frank-wolfe", "cutting-plane", "exponentiated-gradient", "lbfgs".
   * "kbest-mira" needs a decoder that ranks trees; "crf", "exponentiated-gradient" and "lbfgs" need sums over
   * trees, which are available for order 1.
   */
  readonly learner?: LearnerChoice | undefined;
  /** Maximum number of epochs of the learner. Default: 10. */
  readonly epochs?: number | undefined;
  /** Seed of the order of sentences and of all random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** How the pruner restricts the candidate heads of each word; false: all heads are candidates. */
  readonly prune?: false | PruneStageOptions | undefined;
  /** How weights are learned. */
  readonly learning?: LearningOptions | undefined;
  /** Training by shards. Default: serial training. */
  readonly shards?: ShardOptions | undefined;
  /** How arcs are labelled. */
  readonly labels?: LabelStageOptions | undefined;
  /** A low-rank tensor that scores arcs besides the sparse features. Not with shards or the perceptron. */
  readonly tensor?: TensorOptions | undefined;
  /** A recurrent network that scores arcs and labels besides the sparse features. Not with the perceptron. */
  readonly network?: NetworkOptions | undefined;
  /** Examples to evaluate on after each epoch. */
  readonly dev?: readonly TrainingExample[] | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Called with the state after each epoch: `resume` continues from it to the same model, byte for byte. */
  readonly onCheckpoint?: ((state: Uint8Array) => void | Promise<void>) | undefined;
  /**
   * Called instead of `onCheckpoint`, with the same bytes in pieces, which must have been taken when its
   * promise resolves: a state takes hundreds of megabytes, and need not be in memory twice.
   */
  readonly onCheckpointPieces?: ((state: FilePieces) => void | Promise<void>) | undefined;
  readonly resume?: Uint8Array | undefined;
  /** Ends training, between two sentences, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options of the stage "prune". Without a pruner, training and parsing take much more time, and for orders 2
 * and 3 memory in proportion to n³.
 */
export interface PruneStageOptions {
  /** Maximum number of candidate heads of a word. Default: 16. */
  readonly most?: number | undefined;
}

/** Options of the stage "learn": how weights are learned from a sentence. */
export interface LearningOptions {
  /** Costs of mistakes in cost-augmented decoding. */
  readonly costs?: { readonly [Mistake in keyof CostWeights]?: number | undefined } | undefined;
  /**
   * Strength of the penalty l2 / 2 ·
   * w
   * ² in addition to the mean loss of a sentence, for the learners that minimise both: "svm", "crf" and the
   * batch learners. Default: 0.001.
   */
  readonly l2?: number | undefined;
  /**
   * Distance from the minimum at which a batch learner stops before the last epoch: of the objective, with
   * "lbfgs" of the gradient from 0. Default: 0.0001.
   */
  readonly tolerance?: number | undefined;
  /**
   * Rate of word dropout: a word that occurs c times is unknown with probability rate / (rate + c), drawn
   * anew each step. Default: 0. Not with shards or batch learners.
   */
  readonly dropout?: number | undefined;
  /**
   * Maximum number of climbs a sentence with the decoder "hillclimb". Default: 5, or 3 in a row without a
   * better tree.
   */
  readonly restarts?: number | undefined;
  /**
   * True: learn from the fractional solutions of the relaxation, not from the trees that they are rounded to
   * (Martins et al. 2010). Only for decoders with `decodeRelaxed`, such as "ad3".
   */
  readonly fractional?: boolean | undefined;
}

/** The name of a learner, a learner, or a function that makes one. */
export type LearnerChoice = string | Learner | (() => Learner);

/** Costs of mistakes in cost-augmented decoding. */
export interface CostWeights {
  /** A wrong head. Default: 1. */
  readonly head: number;
  /** A wrong label on the right head. Default: 0.5. */
  readonly label: number;
}

/**
 * Training by iterative parameter mixing (McDonald, Hall and Mann 2010): sentences are dealt into shards; all
 * shards learn from the same weights, each from some sentences, and their weights are mixed.
 */
export interface ShardOptions {
  /** Number of shards; 1 is serial training. */
  readonly count: number;
  /**
   * Weights of the shards: "changed" (default), equal weights of the shards that changed an entry; "uniform",
   * equal weights of all; "error", in proportion to the number of sentences with mistakes.
   */
  readonly mixing?: "uniform" | "error" | "changed" | undefined;
  /** Mixings an epoch. Default: 32; 1 with the learners "svm" and "crf", for which they are slow. */
  readonly mixes?: number | undefined;
}

/** Options of the stage "label". */
export interface LabelStageOptions {
  /**
   * "joint": an arc has the label with which it scored best, or, with a network, the label with the highest
   * sum of both their scores (default of order 1); "sequence": the labels of a tree are decided together when
   * its heads are known (default of orders 2 and 3).
   */
  readonly labeller?: "joint" | "sequence" | undefined;
  /** Epochs of the labeller "sequence". Default: 5. */
  readonly epochs?: number | undefined;
}

/**
 * Options of a tensor of low rank that scores arcs by all conjunctions of the features of both words and of
 * the arc (Lei et al. 2014).
 */
export interface TensorOptions {
  /** 50 is usual. */
  readonly rank: number;
  /**
   * Initialisation of its weights: the decomposition of the sparse weights after one epoch ("svd", the
   * default), or random.
   */
  readonly start?: "svd" | "random" | undefined;
  /**
   * Vectors of words from a larger corpus: features of the tensor. The model stores all of them, so that
   * words unseen in training have vectors: `words · (dimension + 4)` bytes and the words, up to twice that in
   * a file.
   */
  readonly vectors?: WordVectors | undefined;
}

/**
 * In training, some dependents of a word, each with all that depends on it, change places among themselves
 * (Şahin and Steedman 2018).
 */
export interface ReorderingOptions {
  /** Probability that those of a word do so, each time that the sentence is shown. */
  readonly rate: number;
  /** Their labels, with all subtypes of each. Default: nsubj, csubj, obj, iobj, obl, advmod. */
  readonly labels?: readonly string[];
}

/**
 * Options of the stage "network": a recurrent network that reads the sentence in both directions (Kiperwasser
 * and Goldberg 2016; Dozat and Manning 2017). It is trained separately before the sparse weights; together
 * they are 1 to 2 points better than either.
 */
export interface NetworkOptions {
  /** Length of embeddings and of states: a multiple of 4 (128 is usual). Time grows with its square. */
  readonly units: number;
  /**
   * Number of networks that begin from different random numbers, whose scores are averaged: up to 16. Time
   * grows with it. Default: 1.
   */
  readonly members?: number | undefined;
  /**
   * Rate at which numbers of recurrent states are dropped in training: the same ones at all positions of a
   * sentence (Gal and Ghahramani 2016). Default: 0.
   */
  readonly recurrentDropout?: number | undefined;
  /**
   * Shows the network sentences of the treebank in other orders of their words, too: more training data for
   * small treebanks of languages with a free order of words. Default: it sees the orders of the treebank
   * alone.
   */
  readonly reordering?: ReorderingOptions | undefined;
  /**
   * Shows the network sentences in which dependents, each with all that depends on it, are replaced by others
   * of the treebank with the same label, tag and features (Shi, Livescu and Gimpel 2021): the probability
   * that one is. Default: 0.
   */
  readonly substitution?: number | undefined;
  /** Epochs of the network. Default: 1.4 million by the number of words, at least 10. */
  readonly epochs?: number | undefined;
  /** Factor of the log-probabilities of its heads: 0.2 with margin learners, 0.8 with "crf". */
  readonly weight?: number | undefined;
  /**
   * Whether it reads the characters of words too: prefixes, suffixes, and sequences of three and four of
   * them. Of use where tags are predicted. Default: false.
   */
  readonly characters?: boolean | undefined;
  /** Columns of words that it learns to predict together with heads and labels. Default: none. */
  readonly columns?: readonly NetworkColumn[] | undefined;
  /**
   * Vectors of words from a larger corpus. Scaled to length 1 and mapped to units by a linear map that is
   * learned, they are added to the embeddings of the words; they do not change. Not together with those of a
   * tensor. The model stores all of them, as a tensor's.
   */
  readonly vectors?: WordVectors | undefined;
}

/** A column of words that a network learns to predict, such as tags. */
export interface NetworkColumn {
  readonly name: string;
  /** The right label of each word of each example. */
  readonly labels: readonly (readonly string[])[];
  /**
   * Parts of a label, such as the single features of a bundle: what is learned of a part counts for all
   * labels that have it. Default: labels have no parts.
   */
  readonly parts?: ((label: string) => readonly string[]) | undefined;
  /**
   * Labels that something else predicted for the words of each example, such as a jackknifed tagger, and how
   * much is added to their scores: the network learns to correct them. Give `Reading.columns` those of new
   * sentences with the same trust. Default: none.
   */
  readonly given?: { readonly labels: readonly (readonly string[])[]; readonly trust: number } | undefined;
}

/** A trained parser, as `trainParser` and `loadParser` return it. */
export interface ParserModel {
  readonly description: {
    readonly decoder: string;
    readonly order: number;
    readonly learner: string;
    readonly epochs: number;
    readonly seed: number;
    readonly labels: readonly string[];
    readonly trainingSentences: number;
    readonly trainingWords: number;
    /**
     * Shares of the training words that have tags, features and lemmas; absent in models of older versions.
     */
    readonly columns?: ColumnShares;
    readonly nonZeroWeights: number;
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
  /** Maximum number of candidate heads of a word, where that was lowered. */
  readonly heads?: number | undefined;
  /** Kinds of parts that were not scored. */
  readonly leftOut: readonly PartKind[];
  /** Number of blocks of words that were parsed one by one: 1 for a sentence that was parsed as a whole. */
  readonly blocks: number;
}

/** The analysis of a sentence. */
export interface Parse extends DependencyTree {
  /** Its score by the model: that of its arcs, each with its best allowed label, and of its parts. */
  readonly score: number;
  /**
   * An upper bound of the score of any tree over the candidate arcs; equal to `score` when the tree is proved
   * optimal.
   */
  readonly bound: number;
  /**
   * Present for a sentence of too many words or parts (`MAX_PARTS`, `MAX_WORDS`). Score and bound are then
   * those of what was scored; those of blocks are summed, and the bound is Infinity.
   */
  readonly reduced?: Reduction | undefined;
  /** Present for decoders with `decodeWithReport`. */
  readonly report?: ParseReport | undefined;
}

/** Options of an analysis of one sentence. */
export interface ReadingOptions {
  /** Constraints on its analysis. */
  readonly constraints?: ParseConstraints | undefined;
}

/** An analysis, and how probable its arcs are when trees have probability proportional to exp(score). */
export interface Marginals extends Parse {
  /** n + 1 entries: the probability of each word's head; entry 0 is 0. */
  readonly headProbabilities: Float64Array;
  /** n + 1 entries: the probability of each word's head together with its label; entry 0 is 0. */
  readonly labelledProbabilities: Float64Array;
  /** All candidate arcs, and the probability of each: those of a word sum to 1. */
  readonly arcs: Arcs;
  readonly arcProbabilities: Float64Array;
  /** Logarithm of the sum over all labelled trees of exp(score). */
  readonly logPartition: number;
}

/**
 * What a parser has read of one sentence: a value that owns what it needs. Its methods may be called in any
 * order, any number of times, also after other sentences were read.
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
   * @throws RangeError when constraints name words that do not exist, or do not have one entry per word
   */
  best(options?: ReadingOptions): Parse;
  /**
   * Returns the k best trees, best first, each arc with its best label; fewer when there are not as many. No
   * two have the same heads. The cost of `best`, and O(n²) or less per tree.
   *
   * @throws RangeError when k is no integer >= 1
   * @throws UnsupportedCapability when the decoder does not rank trees
   * @throws NoTree, RangeError as `best`
   */
  kBest(k: number, options?: ReadingOptions): Parse[];
  /**
   * Returns the best analysis with the probabilities of its arcs, and of all candidate arcs, by the sums of
   * the decoder: the matrix-tree theorem for "mst", inside-outside for the projective decoders.
   *
   * The labels of each arc are summed out; a label's share of the arc's sum is its probability given the arc.
   * The scores of margin learners are no log-probabilities: their probabilities rank arcs, but are not
   * calibrated. Those of models trained by "crf" are.
   *
   * Cost: twice that of scoring, and O(n³) with a small constant, or that of the projective decoder.
   *
   * @throws UnsupportedCapability when the decoder does not sum over trees
   * @throws NoTree, RangeError as `best`
   */
  marginals(options?: ReadingOptions): Marginals;
  /**
   * Returns the labels of the words in the columns that the network of the model predicts, by name; empty
   * where it predicts none.
   *
   * The labels of a word are those that are best together: combinations that training did not see are chosen
   * only where they are far more probable.
   *
   * Cost: O(units · labels + combinations of labels) per word.
   *
   * @param given what something else, such as a tagger, predicted
   * @throws RangeError when there is not one given label for each word
   */
  columns(given?: GivenColumns): Record<string, string[]>;
  /** Returns the scored candidates, the input of a decoder. Throws as `best`. */
  problem(options?: ReadingOptions): ParsingProblem;
  /**
   * Returns this reading with other tags of the words for the sparse features. The network does not run
   * again: it keeps what it found for the words that were read.
   *
   * @throws RangeError when there are not as many words
   */
  withWords(words: Sentence): Reading;
}

/** Parses sentences with one model. Serves one caller at a time. */
export interface Parser {
  /**
   * Reads sentences: encodes them and runs the network over several at a time, which takes less time than
   * one by one, with the same results. O(n units² + n² units) per sentence with a network, O(n) without.
   */
  read(sentences: readonly Sentence[]): Reading[];
  /** Returns the best analysis of one sentence: `read([sentence])[0].best(options)`. */
  parse(sentence: Sentence, options?: ReadingOptions): Parse;
}
