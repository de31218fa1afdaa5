import {
  accepting,
  callback,
  defineOptions,
  flag,
  integer,
  list,
  type OptionsOf,
  optional,
  optionsOf,
  positive,
  satisfying,
  string,
} from "@arcwise/core/options";
import { MAX_MEMBERS, unitCount } from "../scoring/network/network-layout.ts";
import type { WordVectors } from "../scoring/vectors/word-vectors.ts";

const wordVectors = satisfying<WordVectors>(
  "word vectors",
  (value) => typeof value === "object" && value !== null && "words" in value && "dimension" in value,
);

const share = satisfying<number>(
  "a number from 0 to below 1",
  (rate) => typeof rate === "number" && rate >= 0 && rate < 1,
);

const COLUMN = defineOptions({
  name: { check: string, help: "name of the column", required: true },
  labels: {
    check: list(list(optional<string | undefined>(string))),
    help: "label of each word of each example; undefined: it is not annotated",
    required: true,
  },
  /** What is learned of a part, such as a feature of a bundle, counts for all labels that have it. */
  parts: {
    check: accepting<(label: string) => readonly string[]>(callback),
    help: "returns the parts of a label",
    defaultHelp: "labels have no parts",
  },
  /**
   * The network learns to correct them. Give `Reading.columns` the labels of new sentences with the same trust, which is
   * added to their scores.
   */
  given: {
    check: satisfying<{ readonly labels: readonly (readonly string[])[]; readonly trust: number }>(
      "labels and a trust",
      isGiven,
    ),
    help: "labels that something else predicted for the words of each example, such as a jackknifed tagger",
    defaultHelp: "none",
  },
});

/** A column of words that a network learns to predict, such as tags. */
export interface NetworkColumn extends OptionsOf<typeof COLUMN> {}

function isGiven(value: unknown): boolean {
  return typeof value === "object" && value !== null && "labels" in value && "trust" in value;
}

/**
 * The options of the stage "network", for trees: a recurrent network that reads the sentence in both
 * directions (Kiperwasser and Goldberg 2016; Dozat and Manning 2017). It is trained separately before the sparse
 * weights; together they are 1 to 2 points better than either.
 */
export const NETWORK_OPTIONS = defineOptions({
  units: {
    check: unitCount,
    help: "length of the states of the network; time grows with its square",
    default: 128,
  },
  embeddingUnits: {
    check: unitCount,
    help: "length of the embeddings of the network, which are most of the size of a model",
    defaultHelp: "units",
  },
  /** The inner size of the layers that score arcs, labels and columns (Dozat and Manning 2017). */
  hiddenUnits: {
    check: unitCount,
    help: "length of the vectors by which the network scores heads, labels and tags",
    defaultHelp: "units",
  },
  minCount: {
    check: integer(1),
    help: "features of words that occur fewer times in the training data have no embedding",
    default: 2,
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
    help: "weight of its scores of heads, which are added to the scores of the features",
    defaultHelp: '0.2; 0.8 with the learner "crf"',
  },
  /** Søgaard and Goldberg 2016. */
  firstLayerColumns: {
    check: flag,
    help: "whether tags are predicted from the first of the two recurrent layers, so that the second one knows them",
    default: false,
  },
  /** Of the vectors of words, half of it. Small networks and large treebanks need less of it. */
  dropout: {
    check: share,
    help: "rate of dropout between layers in training",
    default: 0.33,
  },
  rate: {
    check: positive,
    help: "rate of Adam at the beginning; it falls to a twentieth",
    default: 0.002,
  },
  /** Prefixes, suffixes, and sequences of three and four of them. */
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
  /** Scaled to length 1 and mapped to units by a learned linear map, they are added to the embeddings of the words. */
  vectors: {
    check: wordVectors,
    help: "word vectors from a larger corpus, which the model keeps",
    programmatic: true,
  },
});
