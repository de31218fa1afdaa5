import { createPipeline, loadPipeline, type Pipeline } from "@arcwise/pipeline";

/** Makes the pipeline of any model. @throws ModelError when the bytes are not a model, and what `createPipeline` throws */
export function anyPipeline(bytes: Uint8Array): Pipeline {
  return createPipeline(loadPipeline(bytes));
}
