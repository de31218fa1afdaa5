import { type ConlluSentence, rawText } from "@arcwise/conllu";
import type { Encoder } from "@arcwise/core/encoders";
import type { PipelineModel } from "@arcwise/pipeline";
import { compareSystems, comparisonTables } from "../evaluation/compare-systems.ts";
import { tableText } from "../evaluation/table-formats.ts";

/** Two models, the first of which was continued. */
export interface ContinuedModels {
  readonly before: PipelineModel;
  readonly after: PipelineModel;
  readonly encoder: Encoder | undefined;
}

/**
 * Returns a report of what a development set says of a model before and after it was continued, from raw text, or from its words without a tokeniser: the scores
 * of each column, and their differences with intervals. It costs parsing the text twice.
 */
export async function continuedScores(
  dev: readonly ConlluSentence[],
  { before, after, encoder }: ContinuedModels,
): Promise<string> {
  const { createPipeline } = await import("@arcwise/pipeline");
  const parsed = async (name: string, model: PipelineModel) => {
    const options = { valid: false };
    const pipeline =
      encoder === undefined ? createPipeline(model, options) : createPipeline(model, { ...options, encoder });
    const sentences = await (model.tokenizer ? pipeline.run(rawText(dev).text) : pipeline.annotate(dev));
    return { name, sentences };
  };
  const systems = compareSystems(dev, [await parsed("before", before), await parsed("after", after)], {
    singleRoot: false,
    metrics: ["UPOS", "UAS", "LAS"],
    errorOf: (error) => error,
  });
  const [old, better] = systems.map(({ metrics }) => metrics.LAS.f1);
  const gained = better! > old! ? "" : "\nnothing was gained: LAS is not higher than before";
  return tableText(comparisonTables(systems)).trimEnd() + gained;
}
