import type { Arcs } from "@arcwise/core";
import { bitsFor } from "@arcwise/core/arithmetic";
import { lineLength, PART_LINE, type SentenceEncoder } from "@arcwise/core/features";
import { type ColumnShares, columnShares } from "../model/column-shares.ts";
import type { LabelSet, TrainedModel } from "../model/model.ts";
import type { ModelConfiguration } from "../model/model-header.ts";
import {
  buildLabelFilter,
  type EncodedTree,
  joinLabelFilters,
  type LabelFilter,
} from "../scoring/arcs/label-filter.ts";
import type { Dimensions } from "../scoring/model-weights.ts";
import { createScorers, type Scorers } from "../scoring/scorers.ts";
import { globalDimension } from "../scoring/trees/global-scorer.ts";
import { tableOf } from "../scoring/trees/tree-features.ts";
import type { TrainingExample } from "../types.ts";
import type { TrainingStates } from "./checkpoint.ts";
import { modelToContinue } from "./continued/continue-options.ts";
import type { FamilyContext } from "./family.ts";
import { goldFor } from "./learners.ts";
import { modelVectors, withInputs } from "./network-input.ts";
import type { ParsingWork } from "./parsing-work.ts";
import type { Order, Settings } from "./settings.ts";
import type { Stage } from "./stages/stage.ts";
import type { TrainOptions } from "./train-options.ts";
import { networkPlan } from "./tree-network.ts";
import { encoderOf, labelsOf } from "./vocabularies.ts";

/**
 * Models of the first order are for speed, models of higher orders for accuracy. Therefore models of the
 * first order have fewer templates, a smaller table of weights (2^18 lines at most, not 2^19), fewer
 * candidates, and no second stage for the labels.
 */
const MIN_ARC_BITS = 18;
const MAX_ARC_BITS: Readonly<Record<Order, number>> = { 1: 18, 2: 19, 3: 19 };
const PART_BITS = 20;
const PRUNER_BITS = 16;
const GLOBAL_BITS = 16;
const TREE_FEATURE_BITS = 16;
/** Maximum number of lines of a table for each training word, as a power of 2: a few sentences need no large table. */
const WORD_BITS = 7;

/** The data, settings and scorers that all stages of a training of trees share. */
export interface TrainingContext extends Omit<FamilyContext<TrainingExample, EncodedTree>, "states"> {
  readonly settings: Settings;
  /** The configuration of the model before training: all but the thresholds of pruning. */
  readonly configuration: Omit<ModelConfiguration, "pruning">;
  readonly labels: LabelSet;
  readonly encoder: SentenceEncoder;
  /** Shares of the training words that have tags, features and lemmas. */
  readonly columns: ColumnShares;
  readonly filter: LabelFilter;
  readonly scorers: Scorers;
  /** Numbers of weights of each kind. */
  readonly dimensions: Dimensions;
  /** The model that is continued; undefined: a new one is trained. */
  readonly base: TrainedModel | undefined;
}

/** The context of the stages of a training. */
export interface Training extends TrainingContext {
  readonly states: TrainingStates;
}

/** A stage of the training of a parser. */
export type ParserStage<Needs, Output> = Stage<Training, Settings, Needs, Output>;

/** Encodes the examples and makes the scorers of a model. O(words). */
export function trainingContext(
  examples: readonly TrainingExample[],
  settings: Settings,
  run: TrainingContext["run"],
  options: TrainOptions,
): TrainingContext {
  const { network, treeFeatures, learner, decoder } = settings;
  const base = modelToContinue(options);
  const given = examples.map(({ sentence }) => sentence);
  const trees = examples.map(({ tree }) => tree);
  const vectors = base ? base.network?.vectors : modelVectors(network ? options.network?.vectors : undefined);
  const reader = treeFeatures ?? options.encoder;
  const encoder = withInputs(encoderOf(given, settings, base), { network, vectors, reader });
  const labels = labelsOf(trees, options.partial === true, base);
  const count = labels.strings.length;
  const sentences = given.map((sentence) => encoder.encode(sentence));
  const golds = trees.map((tree) => goldFor(learner, decoder, labels.encode(tree)));
  const words = sum(sentences.map(({ n }) => n));
  const columns = base?.description.columns ?? columnShares(given);
  const found = buildLabelFilter(sentences, golds, count);
  const filter = base?.filter ? joinLabelFilters(base.filter, found) : found;
  const configuration = base?.configuration ?? configurationOf(settings, words);
  const data = { settings, run, labels, encoder, columns, sentences, golds, words, base };
  return {
    ...data,
    configuration,
    dimensions: dimensionsOf(configuration, count),
    filter,
    scorers: createScorers({ configuration, labels: count, filter }, treeFeatures),
    network: networkPlan({ ...data, examples, vectors, options }),
  };
}

/** Returns the configuration of a new model that is trained on a number of words. */
function configurationOf(settings: Settings, words: number): TrainingContext["configuration"] {
  const { terms, order, decoder, decoderSource, templates, treeFeatures, plain } = settings;
  const hasFeatures = terms.includes("features");
  const wordBits = bitsFor(Math.max(1, words));
  const tableBits = (bits: number) => Math.min(bits, wordBits + WORD_BITS);
  const arcBits = Math.max(MIN_ARC_BITS, Math.min(MAX_ARC_BITS[order], bitsFor(5 * words)));
  const module = treeFeatures && { module: tableOf(treeFeatures, tableBits(TREE_FEATURE_BITS)) };
  return {
    order,
    decoder: decoder.name,
    decoderModule: plain.decoderModule,
    decoderGiven: decoderSource.local,
    multipleRoots: plain.multipleRoots || undefined,
    arcTemplates: templates.arc,
    partTemplates: templates.parts,
    prunerTemplates: templates.pruner ?? [],
    arcBits: hasFeatures ? tableBits(arcBits) : 0,
    partBits: hasFeatures ? tableBits(PART_BITS) : 0,
    prunerBits: settings.prune === false ? 0 : tableBits(PRUNER_BITS),
    global: templates.global && { templates: templates.global, bits: tableBits(GLOBAL_BITS), ...module },
  };
}

function dimensionsOf(
  { arcBits, partBits, partTemplates, global }: TrainingContext["configuration"],
  labels: number,
): Dimensions {
  return {
    arcs: arcBits === 0 ? 0 : lineLength(labels) * 2 ** arcBits,
    parts: Object.keys(partTemplates).length === 0 ? 0 : PART_LINE * 2 ** partBits,
    global: global ? globalDimension(global) : 0,
  };
}

/** The plain data that sparse weights are learned from. @param arcs candidates of the training sentences */
export function workOf(context: TrainingContext, arcs: readonly Arcs[]): ParsingWork {
  const { sentences, golds, labels, filter, configuration, dimensions, settings } = context;
  return {
    learner: settings.learnerReference,
    isBatch: settings.learner.batch,
    decoder: settings.decoderSource,
    configuration,
    labels: labels.strings.length,
    filter,
    dimensions,
    treeFeatures: settings.treeFeatures?.url,
    examples: sentences.map((sentence, i) => ({ sentence, arcs: arcs[i], gold: golds[i] })),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
