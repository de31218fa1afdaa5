import type { Arcs, Decoder } from "@arcwise/core";
import { bitsFor } from "@arcwise/core/arithmetic";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  buildEncoder,
  extendEncoderData,
  lineLength,
  namedFeatures,
  PART_LINE,
  type SentenceEncoder,
  sentenceEncoder,
  vocabularyCounter,
  type WordTemplate,
} from "@arcwise/core/features";
import { checkLearned, suggestion } from "@arcwise/core/options";
import { type ColumnShares, columnShares } from "../model/column-shares.ts";
import { LABELS } from "../model/common-checks.ts";
import { LabelSet, type TrainedModel } from "../model/model.ts";
import type { ModelConfiguration } from "../model/model-header.ts";
import {
  buildLabelFilter,
  type EncodedTree,
  joinLabelFilters,
  type LabelFilter,
} from "../scoring/arcs/label-filter.ts";
import type { Dimensions } from "../scoring/model-weights.ts";
import { countCombinations } from "../scoring/network/combinations.ts";
import { networkCodes } from "../scoring/network/network-reader.ts";
import { type ColumnLabels, widthsOf } from "../scoring/network/quantized-network.ts";
import { createScorers, type Scorers } from "../scoring/scorers.ts";
import { allTemplates } from "../scoring/templates/feature-templates.ts";
import { TemplateError } from "../scoring/templates/template-document.ts";
import { globalDimension } from "../scoring/trees/global-scorer.ts";
import { tableOf } from "../scoring/trees/tree-features.ts";
import { type EncodedInput, encodedInput } from "../scoring/vectors/encoded-input.ts";
import type { QuantizedVectors } from "../scoring/vectors/word-vectors.ts";
import type { TrainingExample } from "../types.ts";
import type { TrainingStates } from "./checkpoint.ts";
import { modelToContinue } from "./continued/continue-options.ts";
import { continuedState } from "./continued/continued-network.ts";
import { rehearsedSentences } from "./continued/rehearsal.ts";
import type { FamilyContext, NetworkPlan } from "./family.ts";
import { goldFor } from "./learners.ts";
import { type ColumnTarget, type EncodedColumn, encodeColumn } from "./network-columns.ts";
import { modelVectors, withInputs } from "./network-input.ts";
import type { NetworkColumn } from "./network-options.ts";
import { networkScores } from "./network-scores.ts";
import { type NetworkTask, type NetworkWork, networkTemplates, shapedWork } from "./network-task.ts";
import type { ParsingWork } from "./parsing-work.ts";
import {
  type NetworkSettings,
  networkEpochs,
  type Order,
  type PlainSettings,
  type Settings,
} from "./settings.ts";
import type { Stage } from "./stages/stage.ts";
import type { TrainOptions } from "./train-options.ts";
import { treeNetworkTask } from "./tree-network-jobs.ts";

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
/** Forms and lemmas seen fewer times are unknown words. */
const MIN_COUNT = 2;

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
  readonly decoder: Decoder;
  /** The model that is continued; undefined: a new one is trained. */
  readonly base: TrainedModel | undefined;
}

/** The context of the stages of a training. */
export interface Training extends TrainingContext {
  readonly states: TrainingStates;
}

/** A stage of the training of a parser. */
export type ParserStage<Needs, Output> = Stage<Training, PlainSettings, Needs, Output>;

