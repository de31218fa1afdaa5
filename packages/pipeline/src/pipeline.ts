import { writeBundle } from "@arcwise/core/container";
import type { Encoder } from "@arcwise/core/encoders";
import {
  accepting,
  anyOf,
  callback,
  checkArgument,
  checkOptions,
  defineOptions,
  type OptionsOf,
} from "@arcwise/core/options";
import {
  createGraphParser,
  type GraphParserOptions,
  loadGraphParser,
  saveGraphParser,
} from "@arcwise/graph-parser";
import { createParser, loadParser, type ParserOptions, saveParser } from "@arcwise/parser";
import { loadTagger, saveTagger } from "@arcwise/sequence";
import { loadTokenizer, saveTokenizer } from "@arcwise/tokenize";
import { anObject, assemblePipeline, COMMON_OPTIONS, off, type Pipeline, parseStep } from "./assemble.ts";
import { type EncodedPipeline, encodedPipeline } from "./encoded-pipeline.ts";
import {
  aModel,
  aModelWithSteps,
  PARTS,
  PIPELINE,
  type PipelineModel,
  type PipelinePart,
  readParts,
} from "./model-parts.ts";
import { type GraphStep, givenGraphs, type ParseStep, type TreeFunction } from "./steps.ts";

/** The options of `createPipeline`. */
export const PIPELINE_OPTIONS = defineOptions({
  ...COMMON_OPTIONS,
  parser: {
    check: anyOf(off, accepting<TreeFunction>(callback), accepting<ParseStep | ParserOptions>(anObject)),
    help: "a parser, a function from words to a tree, or options of the model's parser; false: no trees",
  },
  graphs: {
    check: anyOf(off, accepting<GraphStep | GraphParserOptions>(anObject)),
    help: "a graph parser, or options of the model's; false: DEPS stay as they are",
  },
});

/**
 * Steps that replace steps of a model, and their options.
 *
 * @example
 * const options: PipelineOptions = { parser: false };
 * const tagged = createPipeline(model, options).run("Dogs bark."); // tags, no trees
 */
export interface PipelineOptions extends Omit<OptionsOf<typeof PIPELINE_OPTIONS>, "encoder"> {}

/**
 * Makes a pipeline of the steps that a model has, or others in their place. With an encoder, its methods return promises.
 *
 * @throws ArcwiseError `unknown-option`, `invalid-option`; `missing-encoder` when the model was trained with another encoder,
 *   or without one; and what `createTokenizer`, `createParser` and `createGraphParser` throw
 *
 * @example
 * const nlp = createPipeline(model); // of load() of @arcwise/english, loadPipeline or trainPipeline
 * for (const { words } of nlp.run("Dogs bark.")) console.log(words.map(({ form, deprel }) => `${form}/${deprel}`)); // …
 */
export function createPipeline(
  model: Partial<PipelineModel>,
  options: PipelineOptions & { readonly encoder: Encoder },
): EncodedPipeline;
export function createPipeline(model: Partial<PipelineModel>, options?: PipelineOptions): Pipeline;
export function createPipeline(
  model: Partial<PipelineModel>,
  options: PipelineOptions & { readonly encoder?: Encoder | undefined } = {},
): Pipeline | EncodedPipeline {
  checkArgument(aModel, model, "createPipeline: model");
  const given = checkOptions(PIPELINE_OPTIONS, options, "createPipeline");
  const parser = parseStep(model, given.parser ?? {}, given, createParser);
  const pipeline = assemblePipeline(model, given, parser, graphsStep(model, given.graphs));
  return given.encoder === undefined ? pipeline : encodedPipeline(pipeline, given.encoder);
}

/** Makes the graph step of a model. */
function graphsStep(
  { graphs }: Partial<PipelineModel>,
  given: GraphStep | GraphParserOptions | false | undefined,
): GraphStep | undefined {
  if (given === false) return undefined;
  if (given !== undefined && "parse" in given) return givenGraphs(given);
  return graphs && createGraphParser(graphs, given);
}

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
