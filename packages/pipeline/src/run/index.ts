export { ModelError } from "@arcwise/core/container";
export type { Pipeline } from "../assemble.ts";
export type { PipelineModel } from "../model-parts.ts";
export { createPipeline, loadPipeline, type RunPipelineOptions } from "./run-pipeline.ts";
