export { readModelPart, readPipelineFile, writePipelineFile } from "./files.ts";
export { type InstalledModel, installedModels } from "./installed-models.ts";
export { howToGet, installedText } from "./missing-model.ts";
export { modelFile } from "./model-file.ts";
export { openPipeline } from "./open.ts";
export { decoderFamily, type PipelineFiles } from "./pipeline-files.ts";
export {
  type AnalysisThreads,
  analysisThreads,
  type PipelineThreads,
  pipelineHere,
  pipelineOnThreads,
} from "./threads.ts";
export { type ThreadedPipelineOptions, trainPipelineOnThreads } from "./train.ts";
