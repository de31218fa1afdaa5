export { readModelPart, readPipelineFile, writePipelineFile } from "./files.ts";
export { openPipeline } from "./open.ts";
export { decoderFamily, type PipelineFiles } from "./pipeline-files.ts";
export { type PipelineThreads, pipelineHere, pipelineOnThreads } from "./threads.ts";
export {
  type PartTrainers,
  type ThreadedPipelineOptions,
  trainersBy,
  trainPipelineOnThreads,
} from "./train.ts";
export {
  type RunOrder,
  runOrder,
  type TrainingOrder,
  type Trainings,
} from "./training-orders.ts";
