import type { DependencyTree } from "@arcwise/core";
import { type EncoderData, type Template, type Vocabulary, vocabulary } from "@arcwise/core/features";
import type { LabellerConfiguration } from "../labelling/labeller.ts";
import type { PruneOptions } from "../pruning/pruner.ts";
import type { Reach } from "../pruning/reach.ts";
import type { EncodedTree, LabelFilter } from "../scoring/arcs/label-filter.ts";
import type { PartTemplates } from "../scoring/parts/part-scorer.ts";
import type { GlobalConfiguration } from "../scoring/trees/global-scorer.ts";
import type { ParserModel } from "../types.ts";
import { type Container, ModelError, readContainer, writeContainer } from "./container.ts";
import { FEATURES } from "./features-version.ts";
import { checkModel } from "./model-check.ts";
import {
  type NetworkAtRest,
  type NetworkConfiguration,
  networkVectors,
  readNetwork,
} from "./network-model.ts";
import type { QuantizedWeights } from "./quantize.ts";
import { definedVectors } from "./sections.ts";
import {
  readTensor,
  type TensorAtRest,
  type TensorHeader,
  tensorHeader,
  tensorVectors,
} from "./tensor-model.ts";

/** All that determines how a sentence is scored, beside weights and vocabularies. Plain data. */
export interface ModelConfiguration {
  readonly order: number;
  /** The name of the decoder that the model was trained with. */
  readonly decoder: string;
  /** What the user called the decoder's module; absent unless it comes from one. Never loaded because a model names it. */
  readonly decoderModule?: string | undefined;
  readonly arcTemplates: readonly Template[];
  readonly partTemplates: PartTemplates;
  readonly prunerTemplates: readonly Template[];
  /** Tables have 2^bits lines. */
  readonly arcBits: number;
  readonly partBits: number;
  readonly prunerBits: number;
  /** Features of whole trees; undefined: only arcs and parts are scored. */
  readonly global: GlobalConfiguration | undefined;
  /** False: all arcs are candidates. */
  readonly pruning: PruneOptions | false;
}

/** A trained parser at rest. */
export interface TrainedModel extends ParserModel {
  readonly configuration: ModelConfiguration;
  readonly labels: readonly string[];
  readonly encoder: EncoderData;
  readonly filter: LabelFilter;
  readonly arcWeights: QuantizedWeights;
  readonly partWeights: QuantizedWeights;
  readonly prunerWeights: QuantizedWeights;
  /** Defined where the configuration has features of whole trees. */
  readonly globalWeights: QuantizedWeights | undefined;
  readonly reach: Reach;
  /** Decides the labels of a tree; undefined: every arc has its best label. */
  readonly labeller:
    | { readonly configuration: LabellerConfiguration; readonly weights: QuantizedWeights }
    | undefined;
  /** Score arcs beside their sparse features. */
  readonly tensor: TensorAtRest | undefined;
  readonly network: NetworkAtRest | undefined;
}

/** The header of a model file. */
export interface ModelHeader {
  /** `FEATURES` of the version that trained the model. */
  readonly features: number;
  readonly description: ParserModel["description"];
  readonly configuration: ModelConfiguration;
  readonly labels: readonly string[];
  readonly encoder: EncoderData;
  readonly filter: { readonly start: readonly number[]; readonly list: readonly number[] };
  readonly reach: readonly number[];
  readonly scales: {
    readonly arcs: number;
    readonly parts: number;
    readonly pruner: number;
    readonly global: number | undefined;
  };
  readonly labeller: { readonly configuration: LabellerConfiguration; readonly scale: number } | undefined;
  readonly tensor: TensorHeader | undefined;
  readonly network: NetworkConfiguration | undefined;
}

/** The bytes of a model file. O(weights). */
export function saveModel(model: ParserModel): Uint8Array {
  const { description, configuration, labels, encoder, filter, labeller, tensor, network, ...weights } =
    trained(model);
  const { arcWeights, partWeights, prunerWeights, globalWeights, reach } = weights;
  const header: ModelHeader = {
    features: FEATURES,
    description,
    configuration,
    labels,
    encoder,
    filter: { start: [...filter.start], list: [...filter.list] },
    reach: [...reach],
    scales: {
      arcs: arcWeights.scale,
      parts: partWeights.scale,
      pruner: prunerWeights.scale,
      global: globalWeights?.scale,
    },
    labeller: labeller && { configuration: labeller.configuration, scale: labeller.weights.scale },
    tensor: tensor && tensorHeader(tensor),
    network: network?.configuration,
  };
  const vectors = {
    arcs: arcWeights.values,
    parts: partWeights.values,
    pruner: prunerWeights.values,
    global: globalWeights?.values,
    labeller: labeller?.weights.values,
    ...(tensor ? tensorVectors(tensor) : {}),
    ...(network ? networkVectors(network) : {}),
  };
  return writeContainer({ kind: "model", header, vectors: definedVectors(vectors) });
}

/**
 * Reads the bytes of a model file.
 *
 * @throws ModelError when they are none, are damaged, cut short, or of a newer version
 */
export function loadModel(bytes: Uint8Array): ParserModel {
  const container = readContainer(bytes, "model", checkModel);
  const header = container.header as ModelHeader;
  const model: TrainedModel = {
    description: header.description,
    configuration: header.configuration,
    labels: header.labels,
    encoder: header.encoder,
    filter: { start: Int32Array.from(header.filter.start), list: Int32Array.from(header.filter.list) },
    reach: Int32Array.from(header.reach),
    arcWeights: weightsOf(container, "arcs", header.scales.arcs),
    partWeights: weightsOf(container, "parts", header.scales.parts),
    prunerWeights: weightsOf(container, "pruner", header.scales.pruner),
    globalWeights: header.configuration.global && weightsOf(container, "global", header.scales.global!),
    labeller: header.labeller && {
      configuration: header.labeller.configuration,
      weights: weightsOf(container, "labeller", header.labeller.scale),
    },
    tensor: header.tensor && readTensor(header.tensor, container.vectors),
    network: header.network && readNetwork(header.network, container.vectors),
  };
  return model;
}

function weightsOf({ vectors }: Container, name: string, scale: number): QuantizedWeights {
  const values = vectors[name];
  if (!(values instanceof Int8Array)) throw new ModelError(`damaged model file: no weights "${name}"`);
  return { values, scale };
}

/** The model as the package itself knows it. @throws TypeError when it was not made by this package */
export function trained(model: ParserModel): TrainedModel {
  if (!("configuration" in model && "arcWeights" in model)) {
    throw new TypeError("expected a model of trainParser or loadModel");
  }
  return model as TrainedModel;
}

/** Turns label strings into numbers from 0 and back. */
export class LabelSet {
  readonly strings: readonly string[];
  readonly #vocabulary: Vocabulary;

  constructor(strings: readonly string[]) {
    this.strings = strings;
    this.#vocabulary = vocabulary(strings);
  }

  /** A tree with labels as numbers; labels that are not in the set become -1. */
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
