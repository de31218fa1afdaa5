import type {
  Arcs,
  DependencyTree,
  ParsingProblem,
  PartKind,
  ReportedDecoding,
  Sentence,
} from "@arcwise/core";
import type { Learner } from "@arcwise/learn";
import type { ParseConstraints } from "./decoding/constraints.ts";
import type { DecoderChoice } from "./decoding/decoders.ts";
import type { ColumnShares } from "./model/column-shares.ts";
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
   * What is trained: the arc pruner, the network, the weights of the parser, or the labeller of its trees.
   */
  readonly stage: "prune" | "network" | "learn" | "label";
  /** From 1. */
  readonly epoch: number;
  readonly epochs: number;
  /** Sentences done in this epoch, and all of them. */
  readonly done: number;
  readonly total: number;
  /**
   * Share of training words that got a wrong head or label so far in this epoch. With shards, about that: a
   * wrong label on a right head counts half.
   */
  readonly trainingError: number;
  /**
   * In the stage "network": mean loss of a word so far in this epoch, in nats: of its head, and of its label.
   */
  readonly loss?: number;
  /** At the end of an epoch, when there is a development set: attachment scores in percent. */
  readonly dev?: { readonly uas: number; readonly las: number } | undefined;
  readonly epochDone: boolean;
}

/**
 * How a parser is trained. What a model is stands at the top: decoder, order, parts, learner. Each stage of
 * training has a group of its own, and every option a default: `trainParser(examples)` trains a first-order
 * parser.
 */
