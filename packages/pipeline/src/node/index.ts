export { readModelPart, readPipelineFile, writePipelineFile } from "./files.ts";
export { openPipeline, type PipelineFiles } from "./open.ts";
export { type PipelineThreads, pipelineHere, pipelineOnThreads } from "./threads.ts";
export { type ThreadedPipelineOptions, trainPipelineOnThreads } from "./train.ts";
