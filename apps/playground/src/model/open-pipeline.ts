import { hasCode } from "@arcwise/core/errors";
import { mstDecoder } from "@arcwise/decode-mst";
import { readModel } from "@arcwise/english-small";
import type { Pipeline } from "@arcwise/pipeline";
import { createPipeline, loadPipeline } from "@arcwise/pipeline/run";

/** A sentence that compiles the code of all steps: the first sentence of a user then takes its own time alone. */
const FIRST_SENTENCE = "Dogs bark at the mail.";

/**
 * Makes the pipeline of the model of English, or of the bytes of another model, and runs it once. The decoders and graph
 * parsers that the model of English does without are loaded for other models only.
 *
 * @throws ModelError when the bytes are not a model, and what `createPipeline` throws
 */
export async function openPipeline(bytes: Uint8Array | undefined): Promise<Pipeline> {
  const pipeline = bytes === undefined ? await english() : await pipelineOf(bytes);
  runFirst(pipeline);
  return pipeline;
}

function runFirst(pipeline: Pipeline): void {
  try {
    pipeline.run(FIRST_SENTENCE);
  } catch (error) {
    if (!hasCode(error, "missing-step")) throw error; // a model without a tokeniser parses given words
  }
}

async function english(): Promise<Pipeline> {
  return createPipeline(loadPipeline(await readModel()), { parser: { decoder: mstDecoder() } });
}

async function pipelineOf(bytes: Uint8Array): Promise<Pipeline> {
  return (await import("./any-pipeline.ts")).anyPipeline(bytes);
}
