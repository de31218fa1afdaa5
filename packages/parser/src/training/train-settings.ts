import { PART_KINDS, type PartKind, UnsupportedPart } from "@arcwise/core";
import type { FeaturedKind } from "@arcwise/core/features";
import { MIXINGS, type Mixing } from "@arcwise/learn";
import { decoderNamed, takesGlobal } from "../decoding/decoders.ts";
import { isUnits, MOST_UNITS } from "../scoring/network/network-layout.ts";
import { MOST_RANK, type TensorPlan } from "../scoring/tensor/tensor-plan.ts";
import { vectorsHash } from "../scoring/tensor/word-vectors.ts";
import type { TrainOptions } from "../types.ts";
import { checkLearner } from "./learners.ts";
import { mixingDefaults } from "./train-mixing.ts";

/** Most heads that the pruner keeps of a word, unless told. */
const MOST_HEADS = 16;
/** The second stage raises LAS on development data, and costs about a fifth of the speed of a first-order model. */
const LABELLER_OF_ORDER = { 1: "joint", 2: "sequence", 3: "sequence" } as const;

/**
 * Rates of word dropout, so that what an unknown word does is learned as well. On development data no difference to 0 holds
 * from seed to seed.
 */
const DROPOUT_OF_ORDER = { 1: 0, 2: 0.25, 3: 0.25 } as const;

/** Kinds of parts beyond arcs that a model of each order scores. */
export const KINDS_OF_ORDER: Readonly<Record<1 | 2 | 3, readonly FeaturedKind[]>> = {
  1: [],
  2: ["grandparent", "nextSibling", "lastSibling"],
  3: ["grandparent", "nextSibling", "lastSibling", "grandSibling", "triSibling"],
};

/** Options of training, checked and complete. */
export type Settings = Required<
  Pick<TrainOptions, "order" | "learner" | "epochs" | "seed" | "prune" | "labeller">
> & {
  readonly decoder: string;
  /** Climbs a sentence in training; absent: as many as the decoder's own setting. */
  readonly restarts?: number;
  /** Kinds of parts beside those of the order; absent where there are none. */
  readonly parts?: readonly FeaturedKind[];
  /** Rate at which words are made unknown in training; absent where none are. */
  readonly dropout?: number;
  /** Absent where learning takes rounded trees alone. */
  readonly fractional?: true;
  /** Absent where only arcs and parts are scored. */
  readonly global?: true;
  /** Absent in serial training. */
  readonly shards?: number;
  /** Absent without one. */
  readonly tensor?: TensorPlan;
  /** Absent without one. Without epochs: as many as `networkEpochs` says. */
  readonly network?: NetworkSettings;
  readonly mixing?: Mixing;
  /** Mixings an epoch. */
  readonly mixes?: number;
  /** Epochs before those that weights are averaged over. */
  readonly averageAfter?: number;
};

/**
 * Checks options without training.
 *
 * @throws RangeError on an option out of range, or a learner that does not go with the decoder and order
 * @throws UnsupportedPart when the decoder cannot score the parts of the order
 */
export function checkTrainOptions(options: TrainOptions): void {
  settingsOf(options);
}

/** @throws as `checkTrainOptions` */
export function settingsOf(options: TrainOptions): Settings {
  const order = options.order ?? 1;
  if (!Object.hasOwn(KINDS_OF_ORDER, order)) throw new RangeError(`order must be 1, 2 or 3, got ${order}`);
  const decoder = decoderOf(options.decoder ?? (order === 1 ? "mst" : "eisner"), order);
  const learner = options.learner ?? "mira";
  checkLearner(learner, decoder, order);
  return {
    decoder,
    order,
    learner,
    epochs: options.epochs ?? 10,
    seed: options.seed ?? 1,
    prune: pruneSetting(options.prune),
    labeller: labellerSetting(options.labeller ?? LABELLER_OF_ORDER[order]),
    ...partsSetting(options.parts, decoder, order),
    ...dropoutSetting(options),
    ...tensorSetting(options, learner),
    ...networkSetting(options.network, learner),
    ...restartsSetting(options.restarts, decoder),
    ...fractionalSetting(options.fractional, decoder),
    ...globalSetting(options.global, decoder),
    ...mixingSetting(options, learner),
  };
}

