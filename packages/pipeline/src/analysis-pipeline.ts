/* Imported where no model is loaded: of assemble.ts it takes types alone. */
import { checkArgument, having } from "@arcwise/core/options";
import type { AnalysisPipeline, Pipeline } from "./assemble.ts";
import type { RemotePipeline } from "./elsewhere.ts";
import type { Analyser } from "./runner.ts";

/** Accepts pipelines. */
export const aPipeline = having("a pipeline", "analyse", "findGraphs", "session");

/** Returns a pipeline with what threads, workers and machines call. @throws ArcwiseError `invalid-argument` */
export function analysisOf(pipeline: Pipeline): AnalysisPipeline;
export function analysisOf(pipeline: RemotePipeline): Analyser;
export function analysisOf(pipeline: Pipeline | RemotePipeline): Analyser {
  checkArgument(aPipeline, pipeline, "pipeline");
  return pipeline as AnalysisPipeline;
}
