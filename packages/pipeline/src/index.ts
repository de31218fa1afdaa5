export type { TrainingProgress } from "@arcwise/core/training";
export type { GraphTask, PipelineFacts, SentenceTask } from "./analysis.ts";
export { reportComments } from "./analysis-output.ts";
export type { AnalysisPipeline, Pipeline } from "./assemble.ts";
export { type CascadeOptions, openCascade } from "./cascade.ts";
export type { RemotePipeline } from "./elsewhere.ts";
export { analysisOf } from "./elsewhere.ts";
export type { EncodedPipeline } from "./encoded-pipeline.ts";
export { addCounts, countReplacedGraph, type InputCounts, isMostlyUnknown, noInput } from "./input-counts.ts";
export type { SentenceInput } from "./inputs.ts";
export { type LearnCascadeOptions, type LearnedCascade, learnCascade } from "./learn-cascade.ts";
export type { PipelineModel } from "./model-parts.ts";
export {
  languagesOf,
  modelParts,
  type PipelineFile,
  type PipelinePart,
  type PipelineScores,
  WEIGHT,
} from "./model-parts.ts";
export { createPipeline, loadPipeline, type PipelineOptions, savePipeline } from "./pipeline.ts";

export type { PipelineReading } from "./reading.ts";
export { type ConnectOptions, connectPipeline, type PipelinePort, servePipeline } from "./remote.ts";
export type { AnalysisSettings, RunOptions, SentenceFailure, StreamInput } from "./run-options.ts";
export type { Analyser } from "./runner.ts";
export { type ParserStepSettings, PIPELINE_SETTINGS, type PipelineSettings } from "./settings.ts";
export type { FinishStep } from "./steps.ts";
export { trainPipeline } from "./train.ts";
export type { PipelineTrainOptions } from "./train-options.ts";
export { joinTreebanks } from "./treebanks/join-treebanks.ts";
export { type Treebank, treebanksOf } from "./treebanks/treebank.ts";
