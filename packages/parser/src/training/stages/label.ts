import type { QuantizedWeights } from "@arcwise/core/container";
import { epochShare } from "@arcwise/core/training";
import {
  LABELLER_CONFIGURATION,
  type LabellerConfiguration,
} from "../../labelling/labeller-configuration.ts";
import { trainLabeller } from "../../labelling/labeller-training.ts";
import { quantizeSparse } from "../../scoring/quantize-rows.ts";
import type { TrainingContext } from "../context.ts";
import type { Settings } from "../settings.ts";
import type { Pruning } from "./prune.ts";

/** The built-in configuration of the labeller, with the templates of the settings. */
export function labellerConfiguration({ templates: { labeller } }: Settings): LabellerConfiguration {
  return labeller === undefined
    ? LABELLER_CONFIGURATION
    : { ...LABELLER_CONFIGURATION, arcTemplates: labeller.arc, treeTemplates: labeller.tree };
}

/** Trains the labeller, on gold trees and on rough parses. */
export async function learnLabels(context: TrainingContext, { trees }: Pruning): Promise<QuantizedWeights> {
  const { sentences, golds, labels, filter, settings, run } = context;
  const { epochs } = settings.labels;
  const weights = await trainLabeller(sentences, golds, {
    labels: labels.strings.length,
    filter,
    configuration: labellerConfiguration(settings),
    heads: trees,
    epochs,
    seed: settings.seed,
    onProgress: ({ epoch, done }) => {
      const total = sentences.length * (trees ? 2 : 1);
      const share = epochShare(epoch, epochs, done, total);
      run.reporter.report("labels", { step: "labels", epoch, epochs, epochDone: done === total, share });
    },
    signal: run.signal,
  });
  return quantizeSparse(weights);
}
