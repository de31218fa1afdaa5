import { ModelError } from "@arcwise/core/container";
import { ArcwiseError } from "@arcwise/core/errors";
import { readFileAs } from "@arcwise/core/node";
import type { GraphParserOptions, ParserOptions } from "@arcwise/parser";
import { decoderNames, type SearchOptions } from "@arcwise/parser/decoding";
import { loadDecoder, loadGraphDecoder, loadTreeFeatures } from "@arcwise/parser/node";
import { createTagger } from "@arcwise/sequence";
import type { TokenizerOptions } from "@arcwise/tokenize";
import { loadPipeline, type PipelineModel } from "../model.ts";
import { lacking, modelParts, type PipelinePart } from "../model-parts.ts";
import { createPipeline, type Pipeline, type PipelineOptions } from "../pipeline.ts";

/** A pipeline of files. Plain data, which can be sent to other threads. */
export interface PipelineFiles extends SearchOptions {
  /** The model file. */
  readonly model: string;
  /** The parts to use; each must be there. Default: all that are there. */
  readonly parts?: readonly PipelinePart[] | undefined;
  /** The file of another tagger: of a tagger, or of a pipeline. */
  readonly tagger?: string | undefined;
  /** The decoder of trees: a name, or a module (`loadDecoder` of `@arcwise/parser/node`). */
  readonly decoder?: string | undefined;
  /** The decoder of graphs: a name, or a module. */
  readonly graphDecoder?: string | undefined;
  /** The module of features of whole trees that the model was trained with. */
  readonly global?: string | undefined;
  readonly tokenizer?: TokenizerOptions | undefined;
}

/**
 * Makes a pipeline of files.
 *
 * @throws ModelError that names the file when it is damaged, or lacks a part
 * @throws ArcwiseError `invalid-module`, `missing-decoder` and others that say why the files do not go together
 */
export async function openPipeline(files: PipelineFiles): Promise<Pipeline> {
  const { model: path, tagger: other } = files;
  const { model, tagger } = await readFileAs(path, (bytes) => {
    const { parts } = modelParts(bytes);
    for (const part of files.parts ?? []) {
      if (parts[part] === undefined) throw new ModelError(lacking(part, parts));
    }
    return { model: loadPipeline(bytes, files.parts), tagger: parts.tagger };
  });
  const options = { ...(await optionsOf(files)), tokenizer: files.tokenizer };
  if (other === undefined) return made(path, model, options);
  const found = await readFileAs(other, (bytes) => modelParts(bytes).parts);
  if (found.tagger === undefined) throw new ModelError(`${other}: ${lacking("tagger", found)}`);
  // The tagger of the model itself, from whatever file, is corrected by its network.
  const isOwn = tagger !== undefined && equal(tagger, found.tagger);
  const taggerModel = loadPipeline(found.tagger).tagger!;
  if (isOwn) return made(path, { ...model, tagger: taggerModel }, options);
  return made(path, model, { ...options, tagger: createTagger(taggerModel) });
}

/** Makes a pipeline; what is wrong with its options names the model. */
function made(path: string, model: PipelineModel, options: PipelineOptions): Pipeline {
  try {
    return createPipeline(model, options);
  } catch (error) {
    if (error instanceof ArcwiseError) {
      const { code, at, expected, found, message } = error;
      throw new ArcwiseError(code, `${path}: ${message}`, { at, expected, found, cause: error });
    }
    if (!(error instanceof RangeError)) throw error;
    throw new ArcwiseError("invalid-option", `${path}: ${error.message}`, { cause: error });
  }
}

async function optionsOf(files: PipelineFiles): Promise<PipelineOptions> {
  const { decoder, graphDecoder, global, restarts, exact, seconds } = files;
  const search = { restarts, exact, seconds };
  const isBuiltIn = (family: "trees" | "graphs", name: string | undefined): boolean =>
    name === undefined || decoderNames(family, "parsing").includes(name);
  const parser: ParserOptions = {
    ...search,
    decoder: isBuiltIn("trees", decoder) ? decoder : await loadDecoder(decoder!),
    global: global === undefined ? undefined : await loadTreeFeatures(global),
  };
  const graphs: GraphParserOptions = {
    ...(graphDecoder === undefined ? {} : search),
    decoder: isBuiltIn("graphs", graphDecoder) ? graphDecoder : await loadGraphDecoder(graphDecoder!),
  };
  return { parser, graphs };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
