import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Encoder } from "@arcwise/core/encoders";
import { ArcwiseError, invalidArgument } from "@arcwise/core/errors";
import {
  anyOf,
  checkArgument,
  defineOptions,
  path as isPath,
  joinOptions,
  type OptionsOf,
  oneOf,
} from "@arcwise/core/options";
import { createEncoder } from "../encoder.ts";
import { type EncoderFolder, readContents } from "../files.ts";
import { ENCODER_OPTIONS, encoderOptions, runtimeModule } from "../options.ts";
import { loadRuntime } from "./load-runtime.ts";

const OPTIONS = joinOptions(
  ENCODER_OPTIONS,
  defineOptions({
    runtime: {
      check: anyOf(runtimeModule, oneOf("native", "wasm")),
      help: "what runs the graph: onnxruntime-node (native), onnxruntime-web (wasm), or one of their modules",
      defaultHelp: "native if onnxruntime-node is installed, wasm otherwise",
      programmatic: true,
    },
  }),
);

/** Options of `onnxEncoder` in Node. */
export interface FolderEncoderOptions extends OptionsOf<typeof OPTIONS> {}

/**
 * Loads a BERT-like model in ONNX as an encoder from a folder with model.onnx, tokenizer.json and, if it has them,
 * tokenizer_config.json, config.json, and encoder.json with options. The vector of a word is the mean over its pieces and over several layers.
 *
 * @throws ArcwiseError `invalid-data` that names a file that is missing, is not JSON, or that the tokeniser or the runtime
 *   refuses; `invalid-option`, for outputs that the graph does not have with a list of those that it has;
 *   `invalid-module` with the command that installs a runtime
 *
 * @example
 * const encoder = await onnxEncoder("encoders/minilm-en");
 * const [vectors] = await encoder.encode([["Cats", "sleep"]]); // 2 x encoder.width numbers
 */
export async function onnxEncoder(folder: string | URL, options?: FolderEncoderOptions): Promise<Encoder> {
  if (!(folder instanceof URL)) checkArgument(isPath, folder, "onnxEncoder: folder");
  else if (folder.protocol !== "file:")
    throw invalidArgument("onnxEncoder: folder", "a path or a URL of a file", folder.href);
  const path = folder instanceof URL ? fileURLToPath(folder) : folder;
  const files: EncoderFolder = { path, read: (name) => readExisting(join(path, name)) };
  const { runtime: wanted, ...rest } = await encoderOptions(OPTIONS, options, files);
  const contents = await readContents(files, rest.model);
  const { runtime, isNative } = await loadRuntime(wanted);
  // A native runtime opens the graph by itself, together with the files of weights that it names.
  const graph = isNative ? { path: join(path, rest.model) } : {};
  return createEncoder(runtime, { ...contents, ...graph, name: basename(resolve(path)) }, rest);
}

async function readExisting(path: string) {
  try {
    return { bytes: await readFile(path), source: path };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ArcwiseError("invalid-data", `${path}: cannot be read: ${(cause as Error).message}`, {
      file: path,
      cause,
    });
  }
}
