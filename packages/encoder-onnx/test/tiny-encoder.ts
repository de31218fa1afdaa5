/* An encoder of random weights with the files and names of a real one, small enough to be made by a test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { random } from "@arcwise/core";
import { type ConstantFacts, modelBytes, type NodeFacts, rawBytes, type ValueFacts } from "./onnx-builder.ts";

/** What differs between encoders. */
export interface TinyOptions {
  readonly seed?: number;
  readonly width?: number;
  readonly layers?: number;
  /** Type of the inputs. */
  readonly type?: "int32" | "int64";
  /** Further inputs: "position_ids" is added to the embeddings, others are not used. */
  readonly inputs?: readonly string[];
  /** Rounds the embeddings by the maximum of the whole batch, as dynamic quantisation does. */
  readonly isRounded?: boolean;
  /** Hidden states are named by their layer, or the last one is the only output. */
  readonly names?: "layers" | "last";
  /** Adds the outputs "scores" with a width of 3 and "pooled" without words. */
  readonly hasHeads?: boolean;
  /** Embeddings are stored in model.onnx_data. */
  readonly isExternal?: boolean;
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const WORDS = ["the", "cat", "i", "saw", "is", "sleep", "##ing", "##s", "dog", ".", ",", "!"];
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const VOCABULARY = [...SPECIAL, ...WORDS, ...LETTERS, ...LETTERS.map((letter) => `##${letter}`)].filter(
  (piece, i, all) => all.indexOf(piece) === i,
);

/** The tokeniser: WordPiece of lower-cased words, as BERT has it. */
export const TINY_TOKENIZER = {
  version: "1.0",
  added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true, normalized: false })),
  normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
    ],
    pair: [],
    special_tokens: {},
  },
  decoder: { type: "WordPiece", prefix: "##" },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(VOCABULARY.map((piece, id) => [piece, id])),
  },
};
const TOKENIZER_CONFIG = { unk_token: "[UNK]", pad_token: "[PAD]", model_max_length: 64 };
const CONFIG = { model_type: "bert", max_position_embeddings: 64, pad_token_id: 0 };

/** Returns the files of an encoder, by their names. */
export function tinyEncoder(options: TinyOptions = {}): Record<string, Uint8Array<ArrayBuffer>> {
  const text = (value: object) => new TextEncoder().encode(JSON.stringify(value));
  return {
    ...tinyGraph(options),
    "tokenizer.json": text(TINY_TOKENIZER),
    "tokenizer_config.json": text(TOKENIZER_CONFIG),
    "config.json": text(CONFIG),
  };
}

/** Writes an encoder into a folder. @returns the folder */
export function writeTinyEncoder(folder: string, options: TinyOptions = {}): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(tinyEncoder(options))) writeFileSync(join(folder, name), bytes);
  return folder;
}

/** Each layer scales its input, adds the mean over the words that the mask shows, and applies tanh. */
function tinyGraph(options: TinyOptions): Record<string, Uint8Array<ArrayBuffer>> {
  const { seed = 1, width = 8, layers = 6, type = "int64", names = "layers", inputs = [] } = options;
  const rows = ["batch", "sequence"];
  const declared = ["input_ids", "attention_mask", "token_type_ids", ...inputs];
  const constants = tinyConstants(seed, width, layers);
  const states = Array.from({ length: layers + 1 }, (_, n) => `hidden_states.${n}`);
  const nodes = [...embeddingNodes(options), ...states.slice(1).flatMap((_, n) => layerNodes(n + 1))];
  const last = states.at(-1)!;
  const outputs: ValueFacts[] = (names === "layers" ? states : [last]).map((name) => ({
    name: names === "layers" ? name : "last_hidden_state",
    type: "float32",
    dims: [...rows, width],
  }));
  if (names === "last") nodes.push({ op: "Identity", inputs: [last], outputs: ["last_hidden_state"] });
  if (options.hasHeads) {
    nodes.push({ op: "MatMul", inputs: [last, "heads"], outputs: ["scores"] });
    nodes.push({
      op: "ReduceMean",
      inputs: [last],
      outputs: ["pooled"],
      attributes: { axes: [1], keepdims: 0 },
    });
    outputs.push({ name: "scores", type: "float32", dims: [...rows, 3] });
    outputs.push({ name: "pooled", type: "float32", dims: ["batch", width] });
  }
  const [embeddings, ...others] = constants;
  const file = "model.onnx_data";
  const model = modelBytes({
    nodes,
    constants: options.isExternal
      ? [{ ...embeddings!, external: { file, offset: 0 } }, ...others]
      : constants,
    inputs: declared.map((name) => ({ name, type, dims: rows })),
    outputs,
  });
  return {
    "model.onnx": model,
    ...(options.isExternal && { [file]: Uint8Array.from(rawBytes(embeddings!)) }),
  };
}

