export { ModelError } from "@arcwise/core/container";
export { createPipeline, loadPipeline, type RunPipelineOptions } from "./run-pipeline.ts";
