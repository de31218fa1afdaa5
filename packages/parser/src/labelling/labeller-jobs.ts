import { type QuantizedWeights, quantize } from "@arcwise/core/container";
import type { EncodedSentence } from "@arcwise/core/features";
import { epochShare, type StepProgress } from "@arcwise/core/training";
import type { Job, Shared } from "@arcwise/jobs";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { MIN_BYTE } from "../scoring/quantize-rows.ts";
import { type LabellerTraining, trainLabeller } from "./labeller-training.ts";

interface LabellerWork {
  readonly sentences: Shared<readonly EncodedSentence[]>;
  readonly golds: Shared<readonly EncodedTree[]>;
  readonly training: Omit<LabellerTraining, "onProgress" | "signal">;
}

/** Trains a labeller; returns its weights. */
export const labellerJob: Job<LabellerWork, QuantizedWeights> = {
  name: "labeller",
  module: import.meta.url,
  async run({ sentences, golds, training }, { onProgress, signal }) {
    const { epochs, heads } = training;
    const total = sentences.length * (heads ? 2 : 1);
    const weights = await trainLabeller(sentences, golds, {
      ...training,
      signal,
      onProgress: ({ epoch, done }) => {
        const share = epochShare(epoch, epochs, done, total);
        const at: StepProgress = { step: "labels", epoch, epochs, epochDone: done === total, share };
        onProgress(at);
      },
    });
    return quantize(weights, MIN_BYTE);
  },
};
