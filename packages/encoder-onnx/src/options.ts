import {
  type Complete,
  checkOptions,
  checkReceived,
  defineOptions,
  fileOptions,
  integer,
  joinOptions,
  list,
  mergeOptions,
  type OptionsOf,
  type OptionTable,
  oneOf,
  optionsOf,
  string,
  threadCount,
  withMembers,
} from "@arcwise/core/options";
import { type EncoderFolder, readOptionsFile } from "./files.ts";
import type { OnnxRuntime } from "./runtime.ts";

/** Accepts the module of a runtime. */
export const runtimeModule = withMembers<OnnxRuntime>(
  "the module onnxruntime-web or onnxruntime-node",
  "InferenceSession",
  "Tensor",
  "env",
);

/** The options of encoders in Node and in browsers. */
export const ENCODER_OPTIONS = defineOptions({
  name: {
    check: string,
    help: "name of the encoder, which models store",
    defaultHelp: "the last part of the folder's path",
  },
  model: {
    check: string,
    help: "path of the graph inside of the folder, such as onnx/model_quantized.onnx",
    default: "model.onnx",
  },
  layers: {
    check: list(integer(0)),
    help: "numbers of the hidden states whose mean is taken; 0 are the embeddings",
    defaultHelp: "from half of the layers to five sixths: 3 to 5 of 6, 6 to 10 of 12",
  },
  outputs: {
    check: list(string),
    help: "names of the outputs of the graph whose mean is taken, instead of layers",
    defaultHelp: "hidden_states.N of each layer, or last_hidden_state, or the only output",
  },
  pieces: {
    check: oneOf("mean", "first"),
    help: "the vector of a word: the mean of its pieces, or its first piece",
    default: "mean",
  },
  maxLength: {
    check: integer(8),
    help: "pieces per window, special tokens included; longer sentences are read in windows that overlap by half",
    defaultHelp: "the maximum of the model, at most 512",
  },
  batchTokens: {
    check: integer(1),
    help: "pieces per call of the graph, padding included; a graph that rounds a batch as a whole reads one window per call",
    default: 512,
  },
  device: {
    check: oneOf("cpu", "webgpu"),
    help: "where the graph runs; webgpu rounds differently",
    default: "cpu",
  },
  threads: { check: threadCount, help: "threads of the graph", default: 1 },
});

const RUNTIME_OPTIONS = joinOptions(
  ENCODER_OPTIONS,
  defineOptions({
    runtime: {
      check: runtimeModule,
      help: "the module that runs the graph: onnxruntime-web, one of its entries, or onnxruntime-node",
      required: true,
      programmatic: true,
    },
  }),
);

export { RUNTIME_OPTIONS };

/** Options of `onnxEncoder`. */
export interface OnnxEncoderOptions extends OptionsOf<typeof RUNTIME_OPTIONS> {}

/**
 * Checks options, and adds the options in the file encoder.json of the folder.
 *
 * @param table ENCODER_OPTIONS and more
 */
export async function encoderOptions<Table extends OptionTable<object>>(
  table: Table,
  given: OptionsOf<Table> | undefined,
  folder: EncoderFolder,
): Promise<Complete<Table>> {
  const checked = checkOptions(table, given, "onnxEncoder");
  const file = await readOptionsFile(folder);
  if (file === undefined) return checked;
  checkReceived(optionsOf(fileOptions(ENCODER_OPTIONS)), file.json, file.source);
  return checkOptions(table, mergeOptions<object>(table, file.json, given ?? {}), "onnxEncoder");
}