/** Kinds of parts beside those of the order, in the order of `PART_KINDS`. */
function partsSetting(
  parts: TrainOptions["parts"],
  decoder: string,
  order: 1 | 2 | 3,
): Pick<Settings, "parts"> {
  if (parts === undefined) return {};
  if (order === 1) throw new RangeError("more kinds of parts are for orders 2 and 3, got order 1");
  const { handles } = decoderNamed(decoder);
  const asked: ReadonlySet<PartKind> = parts === "full" ? handles : new Set(parts);
  for (const kind of asked) {
    if (!PART_KINDS.includes(kind))
      throw new RangeError(`no kind of parts is named "${kind}"; there are ${PART_KINDS.join(", ")}`);
    if (!handles.has(kind)) throw new UnsupportedPart(decoder, kind, handles);
  }
  const known: readonly PartKind[] = KINDS_OF_ORDER[order];
  const more = PART_KINDS.filter((kind) => asked.has(kind) && !known.includes(kind));
  return more.length === 0 ? {} : { parts: more };
}

/**
 * Which words drop out is decided by the number of the step. A thread that learns shards does not know it: the steps that it has
 * done depend on which shards it was given.
 */
function dropoutSetting({ dropout, order = 1, shards = 1 }: TrainOptions): Pick<Settings, "dropout"> {
  const rate = dropout ?? (shards === 1 ? DROPOUT_OF_ORDER[order] : 0);
  if (!(rate >= 0 && Number.isFinite(rate)))
    throw new RangeError(`expected a rate of dropout of 0 or more, got ${rate}`);
  if (rate > 0 && shards !== 1) throw new RangeError(`words drop out in one shard, got ${shards} shards`);
  return rate === 0 ? {} : { dropout: rate };
}

function restartsSetting(restarts: number | undefined, decoder: string): Pick<Settings, "restarts"> {
  if (restarts === undefined) return {};
  if (!Number.isSafeInteger(restarts) || restarts < 1)
    throw new RangeError(`expected at least 1 restart, got ${restarts}`);
  if (decoder !== "hillclimb")
    throw new RangeError(`restarts are for the decoder hillclimb, which "${decoder}" is not`);
  return { restarts };
}

/** Fractional solutions are those of a linear relaxation. */
function fractionalSetting(fractional: boolean | undefined, decoder: string): Pick<Settings, "fractional"> {
  if (fractional !== true) return {};
  if (decoder !== "ad3")
    throw new RangeError(`fractional solutions need the decoder ad3, which "${decoder}" is not`);
  return { fractional };
}

/** Features of whole trees need a decoder that is a search. */
function globalSetting(global: boolean | undefined, decoder: string): Pick<Settings, "global"> {
  if (global !== true) return {};
  if (takesGlobal({ name: decoder })) return { global };
  throw new RangeError(`features of whole trees need the decoder hillclimb, got "${decoder}"`);
}

/**
 * The product of mean factors is not the mean of their products, so shards with tensors cannot be mixed. And the steps of
 * the perceptron have one size: those of a factor grow with the other two without end.
 */
function tensorSetting({ tensor, shards = 1 }: TrainOptions, learner: string): Pick<Settings, "tensor"> {
  if (tensor === undefined) return {};
  const { rank, start = "svd", vectors } = tensor;
  if (!Number.isSafeInteger(rank) || rank < 1 || rank > MOST_RANK)
    throw new RangeError(`expected the rank of a tensor from 1 to ${MOST_RANK}, got ${rank}`);
  if (start !== "svd" && start !== "random")
    throw new RangeError(`no start of a tensor is named "${start}"; there are svd, random`);
  if (shards !== 1) throw new RangeError(`a tensor is learned in one shard, got ${shards} shards`);
  if (learner === "perceptron")
    throw new RangeError("a tensor needs a learner that bounds its steps; the perceptron does not");
  const known = vectors && {
    words: vectors.words.length,
    dimension: vectors.dimension,
    hash: vectorsHash(vectors),
  };
  return { tensor: { rank, start, ...(known && { vectors: known }) } };
}

