import { trainLabeller } from "../../labelling/labeller-training.ts";
import { type QuantizedWeights, quantize } from "../../model/quantize.ts";
import type { TrainingContext } from "../context.ts";
import type { Pruning } from "./prune.ts";

/** Trains the labeller, on gold trees and on rough parses. */
export async function learnLabels(context: TrainingContext, { trees }: Pruning): Promise<QuantizedWeights> {
  const { sentences, golds, labels, filter, settings, run } = context;
  const { epochs } = settings.labels;
  const weights = await trainLabeller(sentences, golds, {
    labels: labels.strings.length,
    filter,
    heads: trees,
    epochs,
    seed: settings.seed,
    onProgress: ({ epoch, done }) => {
      const total = sentences.length * (trees ? 2 : 1);
      const common = { stage: "label", epoch, epochs, done, total } as const;
      run.report({ ...common, trainingError: 0, epochDone: done === total });
    },
    signal: run.signal,
  });
  return quantize(weights);
}
