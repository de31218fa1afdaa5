import { type Decoder, PART_KINDS, type PartKind } from "@arcwise/core";
import { checkOptions } from "@arcwise/core/options";
import type { Learner } from "@arcwise/learn";
import { type DecoderRequest, type DecoderSource, decoderOf } from "../decoding/decoders.ts";
import { isModule, requireScored } from "../decoding/make-decoder.ts";
import type { TrainedModel } from "../model/model.ts";
import {
  resolveTemplates,
  type TemplateSets,
  templateChanges,
} from "../scoring/templates/feature-templates.ts";
import { checkTreeFeatures, type TreeFeatures } from "../scoring/trees/tree-features.ts";
import { describeVectors, type VectorsDescription } from "../scoring/vectors/word-vectors.ts";
import { modelToContinue } from "./continued/continue-options.ts";
import {
  checkAgainstModel,
  modelSettings,
  templatesOfModel,
  vectorsOfModel,
} from "./continued/model-settings.ts";
import { checkLearner, type LearnerReference, learnerOf, referenceOf } from "./learners.ts";
import { PARSER_PRESETS } from "./parser-presets.ts";
import { DEFAULT_PRESET, type Preset } from "./presets.ts";
import { incompatible, joinPreset, ownSettings, refuseFeatures, termsOf } from "./terms.ts";
import {
  type CompleteSettings,
  PARSER_SETTINGS,
  type ParserSettings,
  type Term,
  TRAIN_OPTIONS,
  type TrainOptions,
} from "./train-options.ts";

export type Order = 1 | 2 | 3;

/** The default decoder of each order. */
const DECODER_OF_ORDER = { 1: "mst", 2: "eisner", 3: "eisner" } as const;
/** Kinds of parts beyond arcs that a model of each order scores. */
export const KINDS_OF_ORDER: Readonly<Record<Order, readonly PartKind[]>> = {
  1: [],
  2: ["grandparent", "nextSibling", "lastSibling"],
  3: ["grandparent", "nextSibling", "lastSibling", "grandSibling", "triSibling"],
};
/**
 * The default labeller of each order. The second stage raises LAS on development data, and costs about a
 * fifth of the speed of a first-order model.
 */
const LABELLER_OF_ORDER = { 1: "joint", 2: "sequence", 3: "sequence" } as const;
/**
 * Default number of mixings per epoch: with it, ten shards learn in ten epochs as much as serial training, to
 * within the noise of a development split. Mixings cost little where a learner changes few weights per
 * sentence.
 */
const MIXES = 32;
/**
 * Weight of a network's scores besides scores with margins of 1, which the labeller "sequence" always has: on
 * development data of Hungarian and Gothic 0.12 to 0.35 give the same accuracy.
 */
export const MARGIN_WEIGHT = 0.2;
/** Weight besides log-likelihoods: the best of 0.2, 0.5, 0.8 and 1.2 on Gothic, by UAS and LAS together. */
const LIKELIHOOD_WEIGHT = 0.8;
const WEIGHTS = { margin: MARGIN_WEIGHT, "log-probability": LIKELIHOOD_WEIGHT, none: MARGIN_WEIGHT } as const;
/** Number of words that a network is trained on by default, counted in all epochs. */
const NETWORK_WORDS = 1.4e6;
/** Maximum number of epochs by default: a treebank of some dozen sentences is learned by heart long before. */
const MAX_NETWORK_EPOCHS = 400;

/** Settings that only features have. */
export const SETTINGS_OF_FEATURES = [
  ...(["order", "parts", "global", "templates"] as const),
  ...(["learner", "epochs", "shards", "labeller", "prune", "learning"] as const),
];
/** Settings of presets that a network alone does not take. */
const WITH_FEATURES: readonly string[] = [...SETTINGS_OF_FEATURES, "decoder"];

/** The settings of a network. Its vectors and columns are only described: they are data. */
export interface NetworkSettings extends Omit<CompleteSettings["network"], "weight" | "columns" | "vectors"> {
  readonly weight: number;
  /** Names of the columns that it predicts. */
  readonly columns: readonly string[];
  readonly vectors: VectorsDescription | undefined;
}