/**
 * What a network counts beside scores with margins of 1, as labellers always have them: on development data of Hungarian and Gothic
 * 0.12 to 0.35 are alike. Beside log-likelihoods, which are in its own unit: the best of 0.2, 0.5, 0.8 and 1.2 on Gothic, by UAS
 * and LAS together.
 */
export const MARGIN_WEIGHT = 0.2;
const LIKELIHOOD_WEIGHT = 0.8;
/** Words that a network sees in training unless told, and the fewest epochs. */
const NETWORK_WORDS = 1.4e6;
const LEAST_NETWORK_EPOCHS = 10;

/** How large a network is, how often it sees a sentence, and what it counts. */
type NetworkSettings = Omit<Required<NonNullable<TrainOptions["network"]>>, "epochs"> & {
  readonly epochs?: number;
};

/** Epochs of a network on so many words: small treebanks take more. */
export function networkEpochs({ epochs }: NetworkSettings, words: number): number {
  return epochs ?? Math.max(LEAST_NETWORK_EPOCHS, Math.round(NETWORK_WORDS / Math.max(1, words)));
}

/** The weight of a network is meant for scores with margins of 1: those of the perceptron have no scale of their own. */
function networkSetting(network: TrainOptions["network"], learner: string): Pick<Settings, "network"> {
  if (network === undefined) return {};
  const { units, epochs, weight = learner === "crf" ? LIKELIHOOD_WEIGHT : MARGIN_WEIGHT } = network;
  if (!isUnits(units)) {
    throw new RangeError(
      `expected the units of a network to be a multiple of 4, up to ${MOST_UNITS}, got ${units}`,
    );
  }
  if (epochs !== undefined && (!Number.isSafeInteger(epochs) || epochs < 1))
    throw new RangeError(`expected at least 1 epoch of a network, got ${epochs}`);
  if (!(weight > 0 && weight < Infinity))
    throw new RangeError(`expected the weight of a network to be above 0, got ${weight}`);
  if (learner === "perceptron")
    throw new RangeError("a network is weighed beside scores with margins; the perceptron has none");
  return { network: { units, weight, ...(epochs !== undefined && { epochs }) } };
}

/** One shard is serial training: the same weights, without mixing. */
function mixingSetting(
  options: TrainOptions,
  learner: string,
): Pick<Settings, "shards" | "mixing" | "mixes" | "averageAfter"> {
  const defaults = mixingDefaults(learner);
  const { shards = 1, mixing = defaults.mixing, mixes = defaults.mixes } = options;
  if (!Number.isSafeInteger(shards) || shards < 1)
    throw new RangeError(`expected at least 1 shard, got ${shards}`);
  if (!MIXINGS.includes(mixing))
    throw new RangeError(`no mixing is named "${mixing}"; there are ${MIXINGS.join(", ")}`);
  if (!Number.isSafeInteger(mixes) || mixes < 1)
    throw new RangeError(`expected at least 1 mixing an epoch, got ${mixes}`);
  return shards === 1 ? {} : { ...defaults, shards, mixing, mixes };
}

function labellerSetting(labeller: "joint" | "sequence"): "joint" | "sequence" {
  if (labeller === "joint" || labeller === "sequence") return labeller;
  throw new RangeError(`no labeller is named "${labeller}"; there are joint, sequence`);
}

function pruneSetting(prune: TrainOptions["prune"]): false | { readonly most: number } {
  if (prune === false) return false;
  const most = prune?.most ?? MOST_HEADS;
  if (!Number.isSafeInteger(most) || most < 1)
    throw new RangeError(`expected to keep at least 1 head, got ${most}`);
  return { most };
}

/** "eisner" names the family of exact projective decoders: beyond arcs, its member is "projective". */
function decoderOf(name: string, order: number): string {
  if (name === "eisner" && order > 1) return "projective";
  const decoder = decoderNamed(name);
  for (const kind of KINDS_OF_ORDER[order as 1]) {
    if (!decoder.handles.has(kind)) throw new UnsupportedPart(name, kind, decoder.handles);
  }
  return name;
}
