import type { Encoder } from "@arcwise/core/encoders";
import {
  accepting,
  anyOf,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  having,
  type OptionsOf,
} from "@arcwise/core/options";
import { createParser, loadParser, type ParserOptions } from "@arcwise/parser/parse";
import { loadTagger } from "@arcwise/sequence";
import { loadTokenizer } from "@arcwise/tokenize";
import { anObject, assemblePipeline, COMMON_OPTIONS, off, type Pipeline, parseStep } from "../assemble.ts";
import { type EncodedPipeline, encodedPipeline } from "../encoded-pipeline.ts";
import { PARTS, type PipelineModel, type PipelinePart, readParts } from "../model-parts.ts";
import { type GraphStep, givenGraphs, type ParseStep, type TreeFunction } from "../steps.ts";

const OPTIONS = defineOptions({
  ...COMMON_OPTIONS,
  parser: {
    required: true,
    check: anyOf(off, accepting<TreeFunction>(callback), accepting<ParseStep | ParserOptions>(anObject)),
    help: "`{ decoder }` for the model's parser, a parser, or a function from words to a tree; false: no trees",
  },
  graphs: {
    check: having<GraphStep>("a graph parser", "parse"),
    help: "finds the graph of DEPS",
    defaultHelp: "DEPS stay as they are",
  },
});

/** Options of `createPipeline`. */
export interface RunPipelineOptions extends Omit<OptionsOf<typeof OPTIONS>, "encoder"> {}

/**
 * Makes a pipeline of a model and a decoder: the `createPipeline` of `@arcwise/pipeline`, without its built-in
 * decoders and its graph parsers.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`, and what `createTokenizer` and the `createParser` of
 *   `@arcwise/parser/parse` throw
 */
export function createPipeline(
  model: Partial<PipelineModel>,
  options: RunPipelineOptions & { readonly encoder: Encoder },
): EncodedPipeline;
export function createPipeline(model: Partial<PipelineModel>, options: RunPipelineOptions): Pipeline;
export function createPipeline(
  model: Partial<PipelineModel>,
  options: RunPipelineOptions & { readonly encoder?: Encoder | undefined },
): Pipeline | EncodedPipeline {
  checkArgument(anObject, model, "createPipeline: model");
  const given = checkOptions(OPTIONS, options, "createPipeline");
  const pipeline = assemblePipeline(
    model,
    given,
    parseStep(model, given.parser, given, createParser),
    given.graphs && givenGraphs(given.graphs),
  );
  return given.encoder === undefined ? pipeline : encodedPipeline(pipeline, given.encoder);
}

/**
 * Reads the tokeniser, the tagger and the parser of a model file; a part `graphs` is left out. Whether a decoder
 * scores the parts of the parser is checked by `createPipeline`.
 *
 * @param only the parts to read; default: all
 * @throws ArcwiseError `invalid-argument` when `bytes` are not bytes, such as the name of a file
 * @throws ModelError when the bytes are not a model, are damaged, cut short, or of a newer version
 */
export function loadPipeline(bytes: Uint8Array, only: readonly PipelinePart[] = PARTS): PipelineModel {
  return readParts(bytes, { tokenizer: loadTokenizer, tagger: loadTagger, parser: loadParser }, only);
}
