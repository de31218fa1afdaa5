import type { ConlluSentence } from "@arcwise/conllu";
import {
  type PipelineModel,
  type PipelineTrainOptions,
  type Treebank,
  trainPipeline,
} from "@arcwise/pipeline";
import { stepsPlace, type Workplace } from "./train-elsewhere.ts";
import { trainParserInSteps } from "./train-parser.ts";

/** Options of `trainPipelineInSteps`. */
export interface StepPipelineOptions extends Workplace, Omit<PipelineTrainOptions, "trainParser" | "place"> {}

/**
 * `trainPipeline` in steps, run by any number of workers that share a store: the same model, byte for byte. The
 * tokeniser, the tagger, and each tagger of a part of the treebank are a step; the parser is trained as by
 * `trainParserInSteps`. A training that was interrupted is continued by calling the function again with the same
 * sentences, options and store.
 *
 * @throws as `trainPipeline`, and as `runner.run`
 */
export function trainPipelineInSteps(
  sentences: readonly ConlluSentence[] | readonly Treebank[],
  { store, runner, ...options }: StepPipelineOptions,
): Promise<PipelineModel> {
  return trainPipeline(sentences, {
    ...options,
    trainParser: (examples, own = {}) => trainParserInSteps(examples, { ...own, store, runner }),
    place: stepsPlace({ store, runner }),
  });
}
