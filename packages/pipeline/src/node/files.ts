import { readFileAs, writeWhole } from "@arcwise/core/node";
import { modelParts, type PipelineModel, type PipelinePart } from "../model-parts.ts";
import { loadPipeline, savePipeline } from "../pipeline.ts";

/**
 * Reads a model file: a pipeline, or a tokeniser, tagger, parser or graph parser alone.
 *
 * @param only the parts to read; default: all
 * @throws ModelError that names the file when it is not a valid model
 *
 * @example
 * const nlp = createPipeline(await readPipelineFile("my.model"));
 */
export function readPipelineFile(path: string, only?: readonly PipelinePart[]): Promise<PipelineModel> {
  return readFileAs(path, (bytes) => loadPipeline(bytes, only));
}

/**
 * Reads one part of a model file.
 *
 * @throws ModelError that names the file when it is not a valid model, or lacks the part
 */
export function readModelPart<Part extends PipelinePart>(
  path: string,
  part: Part,
): Promise<NonNullable<PipelineModel[Part]>> {
  return readFileAs(path, (bytes) => loadPipeline(modelParts(bytes, [part]).parts[part]!)[part]!);
}

/**
 * Writes a pipeline file completely or not at all, as `writeWhole` of `@arcwise/core/node`.
 *
 * @example
 * await writePipelineFile("my.model", await trainPipeline(treebank));
 */
export async function writePipelineFile(path: string, model: PipelineModel): Promise<void> {
  await writeWhole(path, savePipeline(model));
}
