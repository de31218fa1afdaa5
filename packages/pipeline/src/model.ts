import { writeBundle } from "@arcwise/core/container";
import { checkArgument } from "@arcwise/core/options";
import { loadGraphParser, loadParser, saveGraphParser, saveParser } from "@arcwise/parser";
import { loadTagger, saveTagger } from "@arcwise/sequence";
import { loadTokenizer, saveTokenizer } from "@arcwise/tokenize";
import {
  aModelWithSteps,
  PARTS,
  PIPELINE,
  type PipelineModel,
  type PipelinePart,
  readParts,
} from "./model-parts.ts";

/** How each part is written. */
const SAVED = {
  tokenizer: saveTokenizer,
  tagger: saveTagger,
  parser: saveParser,
  graphs: saveGraphParser,
} as const;

/**
 * Returns the bytes of a pipeline file: a file of each part, behind a list of them. O(weights).
 *
 * @throws ArcwiseError `invalid-argument` when the value is not a model, or lacks steps
 *
 * @example
 * const model = await trainPipeline(treebank, { preset: "linear" });
 * await writeFile("my.model", savePipeline(model));
 */
export function savePipeline(model: PipelineModel): Uint8Array {
  checkArgument(aModelWithSteps, model, "savePipeline: model");
  const parts: Record<string, Uint8Array> = {};
  for (const part of PARTS) {
    const save = SAVED[part] as (step: unknown) => Uint8Array;
    if (model[part] !== undefined) parts[part] = save(model[part]);
  }
  return writeBundle({ kind: PIPELINE, header: model.description ?? {}, parts });
}

/**
 * Reads a model file: a pipeline, or a tokeniser, tagger, parser or graph parser alone.
 *
 * @param only the parts to read; default: all
 * @throws ArcwiseError `invalid-argument` when `bytes` are not bytes, such as the name of a file
 * @throws ModelError as `modelParts`, or when a part is damaged
 *
 * @example
 * const response = await fetch("/english.model");
 * const nlp = createPipeline(loadPipeline(new Uint8Array(await response.arrayBuffer())));
 */
export function loadPipeline(bytes: Uint8Array, only: readonly PipelinePart[] = PARTS): PipelineModel {
  return readParts(
    bytes,
    {
      tokenizer: loadTokenizer,
      tagger: loadTagger,
      parser: loadParser,
      graphs: loadGraphParser,
    },
    only,
  );
}
