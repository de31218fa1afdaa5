import { PART_KINDS, type PartKind } from "@arcwise/core";
import {
  anyOf,
  type Complete,
  defineOptions,
  flag,
  integer,
  list,
  notNegative,
  oneOf,
  positive,
  satisfying,
  string,
} from "@arcwise/core/options";
import { describeDecoders } from "../decoding/decoder-table.ts";
import type { DecoderChoice } from "../decoding/decoders.ts";
import type { FeatureTemplates } from "../scoring/templates/feature-templates.ts";
import type { TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { CostWeights, TrainingExample } from "../types.ts";
import { LEARNER_NAMES, type LearnerChoice } from "./learners.ts";
import { NETWORK_OPTIONS, type NetworkOptions } from "./network-options.ts";
import { SEED } from "./presets.ts";
import { RUN_OPTIONS, type RunOptions } from "./run.ts";

/**
 * What determines a trained parser besides its examples. Those of the model come first: decoder, order,
 * parts, learner; each stage of training has a group.
 */
export interface ParserSettings {
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
   * Whether trees may have several root words, in training and parsing. Default: false, one root word, as
   * Universal Dependencies asks.
   */
  readonly multipleRoots?: boolean | undefined;
  /**
   * Kinds of parts besides the kinds of the order (2 or 3), or "full": all that the decoder handles: arbitrary
   * siblings and head bigrams of "ad3"; and of "hillclimb" also great-grandparents, siblings of the
   * grandparent, and siblings of the head.
   */
  readonly parts?: readonly PartKind[] | "full" | undefined;
  /**
   * True: also features of whole trees; a module: also the features of the module. They need a
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
  /**
   * A recurrent network that scores arcs and labels besides the sparse features; false: none. Not with the
   * perceptron.
   */
  readonly network?: NetworkOptions | false | undefined;
}

/** Options of `trainParser`: the settings of the model, and how the training runs. */
export interface TrainOptions extends ParserSettings, RunOptions<TrainingExample> {}

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
   * Strength of the penalty l2 / 2 · |w|² in addition to the mean loss per sentence, for the learners that
   * minimise both: "svm", "crf" and the batch learners. Default: 0.001.
   */
  readonly l2?: number | undefined;
  /**
   * Distance from the minimum at which a batch learner stops before the last epoch: of the objective, with
   * "lbfgs" of the gradient from 0. Default: 0.0001.
   */
  readonly tolerance?: number | undefined;
  /**
   * Maximum number of climbs per sentence with the decoder "hillclimb". Default: 5, or 3 in a row without a
   * better tree.
   */
  readonly restarts?: number | undefined;
  /**
   * Weights of arcs and parts below this number of quantisation steps are stored as 0, which makes the file
   * smaller, 1 to 127. Default: 2 for online learners with margins, otherwise 1.
   */
  readonly minWeight?: number | undefined;
}

/**
 * Training by iterative parameter mixing (McDonald, Hall and Mann 2010): sentences are dealt into shards; all
 * shards learn from the same weights, each from some sentences, and their weights are mixed.
 */
