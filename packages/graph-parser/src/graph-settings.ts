import { GRAPH_PART_KINDS, type GraphPartKind } from "@arcwise/core";
import {
  anyOf,
  type Complete,
  checkOptions,
  defineOptions,
  flag,
  integer,
  joinOptions,
  list,
  notNegative,
  type OptionsOf,
  omitOptions,
  oneOf,
  positive,
} from "@arcwise/core/options";
import { type Learner, svmLearner } from "@arcwise/learn";
import { SEED, termsOf } from "@arcwise/parser";
import {
  DEFAULT_PRESET,
  decoderOption,
  describeVectors,
  incompatible,
  joinPreset,
  LEARNER_OPTION,
  learnerOf,
  NETWORK_OPTIONS,
  ownSettings,
  type Preset,
  RUN_OPTIONS,
  type RunOptions,
  refuseFeatures,
  requireScored,
  TERMS_OPTION,
  type Term,
} from "@arcwise/parser/shared";
import { type GraphDecoderChoice, graphDecoderOf } from "./graph-decoders.ts";
import type { GraphExample } from "./graph-types.ts";

const COSTS = defineOptions({
  falsePositive: { check: notNegative, help: "cost of an edge or predicate too many", default: 0.4 },
  falseNegative: { check: notNegative, help: "cost of a missing edge or predicate", default: 0.6 },
});

/** Options of the network that trees have as well. */
export const SHARED_NETWORK = omitOptions(
  NETWORK_OPTIONS,
  ...(["columns", "epochs", "firstLayerColumns", "minEpochs", "weight"] as const),
);

const NETWORK = joinOptions(
  SHARED_NETWORK,
  defineOptions({
    epochs: {
      check: integer(1),
      help: "epochs of the network",
      defaultHelp: "1.4 million divided by the words of the training data, from minEpochs to 400",
    },
    minEpochs: { check: integer(1), help: "minimum number of epochs if epochs is not given", default: 12 },
    weight: { check: positive, help: "weight of its log-odds of edges and predicates", default: 0.6 },
  }),
);

/** The settings of a graph parser. Flags, the reference page, files of settings and fingerprints follow from it. */
export const GRAPH_SETTINGS = defineOptions({
  terms: TERMS_OPTION,
  graphs: {
    check: oneOf("semantic", "enhanced"),
    help: "what the graphs are; the command takes it from the format of the files",
    default: "semantic",
    programmatic: true,
    group: "model",
  },
  /** By the rules of `enhanceTree`: for enhanced dependencies of English, with trees. */
  rules: {
    check: flag,
    help: "whether the edges that English rules make of the trees are candidates and features",
    default: false,
    group: "model",
  },
  parts: {
    check: anyOf(oneOf("full"), list(oneOf(...GRAPH_PART_KINDS), { distinct: true })),
    help: `kinds of parts of several edges: ${GRAPH_PART_KINDS.join(", ")}; "full": all of them`,
    default: [],
    group: "model",
  },
  /** Frequent labels that no predicate of the training graphs has twice. They require a decoder that handles "unique". */
  unique: {
    check: flag,
    help: "whether labels that no predicate has twice are unique",
    defaultHelp: 'true with parts "full", otherwise false',
    group: "model",
  },
  /** Or another decoder: an object, a factory, or a module (`loadGraphDecoder` of `@arcwise/graph-parser/node`). */
  decoder: decoderOption<GraphDecoderChoice>("graphs", '"basic"; with parts or unique labels "ad3"'),
  learner: { ...LEARNER_OPTION, defaultHelp: "cost-augmented hinge loss with the steps of AdaGrad" },
  costs: { options: COSTS, help: "costs of mistakes in cost-augmented decoding", stage: "weights" },
  network: {
    options: NETWORK,
    help: "the recurrent network, if it is one of the terms",
    stage: "network",
  },
  epochs: {
    check: integer(1),
    help: "epochs over the sentences",
    default: 8,
    flag: "--epochs <n>",
    stage: "weights",
  },
  /** For learners of one example at a time. Otherwise, or without parts and unique labels, the default is 0. */
  basicEpochs: {
    check: integer(0),
    help: "number of the first epochs without parts and unique labels, which take most of the time",
    defaultHelp: "all but the last two",
    stage: "weights",
  },
  seed: SEED,
});

/** The settings of a trained graph parser in addition to its examples. */
export interface GraphSettings extends OptionsOf<typeof GRAPH_SETTINGS> {}

/** Options of `trainGraphParser`: the settings of the model, and how the training runs. */
export interface GraphTrainOptions extends GraphSettings, RunOptions<GraphExample> {}

/** A small network: as in the presets of trees, and measured on the development split of PropBank (docs/notes, *Networks alone*). */
const SMALL = { units: 64, dropout: 0.2, rate: 0.003 };
/** Costs for features next to a network: of the ones tried on the development split of PropBank the best. */
const COSTS_NEXT_TO_NETWORK = { falsePositive: 0.3, falseNegative: 0.7 };

