import { checkArgument, list, optional, shaped, string } from "@arcwise/core/options";
import type { SearchOptions } from "@arcwise/parser/decoding";
import type { TokenizerOptions } from "@arcwise/tokenize";
import type { PipelinePart } from "../model-parts.ts";

/**
 * A pipeline of files. Plain data, which can be sent to other threads.
 *
 * @example
 * const files: PipelineFiles = { model: "my.model", decoder: "ad3" };
 * const nlp = await openPipeline(files);
 */
export interface PipelineFiles extends SearchOptions {
  /** The model file. */
  readonly model: string;
  /** The bytes of the model file, if they were read before: other threads read the file again. */
  readonly bytes?: Uint8Array | undefined;
  /** The parts to use; each must be there. Default: all that are there. */
  readonly parts?: readonly PipelinePart[] | undefined;
  /** The file of another tagger: of a tagger, or of a pipeline. */
  readonly tagger?: string | undefined;
  /**
   * A decoder, by its name or module (`loadDecoder` of `@arcwise/parser/node`): of trees, or of graphs where
   * `parts` are `graphs` alone. The search options belong to it.
   */
  readonly decoder?: string | undefined;
  /** The module of features of whole trees that the model was trained with. */
  readonly global?: string | undefined;
  readonly tokenizer?: TokenizerOptions | undefined;
  /** Whether trees are valid in Universal Dependencies, as the option of `createPipeline`. Default: true. */
  readonly valid?: boolean | undefined;
}

/** Returns what the decoder of files decodes. */
export function decoderFamily(files: PipelineFiles): "trees" | "graphs" {
  checkArgument(shaped("files", { parts: optional(list(string)) }), files, "decoderFamily");
  return files.parts?.every((part) => part === "graphs") ? "graphs" : "trees";
}