function tinyConstants(seed: number, width: number, layers: number): ConstantFacts[] {
  const stream = random(seed);
  const drawn = (name: string, ...dims: number[]): ConstantFacts => {
    const size = dims.reduce((a, b) => a * b);
    return { name, dims, values: Float32Array.from({ length: size }, () => 2 * stream.next() - 1) };
  };
  const axis = (name: string, value: bigint): ConstantFacts => ({
    name,
    dims: [1],
    values: BigInt64Array.of(value),
  });
  return [
    drawn("embeddings", VOCABULARY.length, width),
    drawn("types", 2, width),
    drawn("positions", 80, width),
    drawn("heads", width, 3),
    ...Array.from({ length: layers }, (_, n) => drawn(`scale.${n + 1}`, width)),
    axis("sequence axis", 1n),
    axis("width axis", 2n),
  ];
}

function embeddingNodes({ inputs = [], isRounded = false }: TinyOptions): NodeFacts[] {
  const hasPositions = inputs.includes("position_ids");
  const sum = isRounded ? "exact" : "hidden_states.0";
  return [
    { op: "Gather", inputs: ["embeddings", "input_ids"], outputs: ["words"] },
    { op: "Gather", inputs: ["types", "token_type_ids"], outputs: ["typed"] },
    { op: "Add", inputs: ["words", "typed"], outputs: [hasPositions ? "unplaced" : sum] },
    ...(hasPositions
      ? [
          { op: "Gather", inputs: ["positions", "position_ids"], outputs: ["placed"] },
          { op: "Add", inputs: ["unplaced", "placed"], outputs: [sum] },
        ]
      : []),
    ...(isRounded
      ? [
          { op: "DynamicQuantizeLinear", inputs: [sum], outputs: ["rounded", "step", "zero"] },
          { op: "DequantizeLinear", inputs: ["rounded", "step", "zero"], outputs: ["hidden_states.0"] },
        ]
      : []),
    { op: "Cast", inputs: ["attention_mask"], outputs: ["shown"], attributes: { to: 1 } },
    { op: "Unsqueeze", inputs: ["shown", "width axis"], outputs: ["mask"] },
    { op: "ReduceSum", inputs: ["mask", "sequence axis"], outputs: ["count"], attributes: { keepdims: 1 } },
  ];
}

function layerNodes(n: number): NodeFacts[] {
  const before = `hidden_states.${n - 1}`;
  return [
    { op: "Mul", inputs: [before, "mask"], outputs: [`masked.${n}`] },
    {
      op: "ReduceSum",
      inputs: [`masked.${n}`, "sequence axis"],
      outputs: [`sum.${n}`],
      attributes: { keepdims: 1 },
    },
    { op: "Div", inputs: [`sum.${n}`, "count"], outputs: [`mean.${n}`] },
    { op: "Mul", inputs: [before, `scale.${n}`], outputs: [`scaled.${n}`] },
    { op: "Add", inputs: [`scaled.${n}`, `mean.${n}`], outputs: [`total.${n}`] },
    { op: "Tanh", inputs: [`total.${n}`], outputs: [`hidden_states.${n}`] },
  ];
}
