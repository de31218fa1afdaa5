import { defineOptions, flag, type OptionsOf, withMembers } from "@arcwise/core/options";
import { type TrainedModel, trained } from "../../model/model.ts";
import type { ParserModel } from "../../types.ts";

/** The options of a training that begins with the weights of a model. */
export const CONTINUE_OPTIONS = defineOptions({
  /**
   * Training begins with its weights, and has its settings: sizes, templates, decoder. Words, labels and tags that it does
   * not know are added.
   */
  continue: {
    check: withMembers<ParserModel>("a model of trainParser or loadParser", "configuration", "arcWeights"),
    help: "a model whose training is continued",
    programmatic: true,
  },
  /** See *Partly annotated sentences* in the guide. */
  partial: {
    check: flag,
    help: "whether words with the head -1 are not annotated, and labels that are empty: nothing is learned from them",
    programmatic: true,
  },
});

/** Options of a training that begins with the weights of a model. */
export interface ContinueOptions extends OptionsOf<typeof CONTINUE_OPTIONS> {}

/** Returns the model that options continue; undefined if they do not continue one. */
export function modelToContinue({ continue: model }: ContinueOptions): TrainedModel | undefined {
  return model && trained(model);
}