/**
 * All settings as plain data, each with its value: what describes a model, and what the fingerprint of
 * checkpoints is made of.
 */
export interface PlainSettings
  extends Omit<
    CompleteSettings,
    "terms" | "decoder" | "learner" | "parts" | "global" | "templates" | "shards" | "labeller" | "network"
  > {
  /** Terms of the scores of arcs and labels, in the order of `TERMS`. */
  readonly terms: readonly Term[];
  readonly decoder: string;
  /** The specifier of the decoder's module, if it came from one. */
  readonly decoderModule: string | undefined;
  readonly learner: string;
  /** Kinds of parts in addition to the order's, in the order of `PART_KINDS`. */
  readonly parts: readonly PartKind[];
  readonly global: boolean | { readonly module: string; readonly specifier: string | undefined };
  /** The changes of a document of templates to the built-in ones. */
  readonly templates: readonly string[];
  readonly shards: CompleteSettings["shards"] & { readonly mixes: number };
  readonly labeller: "joint" | "sequence";
  /** False: the network is not one of the terms. */
  readonly network: NetworkSettings | false;
}

/** Everything that determines a trained model besides the examples: checked, complete and ready for use. */
export interface Settings
  extends Omit<PlainSettings, "decoder" | "decoderModule" | "learner" | "global" | "templates"> {
  readonly plain: PlainSettings;
  readonly decoder: Decoder;
  /** The source from which other threads make the decoder. */
  readonly decoderSource: DecoderSource;
  readonly learner: Learner;
  /** The learner as plain data; undefined if it was given as an object or a function. */
  readonly learnerReference: LearnerReference | undefined;
  readonly global: boolean;
  /** Features of a module, scored in addition to the features of the views; undefined without one. */
  readonly treeFeatures: TreeFeatures | undefined;
  readonly templates: TemplateSets;
}

/**
 * Checks options without training.
 *
 * @returns all settings, as plain data
 * @throws ArcwiseError `unknown-option` or `invalid-option`
 * @throws ArcwiseError `unsupported-learner` when a learner needs what the decoder and the order do not provide
 * @throws UnsupportedPart when the decoder cannot score the parts of the order, or whole trees
 * @throws UnsupportedCapability when an option needs a capability that the decoder lacks
 */
export function checkTrainOptions(options: TrainOptions): PlainSettings {
  return settingsOf(options).plain;
}

/** Returns the complete templates of the model that options would train. @throws as `checkTrainOptions` */
export function templatesFor(options: TrainOptions): TemplateSets {
  return settingsOf(options).templates;
}

/** Checks options and adds the values of their preset and all defaults. */
export function settingsOf(options: TrainOptions): Settings {
  checkOptions(TRAIN_OPTIONS, options, "trainParser");
  const { preset = DEFAULT_PRESET } = options;
  const own: ParserSettings = ownSettings(PARSER_SETTINGS, options);
  const model = modelToContinue(options);
  const settings =
    model === undefined ? newSettings(own, preset, options) : continuedSettings(model, own, options.preset);
  if (options.partial === true && settings.terms.includes("features"))
    throw incompatible(
      "trainParser",
      "partial",
      "partly annotated sentences are for networks alone, got features among the terms",
    );
  return settings;
}

/** Returns the settings of a new model. */
function newSettings(given: ParserSettings, preset: Preset, trainedOn: TrainedOn): Settings {
  const merged = withPreset(given, preset, trainedOn);
  return resolved(checkOptions(PARSER_SETTINGS, merged, "trainParser"), termsOf(merged));
}

/** Returns the settings of a training that continues a model. */
function continuedSettings(
  model: TrainedModel,
  given: ParserSettings,
  preset: TrainOptions["preset"],
): Settings {
  if (preset !== undefined)
    throw incompatible(
      "trainParser",
      "preset",
      `the model that is continued has its settings, got the preset ${preset}: leave it out`,
    );
  const merged = modelSettings(model, given);
  const settings = checkOptions(PARSER_SETTINGS, merged, "trainParser");
  const { templates, ...found } = resolved(settings, termsOf(merged), true);
  const columns = (model.network?.configuration.columns ?? []).map(({ name }) => name);
  const network = found.network && { ...found.network, columns, vectors: vectorsOfModel(model) };
  const described = (model.description.templates ?? []) as readonly string[];
  const plain = { ...found.plain, network, templates: described };
  checkAgainstModel(given, plain, model);
  return { ...found, network, plain, templates: templatesOfModel(model) };
}