/** Encodes the examples and makes the scorers of a model. O(words). */
export function trainingContext(
  examples: readonly TrainingExample[],
  settings: Settings,
  run: TrainingContext["run"],
  options: TrainOptions,
): TrainingContext {
  const base = modelToContinue(options);
  const { network } = settings;
  const { vectors: given, columns } = network ? (options.network ?? {}) : {};
  const { encoder: words } = options;
  const vectors = base ? base.network?.vectors : modelVectors(given);
  const reader = settings.treeFeatures ?? words;
  const encoder = withInputs(encoderOf(examples, settings, base), { network, vectors, reader });
  const labels = labelsOf(examples, options.partial === true, base);
  const sentences = examples.map(({ sentence }) => encoder.encode(sentence));
  const golds = examples.map(({ tree }) => goldFor(settings.learner, settings.decoder, labels.encode(tree)));
  const labelCount = labels.strings.length;
  const shares = base?.description.columns ?? columnShares(examples.map(({ sentence }) => sentence));
  const found = buildLabelFilter(sentences, golds, labelCount);
  const filter = base?.filter ? joinLabelFilters(base.filter, found) : found;
  const configuration = base?.configuration ?? configurationOf(settings, sum(sentences.map(({ n }) => n)));
  // A network alone does not read columns that are empty.
  const read = settings.terms.includes("features") ? undefined : shares;
  return {
    settings,
    run,
    configuration,
    labels,
    encoder,
    columns: shares,
    filter,
    sentences,
    golds,
    scorers: createScorers({ configuration, labels: labelCount, filter }, settings.treeFeatures),
    decoder: settings.decoder,
    base,
    network: network
      ? planOfNetwork(
          {
            ...{ sentences, golds, labels: labels.strings, vectors, columns, network, base },
            encode: encoder.encode,
            encoder: base ? base.network?.encoder : words && encodedInput(words, sentences),
            templates: base?.network?.configuration.templates ?? networkTemplates(network, read),
          },
          settings,
          examples,
        )
      : undefined,
  };
}

function planOfNetwork(
  data: NetworkData,
  settings: Settings,
  examples: readonly TrainingExample[],
): NetworkPlan {
  const { network, sentences, base } = data;
  const task = taskOfNetwork(data);
  const knownEncoder = base && sentenceEncoder(base.encoder);
  return {
    task,
    epochs: networkEpochs(network, sum(sentences.map(({ n }) => n))),
    scores: networkScores(network, settings),
    initial:
      base?.network &&
      continuedState(base.network, {
        ...task,
        known: examples.map(({ sentence }) => knownEncoder!.encode(sentence)),
      }),
  };
}

/** The data from which the task of a network is made. */
interface NetworkData extends Pick<TrainingContext, "sentences" | "golds"> {
  readonly labels: readonly string[];
  readonly vectors: QuantizedVectors | undefined;
  readonly encoder: EncodedInput | undefined;
  readonly columns: readonly NetworkColumn[] | undefined;
  readonly network: NetworkSettings;
  readonly templates: readonly WordTemplate[];
  readonly base: TrainedModel | undefined;
  readonly encode: SentenceEncoder["encode"];
}

/** Returns the task of a network that finds heads, labels and columns. */
function taskOfNetwork({
  sentences,
  golds,
  labels,
  vectors,
  encoder,
  columns: given = [],
  network,
  templates,
  base,
  encode,
}: NetworkData): NetworkTask {
  const known = base?.network;
  const lengths = sentences.map(({ n }) => n);
  const columns = known
    ? continuedColumns(known.configuration.columns ?? [], given, lengths)
    : given.map((column) => encodeColumn(column, lengths));
  const data = columns.length === 0 ? undefined : columns.map((column) => column.data);
  const { shape, ...own } = shapedWork(network, { labels: labels.length, vectors, encoder });
  const targets = columns.map((column) => column.targets);
  const work: NetworkWork<EncodedTree> = {
    ...{ sentences, golds, ...own, templates, columns: targets },
    codes: known && joinedCodes(known.codes, networkCodes(sentences, templates, MIN_COUNT)),
    shape: { ...shape, columns: widthsOf(data) },
    known: known && {
      labels: [
        known.configuration.labels,
        ...(known.configuration.columns ?? []).map((column) => column.labels.length),
      ],
      rehearsed: rehearsedSentences(base).map(encode),
    },
  };
  const combinations =
    columns.length < 2
      ? undefined
      : countCombinations(targets.map(columnLabels), known?.configuration.combinations);
  return { ...treeNetworkTask(work), columns: data, combinations };
}

/** Encodes the columns of a model that is continued. Nothing is learned of those that are not given. */
function continuedColumns(
  columns: readonly ColumnLabels[],
  given: readonly NetworkColumn[],
  lengths: readonly number[],
): EncodedColumn[] {
  const names = columns.map(({ name }) => name);
  const other = given.find(({ name }) => !names.includes(name));
  if (other !== undefined) {
    const found = `expected columns that the model predicts (${names.join(", ")}), got ${other.name}`;
    throw new ArcwiseError("invalid-option", `trainParser: network.columns: ${found}`, {
      at: "network.columns",
    });
  }
  return columns.map((known) => {
    const own = given.find(({ name }) => name === known.name) ?? {
      name: known.name,
      labels: lengths.map((length) => new Array<undefined>(length).fill(undefined)),
    };
    return encodeColumn(own, lengths, known);
  });
}

