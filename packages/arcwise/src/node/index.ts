export { onThreads, type ThreadOptions, type ThreadPlace } from "@arcwise/jobs/node";
export {
  type OpenOptions,
  openPipeline,
  type PipelineFiles,
  readPipelineFile,
  writePipelineFile,
} from "@arcwise/pipeline/node";