export interface TrainOptions {
  /**
   * "mst" (order 1) or "eisner", which for orders 2 and 3 means the exact projective decoder of that order;
   * "hillclimb" (search) and "ad3" (dual decomposition), of any order, for any trees. Default: "mst", from
   * order 2 on "eisner". Or another decoder: itself, what makes it, or its module (`loadDecoder` of
   * `@arcwise/parser/node`), which alone can be trained with on threads. It must not have the name of a
   * built-in one.
   */
  readonly decoder?: DecoderChoice | undefined;
  /**
   * 1 (default): arcs; 2: grandparents and neighbouring siblings too; 3: grand-siblings and tri-siblings too.
   */
  readonly order?: 1 | 2 | 3 | undefined;
  /**
   * Kinds of parts beside those of the order (2 or 3), or "full": all that the decoder takes. They are
   * arbitrary siblings and head bigrams of "ad3"; and of "hillclimb" also great-grandparents, siblings of the
   * grandparent, and siblings of the head.
   */
  readonly parts?: readonly PartKind[] | "full" | undefined;
  /**
   * True: features of whole trees, too; a module of features: those of the module as well. They need a
   * decoder that scores whole trees ("hillclimb"). A model holds the name of a module, not its code: to parse
   * takes the same module.
   */
  readonly global?: boolean | TreeFeatures | undefined;
  /** Feature templates in place of the built-in ones, or beside them. The model keeps them. */
  readonly templates?: FeatureTemplates | undefined;
  /**
   * A learner of `@arcwise/learn`, what makes one, or a name: "mira" (default), "perceptron", "kbest-mira",
   * "svm", "crf", "frank-wolfe", "cutting-plane", "exponentiated-gradient", "lbfgs". "kbest-mira" needs a
   * decoder that ranks trees; "crf", "exponentiated-gradient" and "lbfgs" need sums over trees, which there
   * are for order 1.
   */
  readonly learner?: LearnerChoice | undefined;
  /** Maximum number of epochs of the learner. Default: 10. */
  readonly epochs?: number | undefined;
  /** Decides the order of sentences and all that is drawn at random. Default: 1. */
  readonly seed?: number | undefined;
  /** How the pruner restricts the candidate heads of each word; false: all heads are candidates. */
  readonly prune?: false | PruneStageOptions | undefined;
  /** How weights are learned. */
  readonly learning?: LearningOptions | undefined;
  /** Training by shards; without it one thread learns from all sentences in turn. */
  readonly shards?: ShardOptions | undefined;
  /** How arcs get their labels. */
  readonly labels?: LabelStageOptions | undefined;
  /** A low-rank tensor that scores arcs beside the sparse features. Not with shards or the perceptron. */
  readonly tensor?: TensorOptions | undefined;
  /** A recurrent network that scores arcs and labels beside the sparse features. Not with the perceptron. */
  readonly network?: NetworkOptions | undefined;
  /** Examples to measure on after each epoch. */
  readonly dev?: readonly TrainingExample[] | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Called with the state after each epoch: `resume` continues from it to the same model, byte for byte. */
  readonly onCheckpoint?: ((state: Uint8Array) => void | Promise<void>) | undefined;
  readonly resume?: Uint8Array | undefined;
  /** Ends training, between two sentences, by throwing its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The stage "prune". Without a pruner, training and parsing take far more time, and for orders 2 and 3 memory
 * in proportion to n³.
 */
export interface PruneStageOptions {
  /** Maximum number of candidate heads of a word. Default: 16. */
  readonly most?: number | undefined;
}

/** The stage "learn": how weights are learned from a sentence. */
export interface LearningOptions {
  /** Costs of mistakes in cost-augmented decoding. */
  readonly costs?: { readonly [Mistake in keyof CostWeights]?: number | undefined } | undefined;
  /**
   * Strength of the penalty l2 / 2 · |w|² beside the mean loss of a sentence, for the learners that minimise
   * both: "svm", "crf" and the batch learners. Default: 0.001.
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
  /** Climbs a sentence with the decoder "hillclimb". Default: 5, or 3 in a row that find nothing better. */
  readonly restarts?: number | undefined;
  /**
   * True: learn from the solutions of "ad3" as they are where they are no trees, not from the trees that they
   * are rounded to (Martins et al. 2010). Only for the decoder "ad3".
   */
  readonly fractional?: boolean | undefined;
}

/** A learner: its name, itself, or what makes it. */
export type LearnerChoice = string | Learner | (() => Learner);

/** What mistakes cost in cost-augmented decoding. */
export interface CostWeights {
  /** A wrong head. Default: 1. */
  readonly head: number;
  /** A wrong label on the right head. Default: 0.5. */
  readonly label: number;
}

/**
 * Training by iterative parameter mixing (McDonald, Hall and Mann 2010): sentences are dealt into shards, all
 * shards learn from the same weights, some sentences each, and their weights are mixed.
 */
export interface ShardOptions {
  /** Number of shards; 1 is serial training. */
  readonly count: number;
  /**
   * How much each shard counts: "changed" (default), for each weight those alike that changed it; "uniform",
   * all alike; "error", by the number of sentences that it got wrong.
   */
  readonly mixing?: "uniform" | "error" | "changed" | undefined;
  /** Mixings an epoch. Default: 32; 1 with the learner "crf", for which they are slow. */
  readonly mixes?: number | undefined;
}

/** The stage "label". */
export interface LabelStageOptions {
  /**
   * "joint": an arc has the label that scored best with it (default of order 1); "sequence": the labels of a
   * tree are decided together once its heads are, by a labeller that sees the tree (default of orders 2 and
   * 3).
   */
  readonly labeller?: "joint" | "sequence" | undefined;
  /** Epochs of the labeller "sequence". Default: 5. */
  readonly epochs?: number | undefined;
}

/**
 * A tensor of low rank scores arcs by the features of both words and of the arc in all their conjunctions
 * (Lei et al. 2014).
 */
export interface TensorOptions {
  /** 50 is usual. */
  readonly rank: number;
  /**
   * How its weights begin: the decomposition of the sparse weights after one epoch ("svd", the default), or
   * at random.
   */
  readonly start?: "svd" | "random" | undefined;
  /**
   * Vectors of words, from much more text than the treebank: features of the tensor. The model keeps all of
   * them, so that words unseen in training have theirs: `words · (dimension + 4)` bytes and the words, up to
   * twice that in a file.
   */
  readonly vectors?: WordVectors | undefined;
}

/**
 * The stage "network": a recurrent network that reads the sentence in both directions (Kiperwasser and
 * Goldberg 2016; Dozat and Manning 2017). It is trained by itself before the sparse weights; together they
 * are 1 to 2 points better than either.
 */
export interface NetworkOptions {
  /** Length of embeddings and of states: a multiple of 4 (128 is usual). Time grows with its square. */
  readonly units: number;
  /** Epochs of the network. Default: 1.4 million by the number of words, at least 10. */
  readonly epochs?: number | undefined;
  /**
   * Multiplies logarithms of its heads' probabilities: 0.2 beside scores with margins of 1, 0.8 with "crf".
   */
  readonly weight?: number | undefined;
}

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
     * What the pruner keeps of each word: heads at least `ratio` times as probable as the best one, and at
     * most `most`; with the share of gold heads among them and their number a word, in training sentences
     * that the pruner had not seen. False: nothing is pruned.
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

/**
 * How a tree was found, by a decoder that reports it: whether it is proven to be the best, and the work that
 * it took.
 */
export type ParseReport = Pick<ReportedDecoding, "status" | "counts">;

/**
 * How the analysis of a sentence falls short of what the model could do, because the sentence is too large
 * for it.
 */
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
  /** Its score by the model: that of its arcs, each with its best label that is allowed, and of its parts. */
  readonly score: number;
  /** No tree over the candidate arcs scores more; equal to `score` when the decoder found the best one. */
  readonly bound: number;
  /**
   * Present for a sentence of too many words or parts (`MAX_PARTS`, `MAX_WORDS`). Score and bound are then
   * those of what was scored; those of blocks are summed, and the bound is Infinity.
   */
  readonly reduced?: Reduction | undefined;
  /** How the tree was found, by a decoder that reports it. */
  readonly report?: ParseReport;
}