/** Returns the union of two ascending lists of codes, ascending. */
function joinedCodes(a: Int32Array, b: Int32Array): Int32Array {
  return Int32Array.from(new Set([...a, ...b])).sort();
}

/** Returns the labels of words, those that something else predicted where words are not annotated. */
function columnLabels(column: readonly ColumnTarget[]): Int32Array[] {
  return column.map(({ labels, given }) =>
    given === undefined ? labels : labels.map((label, w) => (label < 0 ? given[w] : label)),
  );
}

function encoderOf(
  examples: readonly TrainingExample[],
  { order, templates }: Settings,
  base: TrainedModel | undefined,
): SentenceEncoder {
  const features = namedFeatures(allTemplates(templates));
  const sentences = examples.map(({ sentence }) => sentence);
  if (base !== undefined) return sentenceEncoder(extendEncoderData(base.encoder, sentences, MIN_COUNT));
  if (features.length > 0) {
    const feats = sentences.flatMap((sentence) => sentence.map((word) => word.feats ?? ""));
    const items = feats.flatMap((text) => text.split("|")).filter((item) => item.indexOf("=") > 0);
    const known = new Set(items.map((item) => item.slice(0, item.indexOf("="))));
    const missing = features.find((name) => !known.has(name));
    if (missing !== undefined) {
      const all = known.size === 0 ? "none" : [...known].sort().join(", ");
      throw new TemplateError(
        "",
        `expected morphological features of the training words (${all}), found "${missing}"` +
          suggestion(missing, known),
      );
    }
  }
  return buildEncoder(sentences, MIN_COUNT, { fine: order > 1, features });
}

/** The label of arcs between words if the training data lacks one: the unspecified label of Universal Dependencies. */
const UNSPECIFIED = "dep";

/**
 * Returns all labels of the examples, after the labels of a model that is continued. Trees of one word have only labels of roots, which no other word may
 * have: there is a label for arcs between words in any case.
 */
function labelsOf(
  examples: readonly TrainingExample[],
  isPartial: boolean,
  base: TrainedModel | undefined,
): LabelSet {
  const counter = vocabularyCounter();
  for (const { tree } of examples) {
    for (let m = 1; m < tree.labels.length; m++)
      if (!isPartial || isAnnotated(tree, m)) counter.add(tree.labels[m]);
  }
  const { strings } = counter.vocabulary();
  checkLearned(LABELS, strings, "labels");
  if (base !== undefined) return new LabelSet([...new Set([...base.labels, ...strings])]);
  const hasArcs = examples.some(({ tree }) => tree.heads.some((head) => head > 0));
  const isUnlabelled = strings.length > 0 && strings.every((label) => label === "");
  return new LabelSet(
    hasArcs || isUnlabelled || strings.includes(UNSPECIFIED) ? strings : [...strings, UNSPECIFIED],
  );
}

/** Returns whether a word of a partly annotated tree has a head and a label. */
function isAnnotated({ heads, labels }: TrainingExample["tree"], m: number): boolean {
  return heads[m] >= 0 && labels[m] !== "";
}

/** @param words number of training words */
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

/** Number of weights of each kind. */
export function dimensionsOf({ configuration, labels }: TrainingContext): Dimensions {
  const { arcBits, partBits, partTemplates, global } = configuration;
  return {
    arcs: arcBits === 0 ? 0 : lineLength(labels.strings.length) * 2 ** arcBits,
    parts: Object.keys(partTemplates).length === 0 ? 0 : PART_LINE * 2 ** partBits,
    global: global ? globalDimension(global) : 0,
  };
}

/** The plain data that sparse weights are learned from. @param arcs candidates of the training sentences */
export function workOf(context: TrainingContext, arcs: readonly Arcs[]): ParsingWork {
  const { sentences, golds, labels, filter, configuration, settings } = context;
  return {
    learner: settings.learnerReference,
    isBatch: settings.learner.batch,
    decoder: settings.decoderSource,
    configuration,
    labels: labels.strings.length,
    filter,
    dimensions: dimensionsOf(context),
    treeFeatures: settings.treeFeatures?.url,
    examples: sentences.map((sentence, i) => ({ sentence, arcs: arcs[i], gold: golds[i] })),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
