import { type Decoder, requireCapability } from "@arcwise/core";
import { type Learner, MIXINGS, type Mixing } from "@arcwise/learn";
import { isUnits, MAX_MEMBERS, MAX_UNITS } from "../scoring/network/network-layout.ts";
import { MAX_RANK, type TensorPlan, type VectorsDescription } from "../scoring/tensor/tensor-plan.ts";
import { vectorsHash, type WordVectors } from "../scoring/tensor/word-vectors.ts";
import type {
  CostWeights,
  LabelStageOptions,
  LearnerChoice,
  LearningOptions,
  NetworkOptions,
  ReorderingOptions,
  ShardOptions,
  TensorOptions,
} from "../types.ts";
import type { LearnerReference } from "./learners.ts";

export type Order = 1 | 2 | 3;

export const COSTS: CostWeights = { head: 1, label: 0.5 };
/**
 * The default labeller of each order. The second stage raises LAS on development data, and costs about a
 * fifth of the speed of a first-order model.
 */
const LABELLER_OF_ORDER = { 1: "joint", 2: "sequence", 3: "sequence" } as const;
export const LABELLER_EPOCHS = 5;

/**
 * Rate of word dropout. On UD Hungarian-Szeged (dev, `--decoder eisner --order 3`, seeds 1 to 5) a rate of
 * 0.25 gives UAS 83.69, 83.64, 83.70, 83.39, 83.41 and LAS 80.01, 79.87, 80.07, 79.65, 79.76; a rate of 0 UAS
 * 83.43, 83.53, 83.46, 83.53, 83.59 and LAS 79.76, 79.68, 79.80, 79.79, 79.82: the difference of the means,
 * 0.06 and 0.10, is within the spread of seeds.
 */
const DROPOUT = 0;

/**
 * Default number of mixings an epoch: with it, ten shards learn in ten epochs as much as serial training, to
 * within the noise of a development split. Mixings cost little where a learner changes few weights a
 * sentence.
 */
const MIXES = 32;
/** Epochs before those that weights are averaged over, in which shards have learned little. */
const AVERAGE_AFTER = 3;

/**
 * Weight of a network's scores besides scores with margins of 1, which the labeller "sequence" always has: on
 * development data of Hungarian and Gothic 0.12 to 0.35 give the same accuracy.
 */
export const MARGIN_WEIGHT = 0.2;
/** Weight besides log-likelihoods: the best of 0.2, 0.5, 0.8 and 1.2 on Gothic, by UAS and LAS together. */
const LIKELIHOOD_WEIGHT = 0.8;
const WEIGHTS = { margin: MARGIN_WEIGHT, "log-probability": LIKELIHOOD_WEIGHT, none: MARGIN_WEIGHT } as const;
/**
 * Number of words that a network is trained on by default, counted in all epochs, and its minimum number of
 * epochs.
 */
const NETWORK_WORDS = 1.4e6;
const MIN_NETWORK_EPOCHS = 10;
/**
 * Universal labels of dependents that change places where sentences are shown in other orders: arguments and
 * adverbials that are no finite clauses, mostly. Letting all labels that the treebank has in both orders
 * change places costs a network 0.6 points of UAS on Hungarian.
 */
const FREE_LABELS = ["nsubj", "csubj", "obj", "iobj", "obl", "advmod"];

/** How weights are learned from a sentence. */
export interface LearningSettings {
  readonly costs: CostWeights;
  /** The learner as plain data; undefined where it was not given by name. */
  readonly reference: LearnerReference | undefined;
  /** Rate of word dropout; 0: none. */
  readonly dropout: number;
  /** Climbs a sentence; undefined: the decoder's own number. */
  readonly restarts: number | undefined;
  readonly fractional: boolean;
}

/** Training by shards; a count of 1 is serial training. */
export interface ShardSettings {
  readonly count: number;
  readonly mixing: Mixing;
  /** Mixings an epoch. */
  readonly mixes: number;
  /** Epochs before those that weights are averaged over. */
  readonly averageAfter: number;
}

