/* Imported where no model is loaded: the types of assemble.ts are all that it takes from there. */
import { checkArgument, having } from "@arcwise/core/options";
import type { AnalysisPipeline, Pipeline } from "./assemble.ts";

/** Accepts pipelines. */
export const aPipeline = having("a pipeline", "analyse", "findGraphs", "session");

/** Returns a pipeline with what threads, workers and machines call. @throws ArcwiseError `invalid-argument` */
export function analysisOf(pipeline: Pipeline): AnalysisPipeline {
  checkArgument(aPipeline, pipeline, "pipeline");
  return pipeline as AnalysisPipeline;
}
