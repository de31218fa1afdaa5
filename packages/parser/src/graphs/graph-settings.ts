import { ArcwiseError, GRAPH_PART_KINDS, type GraphPartKind } from "@arcwise/core";
import {
  accepting,
  anyOf,
  type Complete,
  checkOptions,
  defineOptions,
  flag,
  integer,
  joinOptions,
  list,
  mergeOptions,
  notNegative,
  type OptionsOf,
  omitOptions,
  oneOf,
  positive,
  satisfying,
  string,
} from "@arcwise/core/options";
import { type Learner, svmLearner } from "@arcwise/learn";
import { describeDecoders } from "../decoding/decoder-table.ts";
import type { VectorsDescription } from "../scoring/vectors/word-vectors.ts";
import {
  LEARNER_NAMES,
  type LearnerChoice,
  type LearnerReference,
  learnerNamed,
  learnerOf,
  referenceOf,
} from "../training/learners.ts";
import { NETWORK_OPTIONS } from "../training/network-options.ts";
import { DEFAULT_PRESET, type Preset, SEED } from "../training/presets.ts";
import { RUN_OPTIONS, type RunOptions } from "../training/run.ts";
import { checkShardLearner, describeVectors, mixesOf, networkEpochs, termsOf } from "../training/settings.ts";
import { LEARNING, SHARDS, TERMS_OPTION, type Term } from "../training/train-options.ts";
import type { GraphDecoderChoice } from "./graph-decoders.ts";
import type { GraphExample } from "./graph-types.ts";

const object = satisfying<object>("an object", (value) => typeof value === "object" && value !== null);
const make = satisfying<object>("a function", (value) => typeof value === "function");

const COSTS = defineOptions({
  falsePositive: { check: notNegative, help: "cost of an edge or predicate too many", default: 0.4 },
  falseNegative: { check: notNegative, help: "cost of a missing edge or predicate", default: 0.6 },
});

const PRUNE = defineOptions({
  recall: {
    check: satisfying<number>(
      "a number above 0, at most 1",
      (value) => typeof value === "number" && value > 0 && value <= 1,
    ),
    help: "share of gold edges that are candidates",
    default: 0.985,
  },
  most: { check: positive, help: "maximum number of candidates per word to reach this recall", default: 4 },
});

/** Options of the network that trees have as well. */
export const SHARED_NETWORK = omitOptions(
  NETWORK_OPTIONS,
  ...(["augment", "columns", "epochs", "minEpochs", "weight"] as const),
);

const NETWORK = joinOptions(
  SHARED_NETWORK,
  defineOptions({
    epochs: {
      check: integer(1),
      help: "epochs of the network",
      defaultHelp: "12; with minEpochs 1.4 million divided by the words of the training data, up to 400",
    },
    minEpochs: { check: integer(1), help: "minimum number of epochs if epochs is not given" },
    weight: { check: positive, help: "weight of its log-odds of edges and predicates", default: 0.6 },
    labelWeight: { check: notNegative, help: "weight of its log-probabilities of labels", default: 0.3 },
  }),
);