/** Size of a network, its epochs and the weight of its scores. */
export interface NetworkSettings {
  readonly units: number;
  /** Networks whose scores are averaged; undefined: one. */
  readonly members?: number | undefined;
  /** Rate of dropout of recurrent states; undefined: 0. */
  readonly recurrentDropout?: number | undefined;
  /** Other orders that sentences are shown in; undefined: none. */
  readonly reordering?: ReorderingSettings | undefined;
  /** Probability that a dependent is replaced by another; undefined: 0. */
  readonly substitution?: number | undefined;
  readonly weight: number;
  /** Undefined: as many as `networkEpochs` says. */
  readonly epochs: number | undefined;
  /** Whether it reads the characters of words; undefined: it does not. */
  readonly characters?: true | undefined;
  /** Names of the columns that it predicts; undefined: none. */
  readonly columns?: readonly string[] | undefined;
  /** The vectors of words that it was given; undefined: none. */
  readonly vectors?: VectorsDescription | undefined;
}

/** Other orders that sentences are shown in. */
export type ReorderingSettings = Required<ReorderingOptions>;

/** The second stage, which labels trees, and its epochs. */
export interface LabelSettings {
  readonly labeller: "joint" | "sequence";
  readonly epochs: number;
}

/** Returns the number of epochs of a network on a treebank of `words` words: small treebanks need more. */
export function networkEpochs({ epochs }: NetworkSettings, words: number): number {
  return epochs ?? Math.max(MIN_NETWORK_EPOCHS, Math.round(NETWORK_WORDS / Math.max(1, words)));
}

export function learningSettings(
  options: LearningOptions & { readonly choice: LearnerChoice; readonly learner: Learner },
  decoder: Decoder,
  { count }: ShardSettings,
): LearningSettings {
  const { restarts, fractional = false, choice, learner, l2, tolerance } = options;
  // Only relaxations have fractional solutions.
  if (fractional) requireCapability(decoder, "decodeRelaxed");
  const dropout = dropoutRate(options.dropout ?? DROPOUT, count);
  if (dropout > 0 && learner.batch)
    throw new RangeError(`words drop out with online learners, which "${learner.name}" is not`);
  const reference = typeof choice === "string" ? { name: choice, l2, tolerance } : undefined;
  return { costs: costsOf(options.costs ?? {}), reference, dropout, restarts, fractional };
}

function costsOf({
  head = COSTS.head,
  label = COSTS.label,
}: NonNullable<LearningOptions["costs"]>): CostWeights {
  for (const [name, cost] of Object.entries({ head, label })) {
    if (!(cost >= 0 && cost < Infinity))
      throw new RangeError(`expected the cost of a wrong ${name} to be 0 or more, got ${cost}`);
  }
  return { head, label };
}

/**
 * Checks the rate of word dropout. The index of the step determines which words are unknown; a thread does
 * not know it, since it depends on the shards that the thread was given.
 */
function dropoutRate(rate: number, shards: number): number {
  if (!(rate >= 0 && Number.isFinite(rate)))
    throw new RangeError(`expected a rate of dropout of 0 or more, got ${rate}`);
  if (rate > 0 && shards !== 1) throw new RangeError(`words drop out in one shard, got ${shards} shards`);
  return rate;
}

export function shardSettings(options: ShardOptions, learner: Learner): ShardSettings {
  const isDense = !learner.sparse;
  const { count, mixing = "changed", mixes = isDense ? 1 : MIXES } = options;
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(`expected at least 1 shard, got ${count}`);
  if (count > 1 && learner.online === undefined)
    throw new RangeError(`shards are for online learners, which "${learner.name}" is not`);
  if (!MIXINGS.includes(mixing))
    throw new RangeError(`expected mixing to be one of ${MIXINGS.join(", ")}, got "${mixing}"`);
  if (!Number.isSafeInteger(mixes) || mixes < 1)
    throw new RangeError(`expected at least 1 mixing an epoch, got ${mixes}`);
  return { mixing, mixes, averageAfter: isDense ? 0 : AVERAGE_AFTER, count };
}

export function labelSettings(options: LabelStageOptions, order: Order): LabelSettings {
  const { labeller = LABELLER_OF_ORDER[order], epochs = LABELLER_EPOCHS } = options;
  if (labeller !== "joint" && labeller !== "sequence")
    throw new RangeError(`no labeller is named "${labeller}"; there are joint, sequence`);
  if (!Number.isSafeInteger(epochs) || epochs < 1)
    throw new RangeError(`expected at least 1 epoch of the labeller, got ${epochs}`);
  return { labeller, epochs };
}