/** The settings of each preset, where they differ from the defaults of `GRAPH_SETTINGS`. */
export const GRAPH_PRESETS: Readonly<Record<Preset, GraphSettings>> = {
  linear: {},
  fast: {
    terms: ["network"],
    costs: COSTS_NEXT_TO_NETWORK,
    network: SMALL,
  },
  balanced: {
    terms: ["network"],
    unique: true,
    costs: COSTS_NEXT_TO_NETWORK,
    network: SMALL,
  },
  accurate: {
    parts: "full",
    costs: COSTS_NEXT_TO_NETWORK,
    network: { units: 128 },
  },
};

/** Settings that only features have. */
const SETTINGS_OF_FEATURES = ["rules", "parts", "learner", "costs", "epochs", "basicEpochs"] as const;

const TRAIN_OPTIONS = [...GRAPH_SETTINGS, ...RUN_OPTIONS];

type Settled = Complete<typeof GRAPH_SETTINGS>;
type Network = Settled["network"];

/** The settings of a network of graphs. Its vectors are only described: they are data. */
interface CompleteNetwork extends Omit<Network, "vectors"> {
  readonly vectors: ReturnType<typeof describeVectors>;
}

/** The settings of a graph parser, checked and complete. */
export interface CompleteGraphSettings
  extends Omit<Settled, "terms" | "decoder" | "learner" | "network" | "parts"> {
  /** Terms of the scores of predicates, edges and labels, in the order of `TERMS`. */
  readonly terms: readonly Term[];
  readonly decoder: GraphDecoderChoice;
  readonly learner: Learner;
  /** False: the network is not one of the terms. */
  readonly network: CompleteNetwork | false;
  readonly parts: readonly GraphPartKind[];
  readonly unique: boolean;
  readonly basicEpochs: number;
}

/**
 * The default learner: a margin, by the steps of AdaGrad. With "mira", labelled F1 on PropBank is half a
 * point lower.
 */
const ADAGRAD = { optimizer: "adagrad", rate: 0.02 } as const;
/** Number of final epochs, which also learn parts if the model has parts. */
const EPOCHS_WITH_PARTS = 2;

/**
 * Checks options, without training.
 *
 * @param hasTrees whether sentences have trees, which networks alone do not read: presets of networks alone have features
 *   as well then, unless terms are given
 * @returns the settings, with the values of their preset and all defaults
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 * @throws UnsupportedPart when the decoder does not handle the parts or unique labels
 */
export function checkGraphTrainOptions(options: GraphTrainOptions, hasTrees = false): CompleteGraphSettings {
  checkOptions(TRAIN_OPTIONS, options, "trainGraphParser");
  const { preset = DEFAULT_PRESET } = options;
  const own: GraphSettings = ownSettings(GRAPH_SETTINGS, options);
  const merged = joinPreset(GRAPH_SETTINGS, GRAPH_PRESETS[preset], own, {
    asksForFeatures: hasTrees || SETTINGS_OF_FEATURES.some((name) => own[name] !== undefined),
    featureSettings: SETTINGS_OF_FEATURES.filter((name) => name !== "costs"),
  });
  const terms = termsOf(merged);
  const hasFeatures = terms.includes("features");
  const settings = checkOptions(GRAPH_SETTINGS, merged, "trainGraphParser");
  if (!hasFeatures) checkAlone(settings);
  const { epochs, unique = settings.parts === "full" } = settings;
  const parts = settings.parts === "full" ? GRAPH_PART_KINDS : settings.parts;
  const hasParts = unique || parts.length > 0;
  const learner = settings.learner === undefined ? svmLearner(ADAGRAD) : learnerOf(settings.learner);
  const isSplit = hasFeatures && hasParts && !learner.batch;
  const { basicEpochs = isSplit ? Math.max(0, epochs - EPOCHS_WITH_PARTS) : 0 } = settings;
  if (basicEpochs > 0 && learner.batch)
    throw incompatible(
      "trainGraphParser",
      "basicEpochs",
      `basicEpochs requires an online learner; "${learner.name}" is a batch learner`,
    );
  const { decoder = hasParts ? "ad3" : "basic" } = settings;
  const used = graphDecoderOf(decoder, { purpose: "training" });
  requireScored(used, parts, unique && ["unique"]);
  const network = terms.includes("network") && {
    ...settings.network,
    vectors: describeVectors(settings.network.vectors),
  };
  return {
    ...{ ...settings, terms, parts, unique, decoder, learner, basicEpochs },
    network: network && !hasFeatures ? { ...network, weight: 1 } : network,
  };
}

function checkAlone({ rules, parts, learner, epochs, basicEpochs = 0, network }: Settled): void {
  const defaults = checkOptions(GRAPH_SETTINGS, {}, "trainGraphParser");
  refuseFeatures("trainGraphParser", {
    rules,
    parts: parts.length > 0,
    learner: learner !== undefined,
    epochs: epochs !== defaults.epochs,
    basicEpochs: basicEpochs > 0,
    "network.weight": ![1, defaults.network.weight].includes(network.weight),
  });
}
