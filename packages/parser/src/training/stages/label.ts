import type { QuantizedWeights } from "@arcwise/core/container";
import type { StepProgress } from "@arcwise/core/training";
import { share } from "@arcwise/jobs";
import {
  LABELLER_CONFIGURATION,
  type LabellerConfiguration,
} from "../../labelling/labeller-configuration.ts";
import { labellerJob } from "../../labelling/labeller-jobs.ts";
import type { ParserStage } from "../context.ts";
import { continuedLabeller } from "../continued/continued-weights.ts";
import type { Settings } from "../settings.ts";
import type { Pruning } from "./prune.ts";

const EPOCHS = 5;
/** Estimated microseconds per word and epoch. */
const WORK = 30;

/** The built-in configuration of the labeller, with the templates of the settings. */
export function labellerConfiguration({ templates: { labeller } }: Settings): LabellerConfiguration {
  return labeller === undefined
    ? LABELLER_CONFIGURATION
    : { ...LABELLER_CONFIGURATION, arcTemplates: labeller.arc, treeTemplates: labeller.tree };
}

/** Trains the labeller "sequence", on gold trees and on rough parses. */
export const labelStage: ParserStage<{ readonly prune: Pruning | undefined }, QuantizedWeights | undefined> =
  {
    work: (words, { labeller }) => (labeller === "sequence" ? 2 * EPOCHS * words * WORK : 0),
    async run({ sentences, golds, labels, filter, settings, run, base }, { prune }) {
      if (settings.labeller !== "sequence") return undefined;
      const training = {
        labels: labels.strings.length,
        filter,
        configuration: base?.labeller?.configuration ?? labellerConfiguration(settings),
        resume: base && continuedLabeller(base, labels.strings.length),
        heads: (await prune)?.trees,
        epochs: EPOCHS,
        seed: settings.seed,
      };
      const work = { sentences: share(sentences), golds: share(golds), training };
      const onProgress = (at: StepProgress) => run.reporter.report("labels", at);
      return run.place.do(labellerJob, work, { onProgress, signal: run.signal });
    },
  };
