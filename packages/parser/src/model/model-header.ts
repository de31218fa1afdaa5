import type { EncoderData, Template } from "@arcwise/core/features";
import type { LabellerConfiguration } from "../labelling/labeller-configuration.ts";
import type { PruneOptions } from "../pruning/pruner.ts";
import type { PartTemplates } from "../scoring/parts/part-scorer.ts";
import type { GlobalConfiguration } from "../scoring/trees/global-scorer.ts";
import type { ParserModel } from "../types.ts";
import type { NetworkConfiguration } from "./network-model.ts";
import type { TensorHeader } from "./tensor-model.ts";

/** All that determines how a sentence is scored, beside weights and vocabularies. Plain data. */
export interface ModelConfiguration {
  readonly order: number;
  /** The name of the decoder that the model was trained with. */
  readonly decoder: string;
  /**
   * What the user called the decoder's module; absent unless it comes from one. Never loaded because a model
   * names it.
   */
  readonly decoderModule?: string | undefined;
  /** True: the decoder was given as an object or a function, whatever its name. */
  readonly decoderGiven?: true | undefined;
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
