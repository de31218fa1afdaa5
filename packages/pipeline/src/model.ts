import { writeBundle } from "@arcwise/core/container";
import { ArcwiseError } from "@arcwise/core/errors";
import {
  type GraphModel,
  loadGraphParser,
  loadParser,
  type ParserModel,
  saveGraphParser,
  saveParser,
} from "@arcwise/parser";
import { loadTagger, saveTagger, type TaggerModel } from "@arcwise/sequence";
import { loadTokenizer, saveTokenizer, type TokenizerModel } from "@arcwise/tokenize";
import { modelParts, PARTS, PIPELINE, type PipelineDescription, type PipelinePart } from "./model-parts.ts";

/** A trained pipeline. Plain data; each step may be absent: a parser alone is a pipeline with one step. */
export interface PipelineModel {
  /** Absent in a model of one step that was not trained as part of a pipeline. */
  readonly description?: PipelineDescription | undefined;
  readonly tokenizer?: TokenizerModel | undefined;
  readonly tagger?: TaggerModel | undefined;
  readonly parser?: ParserModel | undefined;
  /** Finds the graph of DEPS, after the tree, or semantic graphs. */
  readonly graphs?: GraphModel | undefined;
}

/** How each part is read and written. */
const PART_FILES = {
  tokenizer: { load: loadTokenizer, save: saveTokenizer },
  tagger: { load: loadTagger, save: saveTagger },
  parser: { load: loadParser, save: saveParser },
  graphs: { load: loadGraphParser, save: saveGraphParser },
} as const;

/** Returns the bytes of a pipeline file: a file of each part, behind a list of them. O(weights). */
export function savePipeline(model: PipelineModel): Uint8Array {
  const parts: Record<string, Uint8Array> = {};
  for (const part of PARTS) {
    const save = PART_FILES[part].save as (step: unknown) => Uint8Array;
    if (model[part] !== undefined) parts[part] = save(model[part]);
  }
  return writeBundle({ kind: PIPELINE, header: model.description ?? {}, parts });
}

/**
 * Reads a model file: a pipeline, or a tokeniser, tagger, parser or graph parser alone.
 *
 * @param only the parts to read; default: all
 * @throws ArcwiseError `invalid-argument` when `bytes` are none, such as the name of a file
 * @throws ModelError as `modelParts`, or when a part is damaged
 */
export function loadPipeline(bytes: Uint8Array, only: readonly PipelinePart[] = PARTS): PipelineModel {
  if (typeof bytes === "string") {
    const message = `loadPipeline: expected the bytes of a model file (Uint8Array), found "${bytes}": read the file first`;
    throw new ArcwiseError("invalid-argument", message, { at: "bytes" });
  }
  const { description, parts } = modelParts(bytes);
  const model: Record<string, unknown> = description === undefined ? {} : { description };
  for (const part of PARTS) {
    const own = parts[part];
    if (own !== undefined && only.includes(part)) model[part] = PART_FILES[part].load(own);
  }
  return model;
}
