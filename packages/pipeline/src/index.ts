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
export { refineTags } from "./network-tags.ts";
export {
  createPipeline,
  type FinishStep,
  type ParseStep,
  type Pipeline,
  type PipelineOptions,
  type TagStep,
  type TokenizeStep,
} from "./pipeline.ts";
export { type PipelinePort, type RemotePipeline, remotePipeline, servePipeline } from "./remote.ts";
export { type PipelineProgress, type PipelineTrainOptions, trainPipeline } from "./train.ts";
