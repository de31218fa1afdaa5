export { readModelPart, readPipelineFile, writePipelineFile } from "./files.ts";
export { openPipeline } from "./open.ts";
export { decoderFamily, type PipelineFiles } from "./pipeline-files.ts";
export { type PipelineThreads, pipelineHere, pipelineOnThreads } from "./threads.ts";
export { type ThreadedPipelineOptions, trainPipelineOnThreads } from "./train.ts";