/** Options of learning, in the names of the options for trees. */
const GRAPH_LEARNING = joinOptions(
  omitOptions(LEARNING, "costs", "l2", "restarts", "minWeight"),
  defineOptions({
    /** The penalty is l2 / 2 · |w|²: the default learner, "svm", "crf" and the batch learners. */
    l2: {
      check: positive,
      help: "penalty on the weights, for the learners that minimise a mean loss with one",
      defaultHelp: "0; 0.001 with learners that are named",
    },
    restarts: {
      check: integer(1),
      help: 'maximum number of climbs per sentence with the decoder "hillclimb"',
      defaultHelp: "3, or 2 in a row without a better graph",
    },
    minWeight: {
      check: integer(1, 127),
      help: "quantisation steps below which a weight is stored as 0: a smaller file",
      default: 1,
    },
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
    flag: "--rules",
    group: "model",
  },
  parts: {
    check: anyOf(oneOf("full"), list(oneOf(...GRAPH_PART_KINDS), { distinct: true })),
    help: `kinds of parts of several edges: ${GRAPH_PART_KINDS.join(", ")}; "full": all of them`,
    flag: "--parts <kinds>",
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
  /** Or another decoder: an object, a factory, or a module (`loadGraphDecoder` of `@arcwise/parser/node`). */
  decoder: {
    check: accepting<GraphDecoderChoice>(anyOf(make, object, string)),
    help:
      `how the best graph is found: ${describeDecoders("graphs", "training")}, or by the decoder of a module ` +
      "(./my-decoder.mjs)",
    defaultHelp: '"basic"; with parts or unique labels "ad3"',
    fileCheck: string,
    flag: "--decoder <name>",
    group: "model",
  },
  learner: {
    check: accepting<LearnerChoice>(anyOf(make, object, string)),
    help: `how weights are learned: ${LEARNER_NAMES.join(", ")}, or the learner of a module (./my-learner.mjs)`,
    defaultHelp: "cost-augmented hinge loss with the steps of AdaGrad",
    fileCheck: string,
    stage: "weights",
  },
  costs: { options: COSTS, help: "costs of mistakes in cost-augmented decoding", stage: "weights" },
  learning: { options: GRAPH_LEARNING, help: "how weights are learned from a sentence", stage: "weights" },
  /** Shards learn all epochs with parts. */
  shards: { options: SHARDS, flags: false, help: "training by iterative parameter mixing", stage: "weights" },
  prune: { options: PRUNE, help: "how candidate edges are restricted", stage: "prune" },
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
  /** For learners of one example at a time, without shards. Otherwise, or without parts and unique labels, the default is 0. */
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

/** The settings of each preset, where they differ from the defaults of `GRAPH_SETTINGS`; of graphs, fast is linear. */
export const GRAPH_PRESETS: Readonly<Record<Preset, GraphSettings>> = {
  linear: {},
  fast: {},
  balanced: {
    costs: { falsePositive: 0.3, falseNegative: 0.7 },
    network: { units: 64 },
  },
  accurate: {
    parts: "full",
    costs: { falsePositive: 0.3, falseNegative: 0.7 },
    network: { units: 128 },
  },
};

const TRAIN_OPTIONS = [...GRAPH_SETTINGS, ...RUN_OPTIONS];

type Settled = Complete<typeof GRAPH_SETTINGS>;
type Network = Settled["network"];

/** The settings of a network of graphs. Its vectors are only described: they are data. */
interface CompleteNetwork extends Omit<Network, "vectors"> {
  readonly vectors: VectorsDescription | undefined;
}

/** The settings of a graph parser, checked and complete. */
export interface CompleteGraphSettings
  extends Omit<Settled, "terms" | "decoder" | "learner" | "network" | "shards" | "parts"> {
  /** What scores predicates, edges and labels, in the order of `TERMS`. */
  readonly terms: readonly Term[];
  readonly decoder: GraphDecoderChoice;
  readonly learner: Learner;
  /** The learner as plain data; undefined if it was given as an object or a function. */
  readonly learnerReference: LearnerReference | undefined;
  /** False: the network is not one of the terms. */
  readonly network: CompleteNetwork | false;
  readonly shards: Settled["shards"] & { readonly mixes: number };
  readonly parts: readonly GraphPartKind[];
  readonly unique: boolean;
  readonly basicEpochs: number;
}

/** The name of the default learner in references. */
const DEFAULT_LEARNER = "svm by AdaGrad";
/**
 * The default learner: a margin, by the steps of AdaGrad. With "mira", labelled F1 on PropBank is half a
 * point lower.
 */
const ADAGRAD = { optimizer: "adagrad", rate: 0.02 } as const;
/** Number of final epochs, which also learn parts if the model has parts. */
const EPOCHS_WITH_PARTS = 2;
const NETWORK_EPOCHS = 12;

/** Makes the learner of a reference: the default one, or as `learnerNamed`. */
export function graphLearnerNamed(reference: LearnerReference): Learner {
  return reference.name === DEFAULT_LEARNER
    ? svmLearner({ ...ADAGRAD, l2: reference.l2 })
    : learnerNamed(reference);
}

function graphLearner(
  choice: LearnerChoice | undefined,
  { l2, tolerance }: Settled["learning"],
): Pick<CompleteGraphSettings, "learner" | "learnerReference"> {
  if (choice === undefined) {
    if (tolerance !== undefined)
      throw incompatible("learning.tolerance", "tolerance is for batch learners, and the default is online");
    const learnerReference = { name: DEFAULT_LEARNER, l2 };
    return { learner: graphLearnerNamed(learnerReference), learnerReference };
  }
  const learner = learnerOf(choice, { l2, tolerance });
  return { learner, learnerReference: referenceOf(choice, learner, { l2, tolerance }) };
}

/**
 * Checks options, without training.
 *
 * @returns the settings, with the values of their preset and all defaults
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 */
export function checkGraphTrainOptions(options: GraphTrainOptions): CompleteGraphSettings {
  checkOptions(TRAIN_OPTIONS, options, "trainGraphParser");
  const { preset = DEFAULT_PRESET } = options;
  const own: GraphSettings = Object.fromEntries(
    GRAPH_SETTINGS.map(({ name }) => [name, options[name as keyof GraphTrainOptions]]),
  );
  const merged = mergeOptions(GRAPH_SETTINGS, GRAPH_PRESETS[preset], own);
  const terms = termsOf(merged);
  const hasFeatures = terms.includes("features");
  const whole = hasFeatures
    ? merged
    : mergeOptions(GRAPH_SETTINGS, { network: GRAPH_PRESETS[preset].network }, own);
  const settings = checkOptions(GRAPH_SETTINGS, whole, "trainGraphParser");
  if (!hasFeatures) checkAlone(settings);
  const { epochs, unique = settings.parts === "full", learning } = settings;
  const parts = settings.parts === "full" ? GRAPH_PART_KINDS : settings.parts;
  const hasParts = unique || parts.length > 0;
  const { learner, learnerReference } = graphLearner(settings.learner, learning);
  const shards = mixesOf(settings.shards, learner);
  checkShardLearner("trainGraphParser", shards, learner);
  const isSplit = hasParts && !learner.batch && shards.count === 1;
  const { basicEpochs = isSplit ? Math.max(0, epochs - EPOCHS_WITH_PARTS) : 0 } = settings;
  if (basicEpochs > 0 && learner.batch)
    throw incompatible(
      "basicEpochs",
      `basicEpochs requires an online learner; "${learner.name}" is a batch learner`,
    );
  if (basicEpochs > 0 && shards.count > 1)
    throw incompatible("basicEpochs", `basicEpochs requires one shard, got ${shards.count}`);
  const { decoder = hasParts ? "ad3" : "basic" } = settings;
  const network = terms.includes("network") && completeNetwork(settings.network);
  return {
    ...{ ...settings, terms, parts, unique, decoder, learner, learnerReference, basicEpochs, shards },
    network: network && !hasFeatures ? { ...network, weight: 1, labelWeight: 1 } : network,
  };
}

/** @throws ArcwiseError `invalid-option` on settings of features, or of scores next to features */
function checkAlone({ rules, parts, learner, epochs, basicEpochs = 0, shards, network }: Settled): void {
  const defaults = checkOptions(GRAPH_SETTINGS, {}, "trainGraphParser");
  const isWeight = (name: "weight" | "labelWeight") => ![1, defaults.network[name]].includes(network[name]);
  const wrong = {
    rules,
    parts: parts.length > 0,
    learner: learner !== undefined,
    epochs: epochs !== defaults.epochs,
    basicEpochs: basicEpochs > 0,
    "shards.count": shards.count !== 1,
    "network.weight": isWeight("weight"),
    "network.labelWeight": isWeight("labelWeight"),
  };
  const [at] = Object.entries(wrong).find(([, isWrong]) => isWrong) ?? [];
  if (at !== undefined)
    throw incompatible(at, `${at} is a setting of features, which are not one of the terms (network)`);
}

function completeNetwork(network: Network): CompleteNetwork {
  const { epochs, minEpochs } = network;
  const fixed = epochs ?? (minEpochs === undefined ? NETWORK_EPOCHS : undefined);
  return { ...network, epochs: fixed, vectors: describeVectors(network.vectors) };
}

/** An option that does not go with the others. */
function incompatible(at: string, message: string): ArcwiseError {
  return new ArcwiseError("invalid-option", `trainGraphParser: ${message}`, { at });
}

/** Returns the number of epochs of a network on a number of words. */
export function graphNetworkEpochs({ epochs, minEpochs = 1 }: CompleteNetwork, words: number): number {
  return networkEpochs({ epochs, minEpochs }, words);
}
