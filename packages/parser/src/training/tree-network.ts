import { type SentenceEncoder, sentenceEncoder } from "@arcwise/core/features";
import type { ColumnShares } from "../model/column-shares.ts";
import type { LabelSet, TrainedModel } from "../model/model.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { countCombinations } from "../scoring/network/combinations.ts";
import { networkCodes } from "../scoring/network/network-reader.ts";
import { type QuantizedNetwork, widthsOf } from "../scoring/network/quantized-network.ts";
import { encodedInput } from "../scoring/vectors/encoded-input.ts";
import type { QuantizedVectors } from "../scoring/vectors/word-vectors.ts";
import type { TrainingExample } from "../types.ts";
import { continuedState } from "./continued/continued-network.ts";
import { rehearsedSentences } from "./continued/rehearsal.ts";
import type { FamilyContext, NetworkPlan } from "./family.ts";
import { type ColumnTarget, encodeColumns } from "./network-columns.ts";
import { type NetworkTask, shapedWork } from "./network-task.ts";
import { MARGIN_WEIGHT, type NetworkSettings, networkEpochs, type Settings } from "./settings.ts";
import type { TrainOptions } from "./train-options.ts";
import { treeNetworkTask } from "./tree-network-jobs.ts";

/** Heads less than 1/400 as probable as the likeliest one are not candidates in the stages that follow. */
const MARGIN = 6;
/**
 * In parsing, heads less than 1/55 as probable are not candidates: on development data, from raw text, LAS is 83.05
 * instead of 83.01 for English, 76.71 instead of 76.87 for Hungarian, 72.79 instead of 72.88 for Gothic.
 * English words have 2.0 candidates instead of 2.8, and half as many parts.
 */
const PARSING_MARGIN = 4;

/** Minimum count of the features that become known to a network that is continued. */
const MIN_COUNT = 2;

/** The data and options from which networks are planned. */
interface NetworkInputs
  extends Pick<FamilyContext<TrainingExample, EncodedTree>, "sentences" | "golds" | "words"> {
  readonly examples: readonly TrainingExample[];
  readonly settings: Settings;
  readonly options: TrainOptions;
  readonly labels: LabelSet;
  readonly encoder: SentenceEncoder;
  readonly vectors: QuantizedVectors | undefined;
  /** Shares of the training words that have each column. */
  readonly columns: ColumnShares;
  /** The model that is continued. */
  readonly base: TrainedModel | undefined;
}

/** Plans the networks that find heads, labels and columns; undefined if features alone score. O(words). */
export function networkPlan(inputs: NetworkInputs): NetworkPlan | undefined {
  const { settings, words, base, examples } = inputs;
  const { network } = settings;
  if (network === false) return undefined;
  const task = networkTask(inputs, network);
  const begun = base?.network;
  const knownEncoder = base && sentenceEncoder(base.encoder);
  return {
    task,
    epochs: networkEpochs(network, words),
    scores: networkScores(network, settings),
    initial:
      begun &&
      continuedState(begun, {
        ...task,
        known: examples.map(({ sentence }) => knownEncoder!.encode(sentence)),
      }),
  };
}

function networkTask(inputs: NetworkInputs, network: NetworkSettings): NetworkTask {
  const { settings, sentences, golds, labels, base, vectors, options } = inputs;
  const known = base?.network;
  const model = known?.configuration;
  const knownColumns = model && (model.columns ?? []);
  const lengths = sentences.map(({ n }) => n);
  const encoded = encodeColumns(options.network?.columns ?? [], lengths, knownColumns);
  const columns = encoded.length === 0 ? undefined : encoded.map(({ data }) => data);
  const targets = encoded.map((column) => column.targets);
  // A network alone does not read columns that are empty.
  const shares = settings.terms.includes("features") ? undefined : inputs.columns;
  const encoder = base ? known?.encoder : options.encoder && encodedInput(options.encoder, sentences);
  const widths = { labels: labels.strings.length, vectors, encoder };
  const { shape, ...work } = shapedWork(network, widths, shares);
  const templates = model?.templates ?? work.templates;
  const task = treeNetworkTask({
    ...{ sentences, golds, ...work, templates, columns: targets },
    codes: known && joinedCodes(known.codes, networkCodes(sentences, templates, MIN_COUNT)),
    shape: { ...shape, columns: widthsOf(columns) },
    known: known && {
      labels: [known.configuration.labels, ...knownColumns!.map((column) => column.labels.length)],
      rehearsed: rehearsedSentences(base).map(inputs.encoder.encode),
    },
  });
  const combinations =
    encoded.length < 2 ? undefined : countCombinations(targets.map(columnLabels), model?.combinations);
  return { ...task, columns, combinations };
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

/** Returns the weights of the scores of a network of trees, and its margin in training. */
function networkScores(
  { weight }: NetworkSettings,
  { terms, prune, learner, labeller }: Pick<Settings, "terms" | "prune" | "learner" | "labeller">,
): NetworkPlan["scores"] {
  // Log-probabilities, of all heads.
  if (!terms.includes("features")) return { weight: 1, labelWeight: 1, margin: undefined };
  return {
    weight,
    // The labeller "sequence" always learns margins; labels with the arcs are learned as these are.
    labelWeight: labeller === "joint" ? weight : MARGIN_WEIGHT,
    // Probabilities need the unlikely heads too.
    margin: prune && learner.unit !== "log-probability" ? MARGIN : undefined,
  };
}

/** Returns the network of the model that training ends with: it leaves fewer candidates than in training. */
export function parsingNetwork(network: QuantizedNetwork): QuantizedNetwork {
  const { configuration } = network;
  if (configuration.margin === undefined) return network;
  return { ...network, configuration: { ...configuration, margin: PARSING_MARGIN } };
}