/** Inputs and targets of the network of a training, in addition to words. */
interface TrainedOn {
  readonly encoder?: object | undefined;
  readonly partial?: boolean | undefined;
}

/**
 * Returns settings with the settings of a preset where they are not given; with a network alone without the settings of
 * the preset that only features have. Where settings of features are given, and terms are not, features are one of them;
 * else, the preset `balanced` is its network alone with an encoder, which knows more than features, and with partly annotated
 * sentences, from which features do not learn.
 */
export function withPreset<Given extends ParserSettings>(
  given: Given,
  preset: Preset,
  { encoder, partial }: TrainedOn,
): Given {
  const asksForFeatures = SETTINGS_OF_FEATURES.some((name) => given[name] !== undefined);
  const isAlone = preset === "balanced" && (encoder !== undefined || partial === true);
  const settings: ParserSettings = { ...PARSER_PRESETS[preset], ...(isAlone && { terms: ["network"] }) };
  return joinPreset(PARSER_SETTINGS, settings as Given, given, {
    asksForFeatures,
    featureSettings: WITH_FEATURES,
  });
}

function resolved(given: CompleteSettings, terms: readonly Term[], isContinued = false): Settings {
  const hasFeatures = terms.includes("features");
  if (!hasFeatures) checkAlone(given);
  const options = hasFeatures ? given : ({ ...given, prune: false } as const);
  const { order, learning, prune, global, shards, network } = options;
  const { decoder, decoderModule, decoderSource } = trainingDecoder(options);
  requireScored(decoder, KINDS_OF_ORDER[order], global !== false && ["global"]);
  const treeFeatures = typeof global === "object" ? global : undefined;
  if (treeFeatures !== undefined) checkTreeFeatures(treeFeatures, treeFeatures.specifier);
  const learner = learnerOf(options.learner, learning);
  if (hasFeatures) checkLearner(learner, decoder, order);
  checkRules({ options, terms, decoder, learner, isContinued });
  const parts = partKinds(options.parts, decoder, order);
  const { labeller = LABELLER_OF_ORDER[order] } = options;
  const kinds = [...KINDS_OF_ORDER[order], ...parts];
  const isGlobal = global !== false;
  const use = { order, kinds, pruner: prune, labeller, global: isGlobal };
  const plain: PlainSettings = {
    ...options,
    terms,
    decoder: decoder.name,
    decoderModule,
    learner: learner.name,
    parts,
    global: treeFeatures ? { module: treeFeatures.name, specifier: treeFeatures.specifier } : isGlobal,
    templates: templateChanges(options.templates ?? {}),
    shards: { ...shards, mixes: shards.mixes ?? (learner.sparse ? MIXES : 1) },
    labeller,
    network: terms.includes("network") && {
      ...network,
      weight: network.weight ?? (hasFeatures ? WEIGHTS[learner.unit] : 1),
      columns: network.columns.map(({ name }) => name),
      vectors: describeVectors(network.vectors),
    },
  };
  return {
    ...plain,
    plain,
    decoder,
    decoderSource,
    learner,
    learnerReference: referenceOf(options.learner, learner, learning),
    global: isGlobal,
    treeFeatures,
    templates: hasFeatures ? resolveTemplates(use, options.templates) : { arc: [], parts: {} },
  };
}

/** The settings of a training, and what they choose. */
interface Chosen {
  readonly options: CompleteSettings;
  readonly terms: readonly Term[];
  readonly decoder: Decoder;
  readonly learner: Learner;
  /** Whether training begins with the weights of a model. */
  readonly isContinued: boolean;
}

