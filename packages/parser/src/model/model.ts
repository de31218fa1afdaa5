import type { DependencyTree } from "@arcwise/core";
import type { QuantizedWeights } from "@arcwise/core/container";
import { type EncoderIdentity, identityOf } from "@arcwise/core/encoders";
import { type EncoderData, type Vocabulary, vocabulary } from "@arcwise/core/features";
import { checkArgument, withMembers } from "@arcwise/core/options";
import type { LabellerConfiguration } from "../labelling/labeller-configuration.ts";
import type { Reach } from "../pruning/reach.ts";
import type { EncodedTree, LabelFilter } from "../scoring/arcs/label-filter.ts";
import type { QuantizedNetwork } from "../scoring/network/quantized-network.ts";
import type { ParserModel } from "../types.ts";
import { type ModelConfiguration, scoresFeatures } from "./model-header.ts";

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
    for (let m = 0; m < labels.length; m++) names[m] = labels[m] < 0 ? "" : this.strings[labels[m]!];
    return { heads, labels: names };
  }
}
