import { ArcwiseError } from "@arcwise/core/errors";
import { loadAs, readFileAs, readModelBytes } from "@arcwise/core/node";
import { loadGraphDecoder } from "@arcwise/graph-parser/node";
import { predictedColumns } from "@arcwise/parser";
import { decoderNames, type SearchOptions } from "@arcwise/parser/decoding";
import { loadDecoder, loadTreeFeatures } from "@arcwise/parser/node";
import { createTagger } from "@arcwise/sequence";
import type { TokenizerOptions } from "@arcwise/tokenize";
import type { AnalysisPipeline } from "../assemble.ts";
import { analysisOf } from "../elsewhere.ts";
import { decoderFamily, modelParts, type PipelineModel, type PipelinePart } from "../model-parts.ts";
import { createPipeline, loadPipeline, type PipelineOptions } from "../pipeline.ts";

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

/** Makes a pipeline of files in this thread. Throws as `openPipeline`. */
export async function loadFiles(files: PipelineFiles): Promise<AnalysisPipeline> {
  const { model: path, tagger: other } = files;
  const { model, tagger } = loadAs(path, files.bytes ?? (await readModelBytes(path)), (bytes) => {
    const required = files.parts ?? [];
    const { parts } = modelParts(
      bytes,
      required.filter((part) => part !== "tagger"),
    );
    const loaded = loadPipeline(bytes, files.parts);
    // A network alone tags by itself.
    if (loaded.parser === undefined || predictedColumns(loaded.parser).length === 0)
      modelParts(bytes, required);
    return { model: loaded, tagger: parts.tagger };
  });
  const options = { ...(await optionsOf(files)), tokenizer: files.tokenizer, valid: files.valid };
  if (other === undefined) return made(path, model, options);
  const otherTagger = await readFileAs(other, (bytes) => modelParts(bytes, ["tagger"]).parts.tagger!);
  // The tagger of the model itself, from whatever file, is corrected by its network.
  const isOwn = tagger !== undefined && equal(tagger, otherTagger);
  const taggerModel = loadPipeline(otherTagger).tagger!;
  if (isOwn) return made(path, { ...model, tagger: taggerModel }, options);
  return made(path, model, { ...options, tagger: createTagger(taggerModel) });
}

/** Makes a pipeline; what is wrong with its options names the model. */
function made(path: string, model: PipelineModel, options: PipelineOptions): AnalysisPipeline {
  try {
    return analysisOf(createPipeline(model, options));
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
  const { decoder: name, global, restarts, exact, seconds } = files;
  const search = { restarts, exact, seconds };
  const family = decoderFamily(files);
  const isBuiltIn = name === undefined || decoderNames(family, "parsing").includes(name);
  if (family === "graphs")
    return { graphs: { ...search, decoder: isBuiltIn ? name : await loadGraphDecoder(name) } };
  const decoder = isBuiltIn ? name : await loadDecoder(name);
  return {
    parser: { ...search, decoder, global: global === undefined ? undefined : await loadTreeFeatures(global) },
  };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
