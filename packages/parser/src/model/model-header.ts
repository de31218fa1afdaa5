import type { EncoderData, Template } from "@arcwise/core/features";
import type { LabellerConfiguration } from "../labelling/labeller-configuration.ts";
import type { PruneOptions } from "../pruning/pruner.ts";
import type { FeatureConfiguration } from "../scoring/scorers.ts";
import type { ParserModel } from "../types.ts";
import type { StoredLabelFilter } from "./common-checks.ts";
import type { NetworkHeader } from "./network-model.ts";

/** The properties of a model that determine its scores, except weights and vocabularies. Plain data. */
export interface ModelConfiguration extends FeatureConfiguration {
  readonly order: number;
  /** The name of the decoder that the model was trained with. */
  readonly decoder: string;
  /** The specifier of the decoder's module, if it came from one. It is stored for messages, never loaded. */
  readonly decoderModule?: string | undefined;
  /** True: the decoder was given as an object or a function, whatever its name. */
  readonly decoderGiven?: true | undefined;
  /** True: trees may have several root words. */
  readonly multipleRoots?: true | undefined;
  readonly prunerTemplates: readonly Template[];
  /** The table of the pruner has 2^bits lines; 0 without a pruner. */
  readonly prunerBits: number;
  /** False: all arcs are candidates. */
  readonly pruning: PruneOptions | false;
}

/** Returns whether a model has features of arcs; otherwise a network alone scores arcs and labels. */
export function scoresFeatures({ arcBits }: Pick<ModelConfiguration, "arcBits">): boolean {
  return arcBits > 0;
}

/** The header of a model file. */
export interface ModelHeader {
  /** `FEATURES` of the version that trained the model. */
  readonly features: number;
  readonly description: ParserModel["description"];
  readonly configuration: ModelConfiguration;
  readonly labels: readonly string[];
  readonly encoder: EncoderData;
  /** Absent if a network alone scores arcs and labels. */
  readonly filter?: StoredLabelFilter | undefined;
  readonly reach: readonly number[];
  readonly scales: {
    readonly arcs: number;
    readonly parts: number;
    readonly pruner: number;
    readonly global: number | undefined;
  };
  readonly labeller: { readonly configuration: LabellerConfiguration; readonly scale: number } | undefined;
  readonly network: NetworkHeader | undefined;
}
