import type { DependencyTree } from "@arcwise/core";
import type { QuantizedWeights } from "@arcwise/core/container";
import { type ContentCheck, readContainer, writeContainer } from "@arcwise/core/container";
import { type EncoderIdentity, identityOf } from "@arcwise/core/encoders";
import { type EncoderData, type Vocabulary, vocabulary } from "@arcwise/core/features";
import { checkArgument, withMembers } from "@arcwise/core/options";
import { tableEntries } from "@arcwise/neural";
import type { LabellerConfiguration } from "../labelling/labeller-configuration.ts";
import type { Reach } from "../pruning/reach.ts";
import type { EncodedTree, LabelFilter } from "../scoring/arcs/label-filter.ts";
import type { QuantizedNetwork } from "../scoring/network/quantized-network.ts";
import type { ParserModel } from "../types.ts";
import { readFilter, storedFilter } from "./common-checks.ts";
import { FEATURES } from "./features-version.ts";
import { checkModel } from "./model-check.ts";
import { type ModelConfiguration, type ModelHeader, scoresFeatures } from "./model-header.ts";
import { networkHeader, networkVectors, readNetwork } from "./network-model.ts";
import { weightsOf } from "./sections.ts";

/** A trained parser, its weights quantised. */
export interface TrainedModel extends ParserModel {
  readonly configuration: ModelConfiguration;
  readonly labels: readonly string[];
  readonly encoder: EncoderData;
  /** The labels that arcs may have by the tags of their words. Undefined: a network alone scores labels. */
  readonly filter: LabelFilter | undefined;
  readonly arcWeights: QuantizedWeights;
  readonly partWeights: QuantizedWeights;
  readonly prunerWeights: QuantizedWeights;
  /** Defined if the configuration has features of whole trees. */
  readonly globalWeights: QuantizedWeights | undefined;
  readonly reach: Reach;
  /** The labeller of trees; undefined: every arc has its best label. */
  readonly labeller:
    | { readonly configuration: LabellerConfiguration; readonly weights: QuantizedWeights }
    | undefined;
  /** Scores arcs and labels besides their sparse features. */
  readonly network: QuantizedNetwork | undefined;
}

/** The bytes of a model file. O(weights). */
export function saveParser(model: ParserModel): Uint8Array {
  const { description, configuration, labels, encoder, filter, labeller, network, ...weights } =
    trained(model);
  const { arcWeights, partWeights, prunerWeights, globalWeights, reach } = weights;
  const header: ModelHeader = {
    features: FEATURES,
    description,
    configuration,
    labels,
    encoder,
    filter: filter && storedFilter(filter),
    reach: [...reach],
    scales: {
      arcs: arcWeights.scale,
      parts: partWeights.scale,
      pruner: prunerWeights.scale,
      global: globalWeights?.scale,
    },
    labeller: labeller && { configuration: labeller.configuration, scale: labeller.weights.scale },
    network: network && networkHeader(network),
  };
  const vectors = {
    arcs: arcWeights.values,
    parts: partWeights.values,
    pruner: prunerWeights.values,
    global: globalWeights?.values,
    labeller: labeller?.weights.values,
    ...networkVectors(network),
  };
  return writeContainer({ kind: "model", header, vectors });
}

/** Sections whose lines a kernel sums. */
const LINES: readonly string[] = ["arcs", "pruner"];

/**
 * Reads the bytes of a model file.
 *
 * @param checkDecoder checks whether the decoder that the configuration names scores what the model scores
 */
export function readModelFile(
  bytes: Uint8Array,
  checkDecoder: (configuration: ModelConfiguration) => void,
): TrainedModel {
  const check: ContentCheck = (value, sections) => {
    checkModel(value, sections);
    checkDecoder((value as ModelHeader).configuration);
  };
  const container = readContainer(bytes, "model", check, ({ name, entries }) =>
    LINES.includes(name) ? tableEntries(entries) : undefined,
  );
  const header = container.header as ModelHeader;
  return {
    description: header.description,
    configuration: header.configuration,
    labels: header.labels,
    encoder: header.encoder,
    filter: header.filter && readFilter(header.filter),
    reach: Int32Array.from(header.reach),
    arcWeights: weightsOf(container, "arcs", header.scales.arcs),
    partWeights: weightsOf(container, "parts", header.scales.parts),
    prunerWeights: weightsOf(container, "pruner", header.scales.pruner),
    globalWeights: header.configuration.global && weightsOf(container, "global", header.scales.global!),
    labeller: header.labeller && {
      configuration: header.labeller.configuration,
      weights: weightsOf(container, "labeller", header.labeller.scale),
    },
    network: header.network && readNetwork(header.network, container.vectors),
  };
}

const MODEL = withMembers("a model of trainParser or loadParser", "configuration", "arcWeights");

/** Returns a model in its internal form. */
export function trained(model: ParserModel): TrainedModel {
  checkArgument(MODEL, model, "createParser: model");
  return model as TrainedModel;
}

/**
 * Returns the encoder that a model was trained with; undefined if it does not need one. O(1).
 *
 * @throws ArcwiseError `invalid-argument` for what this package did not make
 */
export function encoderOfParser(model: ParserModel): EncoderIdentity | undefined {
  const { encoder } = trained(model).network ?? {};
  return encoder && identityOf(encoder);
}

/**
 * Returns the names of the columns that a model predicts from words alone: of a network without features. O(columns).
 *
 * @throws ArcwiseError `invalid-argument` for what this package did not make
 */
export function predictedColumns(model: ParserModel): string[] {
  const { configuration, network } = trained(model);
  if (scoresFeatures(configuration)) return [];
  return (network?.configuration.columns ?? []).map(({ name }) => name);
}

/** Maps label strings to indices from 0 and back. */
export class LabelSet {
  readonly strings: readonly string[];
  readonly #vocabulary: Vocabulary;

  constructor(strings: readonly string[]) {
    this.strings = strings;
    this.#vocabulary = vocabulary(strings);
  }

  /** Returns a tree with labels as indices; labels that are not in the set become -1. */
  encode({ heads, labels }: DependencyTree): EncodedTree {
    return {
      heads,
      labels: Int32Array.from(labels, (label, m) => (m === 0 ? -1 : this.#vocabulary.id(label) - 1)),
    };
  }

  decode({ heads, labels }: EncodedTree): DependencyTree {
    const names = new Array<string>(labels.length);
    for (let m = 0; m < labels.length; m++) names[m] = labels[m]! < 0 ? "" : this.strings[labels[m]!]!;
    return { heads, labels: names };
  }
}
