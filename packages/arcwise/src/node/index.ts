export { onThreads, type ThreadOptions, type ThreadPlace } from "@arcwise/jobs/node";
export {
  computedVectors,
  keptVectors,
  type OpenOptions,
  openPipeline,
  type PipelineFiles,
  readPipelineFile,
  writePipelineFile,
} from "@arcwise/pipeline/node";
