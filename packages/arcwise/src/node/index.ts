export {
  type OpenOptions,
  openPipeline,
  type PipelineFiles,
  readPipelineFile,
  writePipelineFile,
} from "@arcwise/pipeline/node";
export { onThreads, type ThreadOptions, type ThreadPlace } from "@arcwise/work/node";
