import {
  callback,
  defineOptions,
  field,
  flag,
  integer,
  list,
  number,
  optionsOf,
  positive,
  satisfying,
  string,
} from "@arcwise/core/options";
import { isUnits, MAX_MEMBERS, MAX_UNITS } from "../scoring/network/network-layout.ts";
import type { WordVectors } from "../scoring/vectors/word-vectors.ts";

/** Sentences that a treebank might have had, which a network learns from as well. */
export interface AugmentOptions {
  /**
   * Probability of permuting the dependents of a head whose labels are `labels`, each with all words that
   * depend on it (Şahin and Steedman 2018). Default: 0.
   */
  readonly permute?: number | undefined;
  /** Labels of the dependents that are permuted, with all their subtypes. */
  readonly labels?: readonly string[] | undefined;
  /**
   * Probability of replacing a dependent, with all words that depend on it, by another one of the treebank
   * with the same label, tag and features (Shi, Livescu and Gimpel 2021). Default: 0.
   */
  readonly replace?: number | undefined;
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
   * much is added to their scores: the network learns to correct them. Give `Reading.columns` the labels of new
   * sentences with the same trust. Default: none.
   */
  readonly given?: { readonly labels: readonly (readonly string[])[]; readonly trust: number } | undefined;
}

/**
 * Options of the stage "network": a recurrent network that reads the sentence in both directions (Kiperwasser
 * and Goldberg 2016; Dozat and Manning 2017). It is trained separately before the sparse weights; together
 * they are 1 to 2 points better than either.
 */
export interface NetworkOptions {
  /** Length of states: a multiple of 4. Time grows with its square. Default: 128. */
  readonly units?: number | undefined;
  /**
   * Length of embeddings: a multiple of 4. Most of the size of a model is embeddings, and grows with it. Default:
   * `units`.
   */
  readonly embeddingUnits?: number | undefined;
  /**
   * Number of networks that begin from different random numbers, whose scores are averaged: up to 16. Time
   * grows with it. Default: 1.
   */
  readonly members?: number | undefined;
  /** Epochs of the network. Default: 1.4 million by the number of words, from `minEpochs` to 400. */
  readonly epochs?: number | undefined;
  /** Minimum number of epochs where `epochs` is not given. Default: 10. */
  readonly minEpochs?: number | undefined;
  /** Factor of the log-probabilities of its heads: 0.2 with margin learners, 0.8 with "crf". */
  readonly weight?: number | undefined;
  /**
   * Rate of dropout of recurrent states in training: the same entries at all positions of a sentence (Gal and
   * Ghahramani 2016). Default: 0.
   */
  readonly recurrentDropout?: number | undefined;
  /** Varied sentences: more training data for small treebanks. Default: none. */
  readonly augment?: AugmentOptions | undefined;
  /**
   * Whether it reads the characters of words as well: prefixes, suffixes, and sequences of three and four of
   * them. Of use where tags are predicted. Default: false.
   */
  readonly characters?: boolean | undefined;
  /** Columns of words that it learns to predict together with heads and labels. Default: none. */
  readonly columns?: readonly NetworkColumn[] | undefined;
  /**
   * Vectors of words from a larger corpus. Scaled to length 1 and mapped to units by a linear map that is
   * learned, they are added to the embeddings of the words; they do not change. The model stores all of them.
   */
  readonly vectors?: WordVectors | undefined;
}

const wordVectors = satisfying(
  "word vectors",
  (value) => typeof value === "object" && value !== null && "words" in value && "dimension" in value,
);

/**
 * Universal labels of dependents that are permuted: arguments and adverbials that are no finite clauses,
 * mostly. Permuting all labels that the treebank has in both orders costs a network 0.6 points of UAS on
 * Hungarian.
 */
const PERMUTED_LABELS: readonly string[] = ["nsubj", "csubj", "obj", "iobj", "obl", "advmod"];

const AUGMENT = defineOptions<AugmentOptions>()({
  permute: {
    check: number(0, 1),
    help: "probability of permuting the subjects, objects and adverbials of a head",
    default: 0,
  },
  labels: {
    check: list(field, { min: 1 }),
    help: "labels of the dependents that are permuted, with their subtypes",
    default: PERMUTED_LABELS,
  },
  replace: {
    check: number(0, 1),
    help: "probability of replacing a dependent by another one of the treebank with the same label, tag and features",
    default: 0,
  },
});

const COLUMN = defineOptions<NetworkColumn>()({
  name: { check: string, help: "name of the column", required: true },
  labels: { check: list(list(string)), help: "label of each word of each example", required: true },
  parts: { check: callback, help: "returns the parts of a label" },
  given: { check: satisfying("labels and a trust", isGiven), help: "labels that something else predicted" },
});

function isGiven(value: unknown): boolean {
  return typeof value === "object" && value !== null && "labels" in value && "trust" in value;
}

/** The options of a network, for trees. */
export const NETWORK_OPTIONS = defineOptions<NetworkOptions>()({
  units: {
    check: satisfying(`a multiple of 4 from 4 to ${MAX_UNITS}`, isUnits),
    help: "length of the states of the network; time grows with its square",
    default: 128,
    flag: "--network <units>",
  },
  embeddingUnits: {
    check: satisfying(`a multiple of 4 from 4 to ${MAX_UNITS}`, isUnits),
    help: "length of the embeddings of the network, which are most of the size of a model",
    defaultHelp: "units",
  },
  members: {
    check: integer(1, MAX_MEMBERS),
    help: "number of networks with different random beginnings, whose scores are averaged",
    default: 1,
  },
  epochs: {
    check: integer(1),
    help: "epochs of the network",
    defaultHelp: "1.4 million divided by the words of the treebank, from minEpochs to 400",
  },
  minEpochs: { check: integer(1), help: "minimum number of epochs where epochs is not given", default: 10 },
  weight: {
    check: positive,
    help: "weight of its scores of heads beside the scores of the features",
    defaultHelp: '0.2; 0.8 with the learner "crf"',
  },
  recurrentDropout: {
    check: satisfying(
      "a number from 0 to below 1",
      (rate) => typeof rate === "number" && rate >= 0 && rate < 1,
    ),
    help: "rate of dropout of recurrent states in training",
    default: 0,
  },
  augment: { options: AUGMENT, help: "varied sentences that the network learns from as well" },
  characters: {
    check: flag,
    help: "whether it reads the characters of words as well, for predicted tags; a pipeline sets it",
    default: false,
  },
  columns: {
    check: list(optionsOf(COLUMN)),
    help: "columns of words that it learns to predict",
    default: [],
    programmatic: true,
  },
  vectors: {
    check: wordVectors,
    help: "word vectors from a larger corpus, which the model keeps",
    programmatic: true,
  },
});