/** For each setting that depends on others, a function that returns the fault of its value, if it has one. */
const RULES: Readonly<Record<string, (chosen: Chosen) => string | false>> = {
  multipleRoots: ({ options, decoder: { name, singleRoot } }) =>
    options.multipleRoots &&
    singleRoot &&
    `several roots require a decoder of trees with several roots; "${name}" finds trees with one`,
  "shards.count": ({ options, learner: { name, online } }) =>
    options.shards.count > 1 &&
    online === undefined &&
    `shards require an online learner; "${name}" is a batch learner`,
  // The scores of the perceptron have no scale next to which a network could be weighed.
  terms: ({ terms, learner: { name, unit } }) =>
    terms.length === 2 &&
    unit === "none" &&
    `a network next to features requires a learner of margins; "${name}" does not have any: give one term`,
  parts: ({ options: { parts, order } }) =>
    parts.length > 0 && order === 1 && "more kinds of parts are for orders 2 and 3, got order 1",
  "network.columns"({ options, terms }) {
    const names = options.network.columns.map(({ name }) => name);
    const areDistinct = new Set(names).size === names.length;
    return (
      terms.includes("network") &&
      !areDistinct &&
      `expected columns of different names, got ${names.join(", ")}`
    );
  },
  learner: ({ terms, learner: { name, online }, isContinued }) =>
    isContinued &&
    terms.includes("features") &&
    online === undefined &&
    `expected an online learner, which begins with the weights of a model, got "${name}": give the learner crf, or mira`,
};

function checkRules(chosen: Chosen): void {
  for (const [at, faultOf] of Object.entries(RULES)) {
    const fault = faultOf(chosen);
    if (fault !== false) throw incompatible("trainParser", at, fault);
  }
}

/** @throws ArcwiseError `invalid-option` on settings of features, or of scores next to features */
function checkAlone(given: CompleteSettings): void {
  const { order, parts, global, templates = {}, learner, epochs, shards, labeller, network } = given;
  const defaults = checkOptions(PARSER_SETTINGS, {}, "trainParser");
  refuseFeatures("trainParser", {
    order: order !== defaults.order,
    parts: parts.length > 0,
    global: global !== defaults.global,
    templates: Object.keys(templates).length > 0,
    learner: learner !== defaults.learner,
    epochs: epochs !== defaults.epochs,
    "shards.count": shards.count !== 1,
    labeller: labeller === "sequence",
    "network.weight": (network.weight ?? 1) !== 1,
  });
}

/** Returns the decoder of options, and the source from which other threads make it. */
function trainingDecoder({ decoder: choice, order, multipleRoots }: CompleteSettings) {
  const given = choice ?? DECODER_OF_ORDER[order];
  const request: DecoderRequest = { purpose: "training", order, multipleRoots };
  const decoder = decoderOf(given, request);
  const source: DecoderSource = { name: decoder.name, request };
  if (isModule(given)) {
    return { decoder, decoderSource: { ...source, url: given.url }, decoderModule: given.specifier };
  }
  const decoderSource: DecoderSource = typeof given === "string" ? source : { ...source, local: true };
  return { decoder, decoderSource, decoderModule: undefined };
}

/** Returns kinds of parts in addition to the order's, in the order of `PART_KINDS`. */
function partKinds(parts: CompleteSettings["parts"], decoder: Decoder, order: Order): PartKind[] {
  if (parts.length === 0) return [];
  const asked = new Set(parts === "full" ? PART_KINDS.filter((kind) => decoder.handles.has(kind)) : parts);
  requireScored(decoder, asked);
  const known: readonly PartKind[] = KINDS_OF_ORDER[order];
  return PART_KINDS.filter((kind) => asked.has(kind) && !known.includes(kind));
}

/** Returns the number of epochs of a network on a treebank of `words` words: small treebanks need more. */
export function networkEpochs(
  { epochs, minEpochs }: Pick<NetworkSettings, "epochs" | "minEpochs">,
  words: number,
): number {
  const rounds = Math.round(NETWORK_WORDS / Math.max(1, words));
  return epochs ?? Math.max(minEpochs, Math.min(MAX_NETWORK_EPOCHS, rounds));
}
