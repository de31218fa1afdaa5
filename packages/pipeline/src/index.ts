export { type GraphStep, graphStep, withGraph } from "./graph-step.ts";
export {
  loadPipeline,
  type PipelineFile,
  type PipelineModel,
  type PipelinePart,
  type PipelineScores,
  readPipelineFile,
  savePipeline,
} from "./model.ts";
export {
  createPipeline,
  type FinishStep,
  type Pipeline,
  type PipelineOptions,
} from "./pipeline.ts";
export { type PipelinePort, type RemotePipeline, remotePipeline, servePipeline } from "./remote.ts";
export { retag } from "./retagging.ts";
export type { ParseStep, StepReading, TagStep, TokenizeStep, TreeFunction } from "./steps.ts";
export { type PipelineProgress, type PipelineTrainOptions, trainPipeline } from "./train.ts";
