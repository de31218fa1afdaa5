import type { Arcs, Decoder } from "@arcwise/core";
import { bitsFor } from "@arcwise/core/arithmetic";
import {
  buildEncoder,
  lineLength,
  namedFeatures,
  PART_LINE,
  type SentenceEncoder,
  vocabularyCounter,
  type WordTemplate,
} from "@arcwise/core/features";
import { checkLearned, suggestion } from "@arcwise/core/options";
import { type ColumnShares, columnShares } from "../model/column-shares.ts";
import { LABELS } from "../model/common-checks.ts";
import { LabelSet } from "../model/model.ts";
import type { ModelConfiguration } from "../model/model-header.ts";
import { buildLabelFilter, type EncodedTree, type LabelFilter } from "../scoring/arcs/label-filter.ts";
import type { Dimensions } from "../scoring/model-weights.ts";
import { countCombinations } from "../scoring/network/combinations.ts";
import { widthsOf } from "../scoring/network/quantized-network.ts";
import { createScorers, type Scorers } from "../scoring/scorers.ts";
import { allTemplates } from "../scoring/templates/feature-templates.ts";
import { TemplateError } from "../scoring/templates/template-document.ts";
import { globalDimension } from "../scoring/trees/global-scorer.ts";
import { tableOf, withWords } from "../scoring/trees/tree-features.ts";
import { centredVectors } from "../scoring/vectors/centred-vectors.ts";
import { type EncodedInput, encodedInput } from "../scoring/vectors/encoded-input.ts";
import { type QuantizedVectors, quantizeVectors, withVectors } from "../scoring/vectors/word-vectors.ts";
import type { TrainingExample } from "../types.ts";
import type { Checkpoints } from "./checkpoint.ts";
import type { FamilyContext } from "./family.ts";
import { goldFor } from "./learners.ts";
import { type ColumnTarget, encodeColumn } from "./network-columns.ts";
import type { NetworkColumn, NetworkOptions } from "./network-options.ts";
import { networkScores } from "./network-scores.ts";
import {
  type NetworkTask,
  type NetworkWork,
  networkTemplates,
  shapedWork,
  treeNetworkTask,
} from "./network-task.ts";
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
export interface TrainingContext extends Omit<FamilyContext<TrainingExample, EncodedTree>, "checkpoints"> {
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
}

/** The context of the stages of a training. */
export interface Training extends TrainingContext {
  readonly checkpoints: Checkpoints;
}

/** A stage of the training of a parser. */
export type ParserStage<Needs, Output> = Stage<Training, PlainSettings, Needs, Output>;

/** Encodes the examples and makes the scorers of a model. O(words). */
export function trainingContext(
  examples: readonly TrainingExample[],
  settings: Settings,
  run: TrainingContext["run"],
  { vectors: given, columns, encoder: words }: NetworkOptions & Pick<TrainOptions, "encoder">,
): TrainingContext {
  const vectors = given && quantizeVectors(centredVectors(given));
  const { network } = settings;
  const readsWords =
    settings.treeFeatures ?? words ?? (network !== false && network.characters ? network : undefined);
  const encoder = withWords(withVectors(encoderOf(examples, settings), vectors), readsWords);
  const labels = labelsOf(examples);
  const sentences = examples.map(({ sentence }) => encoder.encode(sentence));
  const golds = examples.map(({ tree }) => goldFor(settings.learner, settings.decoder, labels.encode(tree)));
  const labelCount = labels.strings.length;
  const shares = columnShares(examples.map(({ sentence }) => sentence));
  const filter = buildLabelFilter(sentences, golds, labelCount);
  const configuration = configurationOf(settings, sum(sentences.map(({ n }) => n)));
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
    network: network
      ? {
          task: taskOfNetwork({
            ...{ sentences, golds, labels: labels.strings, vectors, columns, network },
            encoder: words && encodedInput(words, sentences),
            // A network alone does not read columns that are empty.
            templates: networkTemplates(network, settings.terms.includes("features") ? undefined : shares),
          }),
          epochs: networkEpochs(network, sum(sentences.map(({ n }) => n))),
          scores: networkScores(network, settings),
        }
      : undefined,
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
}: NetworkData): NetworkTask {
  const lengths = sentences.map(({ n }) => n);
  const columns = given.map((column) => encodeColumn(column, lengths));
  const data = columns.length === 0 ? undefined : columns.map((column) => column.data);
  const { shape, settings, ...own } = shapedWork(network, { labels: labels.length, vectors, encoder });
  const targets = columns.map((column) => column.targets);
  const work: NetworkWork<EncodedTree> = {
    ...{ family: "trees", sentences, golds, ...own, templates, columns: targets },
    shape: { ...shape, columns: widthsOf(data) },
    permuted: permutedLabels(network.augment, labels),
    settings: { ...settings, augment: network.augment },
  };
  const combinations = columns.length < 2 ? undefined : countCombinations(targets.map(columnLabels));
  return { ...treeNetworkTask(work), columns: data, combinations };
}

/** Returns for each label whether it is permuted. @throws RangeError when none of them is in the treebank */
function permutedLabels(
  { permute, labels: wanted }: NetworkSettings["augment"],
  labels: readonly string[],
): readonly boolean[] {
  const names = new Set(wanted);
  const permuted = labels.map((label) => names.has(label) || names.has(universalPart(label)));
  if (permute > 0 && !permuted.includes(true)) {
    throw new RangeError(
      `expected labels that are permuted, ${wanted.join(", ")}; the treebank has ${labels.join(", ")}`,
    );
  }
  return permuted;
}

/** Returns the label without its subtype, as in Universal Dependencies: `obl` of `obl:arg`. */
function universalPart(label: string): string {
  return label.split(":", 1)[0]!;
}

function columnLabels(column: readonly ColumnTarget[]): Int32Array[] {
  return column.map(({ labels }) => labels);
}

/** @throws TemplateError when templates name a morphological feature that no word has */
function encoderOf(examples: readonly TrainingExample[], { order, templates }: Settings): SentenceEncoder {
  const features = namedFeatures(allTemplates(templates));
  const sentences = examples.map(({ sentence }) => sentence);
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
 * Returns all labels of the examples. Trees of one word have only labels of roots, which no other word may
 * have: there is a label for arcs between words in any case.
 *
 * @throws ArcwiseError `invalid-data` on a label that no model file can hold
 */
function labelsOf(examples: readonly TrainingExample[]): LabelSet {
  const counter = vocabularyCounter();
  for (const { tree } of examples) for (let m = 1; m < tree.labels.length; m++) counter.add(tree.labels[m]!);
  const { strings } = counter.vocabulary();
  const hasArcs = examples.some(({ tree }) => tree.heads.some((head) => head > 0));
  checkLearned(LABELS, strings, "labels");
  const isUnlabelled = strings.every((label) => label === "");
  return new LabelSet(
    hasArcs || isUnlabelled || strings.includes(UNSPECIFIED) ? strings : [...strings, UNSPECIFIED],
  );
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
    costs: settings.learning.costs,
    fractional: false,
    configuration,
    labels: labels.strings.length,
    filter,
    dimensions: dimensionsOf(context),
    treeFeatures: settings.treeFeatures?.url,
    examples: sentences.map((sentence, i) => ({ sentence, arcs: arcs[i]!, gold: golds[i]! })),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