/** What may be said of one sentence. */
export interface ParseOptions {
  /** What is known of its analysis. */
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

/** Parses sentences with one model. Serves one caller at a time. */
export interface Parser {
  /**
   * The best analysis of a sentence: its heads by the decoder, each arc with its best label.
   *
   * Cost: O(n²) for the pruner with a small constant, O(candidates · templates · labels), and the decoder's.
   *
   * @throws NoTree when no tree meets the constraints
   * @throws RangeError when constraints name what is no word, or have not one entry a word
   */
  parse(sentence: Sentence, options?: ParseOptions): Parse;
  /**
   * The k best trees, best first, each arc with its best label; fewer when there are not as many. No two have
   * the same heads. The cost of parsing, and O(n²) or less a tree.
   *
   * @throws RangeError when k is no integer >= 1
   * @throws UnsupportedCapability when the decoder does not rank trees
   * @throws NoTree, RangeError as `parse`
   */
  kBest(sentence: Sentence, k: number, options?: ParseOptions): Parse[];
  /**
   * The best analysis with the probabilities of its arcs, and of all candidate arcs, by the sums of the
   * decoder: the matrix-tree theorem for "mst", inside-outside for the projective decoders.
   *
   * The labels of each arc are summed out; a label's share of the arc's sum is its probability given the arc.
   * The scores of margin learners are no log-probabilities: their probabilities rank arcs well and are too
   * sure of themselves or not sure enough. Those of models trained by "crf" are meant as probabilities.
   *
   * Cost: twice that of scoring, and O(n³) with a small constant, or that of the projective decoder.
   *
   * @throws UnsupportedCapability when the decoder does not sum over trees
   * @throws NoTree, RangeError as `parse`
   */
  marginals(sentence: Sentence, options?: ParseOptions): Marginals;
  /** The scored candidates of a sentence, as the parser's decoder is given them. Throws as `parse`. */
  problem(sentence: Sentence, options?: ParseOptions): ParsingProblem;
}
