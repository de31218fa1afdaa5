import type { Encoder } from "@arcwise/core/encoders";
import { createEncoder } from "./encoder.ts";
import { type EncoderSource, folderOf, readContents } from "./files.ts";
import { encoderOptions, type OnnxEncoderOptions, RUNTIME_OPTIONS } from "./options.ts";

export type { EncoderFiles } from "./files.ts";
export type { OnnxEncoderOptions } from "./options.ts";
export type { OnnxRuntime } from "./runtime.ts";

/**
 * Loads a BERT-like model in ONNX as an encoder, in a page or in any other engine: fetches its files, or takes them as bytes
 * or files that a user chose. The vector of a word is the mean over its pieces and over several layers.
 *
 * @param source the address of a folder with model.onnx, tokenizer.json and, if it has them, tokenizer_config.json and
 *   config.json and encoder.json, which has options; or the files of a folder, as an `<input type="file" webkitdirectory>` has them; or each file
 * @throws ArcwiseError `invalid-data` that names a file that is missing, is not JSON, or that the tokeniser or the runtime
 *   refuses; `invalid-option`, for outputs that the graph does not have with a list of those that it has;
 *   `insecure-context` in a page that was opened by http
 *
 * @example
 * import * as runtime from "onnxruntime-web/wasm";
 * const encoder = await onnxEncoder("/encoders/minilm-en", { runtime });
 * const [vectors] = await encoder.encode([["Cats", "sleep"]]); // 2 x encoder.width numbers
 */
export async function onnxEncoder(source: EncoderSource, options: OnnxEncoderOptions): Promise<Encoder> {
  const folder = folderOf(source);
  const { runtime, ...rest } = await encoderOptions(RUNTIME_OPTIONS, options, folder);
  return createEncoder(runtime, await readContents(folder, rest.model), rest);
}
