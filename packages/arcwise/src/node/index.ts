export {
  openPipeline,
  type PipelineFiles,
  type PipelineThreads,
  pipelineOnThreads,
  readPipelineFile,
  type ThreadedPipelineOptions,
  trainPipelineOnThreads,
  writePipelineFile,
} from "@arcwise/pipeline/node";
