import { PART_KINDS } from "@arcwise/core";
import {
  accepting,
  anyOf,
  type Complete,
  defineOptions,
  flag,
  integer,
  list,
  type OptionsOf,
  oneOf,
  positive,
  satisfying,
  string,
} from "@arcwise/core/options";
import { type DecoderFamily, describeDecoders } from "../decoding/decoder-table.ts";
import type { DecoderChoice } from "../decoding/decoders.ts";
import type { FeatureTemplates } from "../scoring/templates/feature-templates.ts";
import type { TreeFeatures } from "../scoring/trees/tree-features.ts";
import type { TrainingExample } from "../types.ts";
import { CONTINUE_OPTIONS, type ContinueOptions } from "./continued/continue-options.ts";
import { LEARNER_NAMES, type LearnerChoice } from "./learners.ts";
import { NETWORK_OPTIONS } from "./network-options.ts";
import { SEED } from "./presets.ts";
import { RUN_OPTIONS, type RunOptions } from "./run.ts";

const object = satisfying<object>("an object", (value) => typeof value === "object" && value !== null);
/** A name, a value, or a function or module that makes one. */
const choice = satisfying(
  "a name, an object or a function",
  (value) => ["string", "object", "function"].includes(typeof value) && value !== null,
);

const LEARNING = defineOptions({
  /** The penalty is l2 / 2 · |w|²: "svm", "crf" and the batch learners. */
  l2: {
    check: positive,
    help: "penalty on the weights, for the learners that minimise a mean loss with one",
    defaultHelp: "0.001",
  },
  minWeight: {
    check: integer(1, 127),
    help: "quantisation steps below which a weight is stored as 0: a smaller file",
    defaultHelp: "2 for online learners with margins, otherwise 1",
  },
});

const SHARDS = defineOptions({
  count: {
    check: integer(1),
    help: "number of shards that are trained separately and mixed",
    default: 1,
  },
  mixes: {
    check: integer(1),
    help: "mixings per epoch",
    defaultHelp: '32; 1 with the learners "svm" and "crf"',
  },
});

/** Terms of the scores of arcs and labels: sparse features, a recurrent network, or both. */
export const TERMS = ["network", "features"] as const;
/** A term of the scores of a model. */
export type Term = (typeof TERMS)[number];

/** The option `terms` of the trainings of trees and graphs. */
export const TERMS_OPTION = {
  check: list(oneOf(...TERMS), { min: 1, distinct: true }),
  help: "what scores arcs and labels: features, network, or network,features",
  defaultHelp: "features; both if the network has settings",
  flag: "--terms <names>",
  group: "model",
} as const;

/** The row `decoder` of the settings of a family. */
export function decoderOption<Choice>(family: DecoderFamily, defaultHelp: string) {
  return {
    check: accepting<Choice>(choice),
    help:
      `how the best ${family.slice(0, -1)} is found: ${describeDecoders(family, "training")}, or by the decoder of a ` +
      "module (./my-decoder.mjs)",
    defaultHelp,
    fileCheck: string,
    flag: "--decoder <name>",
    group: "model",
  } as const;
}

/** The row `learner` of the settings of all families, without its default. */
export const LEARNER_OPTION = {
  check: accepting<LearnerChoice>(choice),
  help:
    `how weights are learned: ${LEARNER_NAMES.join(", ")}, or the learner of a module (./my-learner.mjs); the model ` +
    "stores its name",
  fileCheck: string,
  flag: "--learner <name>",
  stage: "weights",
} as const;

/** The settings of a parser. Flags, the reference page, files of settings and fingerprints follow from it. */
export const PARSER_SETTINGS = defineOptions({
  terms: TERMS_OPTION,
  /**
   * Or another decoder: an object, a factory, or a module (`loadDecoder` of `@arcwise/parser/node`), which is the only form
   * for training on threads.
   */
  decoder: decoderOption<DecoderChoice>("trees", '"mst" for order 1, "eisner" for orders 2 and 3'),
  /** 1: arcs; 2: grandparents and neighbouring siblings too; 3: grand-siblings and tri-siblings too. */
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
    default: false,
    group: "model",
  },
  /**
   * "full" has arbitrary siblings and head bigrams with "ad3"; and with "hillclimb" also great-grandparents, siblings of the
   * grandparent, and siblings of the head.
   */
  parts: {
    check: anyOf(oneOf("full"), list(oneOf(...PART_KINDS), { distinct: true })),
    help: 'kinds of parts besides the kinds of the order; "full": all that the decoder handles',
    default: [],
    group: "model",
  },
  /** A model stores the name of a module, not its code: parsing needs the same module. */
  global: {
    check: anyOf(accepting<TreeFeatures>(object), flag),
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
  /** The model stores them. */
  templates: {
    check: accepting<FeatureTemplates>(object),
    help: "feature templates that change the built-in ones: a document, or the name of its file",
    defaultHelp: "the built-in templates",
    fileCheck: satisfying(
      "a document or the name of its file",
      (value) => typeof value === "string" || (typeof value === "object" && value !== null),
    ),
    group: "model",
  },
  /**
   * Or a learner of `@arcwise/learn`, or a function that makes one. "kbest-mira" needs a decoder that ranks trees; "crf",
   * "exponentiated-gradient" and "lbfgs" need sums over trees, which are available for order 1.
   */
  learner: {
    ...LEARNER_OPTION,
    default: "mira",
  },
  epochs: {
    check: integer(1),
    help: "maximum number of epochs of the learner",
    default: 10,
    flag: "--epochs <n>",
    stage: "weights",
  },
  seed: SEED,
  /** Without a pruner, training and parsing take much more time, and for orders 2 and 3 memory in proportion to n³. */
  prune: {
    check: flag,
    help: "whether candidate heads are restricted; false: all heads are candidates, in parsing as well",
    default: true,
    stage: "prune",
  },
  learning: { options: LEARNING, help: "how weights are learned from a sentence", stage: "weights" },
  /** Sentences are dealt into shards, which learn from the same weights; these are mixed (McDonald, Hall and Mann 2010). */
  shards: { options: SHARDS, help: "training by iterative parameter mixing", stage: "weights" },
  labeller: {
    check: oneOf("joint", "sequence"),
    help: 'labels of arcs: "joint", each its best; "sequence", together once heads are known',
    defaultHelp: '"joint" for order 1, "sequence" for orders 2 and 3',
    stage: "label",
  },
  network: {
    options: NETWORK_OPTIONS,
    help: "the recurrent network, if it is one of the terms",
    stage: "network",
  },
});

/**
 * The settings of a trained parser in addition to its examples. Those of the model come first: decoder, order,
 * parts, learner; each stage of training has a group.
 */
export interface ParserSettings extends OptionsOf<typeof PARSER_SETTINGS> {}

/** Options of `trainParser`: the settings of the model, and how the training runs. */
export interface TrainOptions extends ParserSettings, ContinueOptions, RunOptions<TrainingExample> {}

/** The settings of a parser with their defaults. */
export type CompleteSettings = Complete<typeof PARSER_SETTINGS>;

/** All options of `trainParser`. */
export const TRAIN_OPTIONS = [...PARSER_SETTINGS, ...CONTINUE_OPTIONS, ...RUN_OPTIONS];