/**
 * Checks the options of a tensor. Shards with tensors cannot be mixed, since the product of mean factors is
 * not the mean of their products. Batch learners need a score that is linear in all weights. The perceptron
 * does not bound its steps: those of a factor grow with the other two without limit.
 */
export function tensorPlan(options: TensorOptions, learner: Learner, { count }: ShardSettings): TensorPlan {
  const { rank, start = "svd", vectors } = options;
  if (!Number.isSafeInteger(rank) || rank < 1 || rank > MAX_RANK)
    throw new RangeError(`expected the rank of a tensor from 1 to ${MAX_RANK}, got ${rank}`);
  if (start !== "svd" && start !== "random")
    throw new RangeError(`no start of a tensor is named "${start}"; there are svd, random`);
  if (count !== 1) throw new RangeError(`a tensor is learned in one shard, got ${count} shards`);
  if (learner.unit === "none")
    throw new RangeError(`a tensor needs a learner that bounds its steps; "${learner.name}" does not`);
  if (learner.batch)
    throw new RangeError(
      `the factors of a tensor are learned in turn, by online learners; "${learner.name}" is none`,
    );
  return { rank, start, vectors: vectors && describeVectors(vectors) };
}

/** Describes vectors as the description of a model has them. */
function describeVectors(vectors: WordVectors): VectorsDescription {
  const { words, dimension, beginnings } = vectors;
  const description = { words: words.length, dimension, hash: vectorsHash(vectors) };
  return beginnings === undefined ? description : { ...description, beginnings };
}

/**
 * Checks the options of a network, whose weight is meant for scores with margins of 1; those of the
 * perceptron have no scale.
 */
export function networkSettings(
  options: NetworkOptions,
  learner: Learner,
  tensor?: TensorOptions,
): NetworkSettings {
  if (options.vectors && tensor?.vectors)
    throw new RangeError("expected word vectors of the network or of the tensor, got both");
  const { units, epochs, members = 1, recurrentDropout = 0, substitution = 0 } = options;
  const { weight = WEIGHTS[learner.unit] } = options;
  if (!isUnits(units)) {
    throw new RangeError(
      `expected the units of a network to be a multiple of 4, up to ${MAX_UNITS}, got ${units}`,
    );
  }
  if (epochs !== undefined && (!Number.isSafeInteger(epochs) || epochs < 1))
    throw new RangeError(`expected at least 1 epoch of a network, got ${epochs}`);
  if (!Number.isInteger(members) || members < 1 || members > MAX_MEMBERS)
    throw new RangeError(`expected 1 to ${MAX_MEMBERS} members of a network, got ${members}`);
  if (!(recurrentDropout >= 0 && recurrentDropout < 1))
    throw new RangeError(`expected a rate of recurrent dropout from 0 to below 1, got ${recurrentDropout}`);
  if (!(substitution >= 0 && substitution <= 1))
    throw new RangeError(`expected a rate of substitution from 0 to 1, got ${substitution}`);
  const reordering = options.reordering && reorderingSettings(options.reordering);
  if (!(weight > 0 && weight < Infinity))
    throw new RangeError(`expected the weight of a network to be above 0, got ${weight}`);
  if (learner.unit === "none")
    throw new RangeError(`a network is weighed beside scores with margins; "${learner.name}" has none`);
  const names = options.columns?.map(({ name }) => name) ?? [];
  if (new Set(names).size < names.length)
    throw new RangeError(`expected columns of different names, got ${names.join(", ")}`);
  return {
    units,
    ...(members > 1 && { members }),
    ...(recurrentDropout > 0 && { recurrentDropout }),
    ...(reordering && { reordering }),
    ...(substitution > 0 && { substitution }),
    weight,
    epochs,
    ...(options.characters && { characters: true }),
    ...(names.length > 0 && { columns: names }),
    ...(options.vectors && { vectors: describeVectors(options.vectors) }),
  };
}

function reorderingSettings({
  rate,
  labels = FREE_LABELS,
}: ReorderingOptions): ReorderingSettings | undefined {
  if (!(rate >= 0 && rate <= 1))
    throw new RangeError(`expected a rate of reordering from 0 to 1, got ${rate}`);
  if (labels.length === 0) throw new RangeError("expected labels that reordering applies to, got none");
  return rate === 0 ? undefined : { rate, labels };
}