export interface ShardOptions {
  /** Number of shards. Default: 1, serial training. */
  readonly count?: number | undefined;
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

const object = satisfying("an object", (value) => typeof value === "object" && value !== null);

const PRUNE = defineOptions<PruneStageOptions>()({
  most: { check: integer(1), help: "maximum number of candidate heads per word", default: 16 },
});

const COSTS = defineOptions<Partial<CostWeights>>()({
  head: { check: notNegative, help: "cost of a wrong head", default: 1 },
  label: { check: notNegative, help: "cost of a wrong label on a right head", default: 0.5 },
});

/** The options of learning weights, for trees. */
export const LEARNING = defineOptions<LearningOptions>()({
  costs: { options: COSTS, help: "costs of mistakes in cost-augmented decoding" },
  l2: {
    check: positive,
    help: "penalty on the weights, for the learners that minimise a mean loss with one",
    defaultHelp: "0.001",
  },
  tolerance: {
    check: positive,
    help: "distance from the minimum at which batch learners stop before the last epoch",
    defaultHelp: "0.0001",
  },
  restarts: {
    check: integer(1),
    help: 'maximum number of climbs per sentence with the decoder "hillclimb"',
    defaultHelp: "5, or 3 in a row without a better tree",
  },
  minWeight: {
    check: integer(1, 127),
    help: "quantisation steps below which a weight is stored as 0: a smaller file",
    defaultHelp: "2 for online learners with margins, otherwise 1",
  },
});

/** The options of training by shards. */
export const SHARDS = defineOptions<ShardOptions>()({
  count: {
    check: integer(1),
    help: "number of shards that are trained separately and mixed",
    default: 1,
    flag: "--shards <n>",
  },
  mixes: {
    check: integer(1),
    help: "mixings per epoch",
    defaultHelp: '32; 1 with the learners "svm" and "crf"',
  },
});

const LABELS = defineOptions<LabelStageOptions>()({
  labeller: {
    check: oneOf("joint", "sequence"),
    help: 'labels of arcs: "joint", each its best; "sequence", together once heads are known',
    defaultHelp: '"joint" for order 1, "sequence" for orders 2 and 3',
  },
  epochs: { check: integer(1), help: 'epochs of the labeller "sequence"', default: 5 },
});

/** The settings of a parser. Flags, the reference page, files of settings and fingerprints follow from it. */
export const PARSER_SETTINGS = defineOptions<ParserSettings>()({
  decoder: {
    check: anyOf(
      satisfying("a function", (value) => typeof value === "function"),
      object,
      string,
    ),
    help:
      `how the best tree is found: ${describeDecoders("trees", "training")}, or by the decoder of a module ` +
      "(./my-decoder.mjs)",
    defaultHelp: '"mst" for order 1, "eisner" for orders 2 and 3',
    fileCheck: string,
    flag: "--decoder <name>",
    group: "model",
  },
  order: {
    check: oneOf(1, 2, 3),
    help: "arcs of the largest parts that are scored",
    flag: "--order <n>",
    default: 1,
    group: "model",
  },
  multipleRoots: {
    check: flag,
    help: "trees may have several root words, in training and in parsing",
    flag: "--multiple-roots",
    default: false,
    group: "model",
  },
  parts: {
    check: anyOf(oneOf("full"), list(oneOf(...PART_KINDS), { distinct: true })),
    help: 'kinds of parts besides the kinds of the order; "full": all that the decoder handles',
    default: [],
    group: "model",
  },
  global: {
    check: anyOf(object, flag),
    help:
      "whether whole trees are scored as well, by valency, spans and coordination; the name of a module: by its " +
      'features as well (decoder "hillclimb")',
    default: false,
    fileCheck: satisfying(
      "true, false or the name of a module",
      (value) => typeof value === "boolean" || typeof value === "string",
    ),
    group: "model",
  },
  templates: {
    check: object,
    help: "feature templates that change the built-in ones: a document, or the name of its file",
    defaultHelp: "the built-in templates",
    fileCheck: satisfying(
      "a document or the name of its file",
      (value) => typeof value === "string" || (typeof value === "object" && value !== null),
    ),
    group: "model",
  },
  learner: {
    check: anyOf(
      satisfying("a function", (value) => typeof value === "function"),
      object,
      string,
    ),
    help:
      `how weights are learned: ${LEARNER_NAMES.join(", ")}, or the learner of a module (./my-learner.mjs), ` +
      "of which the model keeps the name",
    default: "mira",
    fileCheck: string,
    flag: "--learner <name>",
    stage: "weights",
  },
  epochs: {
    check: integer(1),
    help: "maximum number of epochs of the learner",
    default: 10,
    flag: "--epochs <n>",
    stage: "weights",
  },
  seed: SEED,
  prune: {
    options: PRUNE,
    off: true,
    help: "how candidate heads are restricted; false: all heads are candidates, in parsing as well",
    stage: "prune",
  },
  learning: { options: LEARNING, help: "how weights are learned from a sentence", stage: "weights" },
  shards: { options: SHARDS, help: "training by iterative parameter mixing", stage: "weights" },
  labels: { options: LABELS, help: "how arcs are labelled", stage: "label" },
  network: {
    options: NETWORK_OPTIONS,
    off: true,
    flags: false,
    default: false,
    help: "a recurrent network that scores arcs and labels as well; false: none",
    stage: "network",
  },
});

/** The settings of a parser with their defaults. */
export type CompleteSettings = Complete<typeof PARSER_SETTINGS>;

/** All options of `trainParser`. */
export const TRAIN_OPTIONS = [...PARSER_SETTINGS, ...RUN_OPTIONS];
