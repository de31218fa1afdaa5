import type { Encoder } from "@arcwise/core/encoders";
import { checkOptions } from "@arcwise/core/options";
import { createEncoder } from "./encoder.ts";
import { type EncoderFiles, fetchContents } from "./files.ts";
import { type OnnxEncoderOptions, RUNTIME_OPTIONS } from "./options.ts";

export type { EncoderFile, EncoderFiles } from "./files.ts";
export { ENCODER_OPTIONS, type OnnxEncoderOptions } from "./options.ts";
export type { OnnxRuntime } from "./runtime.ts";

/**
 * Loads a BERT-like model in ONNX as an encoder, in a page or in any other engine: fetches its files, or takes them as bytes
 * or files that a user chose. The vector of a word is the mean over its pieces and over several layers.
 *
 * @param source the address of a folder with model.onnx, tokenizer.json and, if it has them, tokenizer_config.json and
 *   config.json; or the files of a folder, as an `<input type="file" webkitdirectory>` has them; or each file
 * @throws ArcwiseError `invalid-data` that names a file that is missing, is not JSON, or that the tokeniser or the runtime
 *   refuses; `invalid-option`, for outputs that the graph does not have with a list of those that it has;
 *   `insecure-context` in a page that was opened by http
 *
 * @example
 * import * as runtime from "onnxruntime-web/wasm";
 * const encoder = await onnxEncoder("/encoders/minilm-en", { runtime });
 * const [vectors] = await encoder.encode([["Cats", "sleep"]]); // 2 x encoder.width numbers
 */
export async function onnxEncoder(
  source: string | URL | EncoderFiles | readonly File[],
  options: OnnxEncoderOptions,
): Promise<Encoder> {
  const { runtime, ...rest } = checkOptions(RUNTIME_OPTIONS, options, "onnxEncoder");
  return createEncoder(runtime, await fetchContents(source, rest.model), rest);
}
