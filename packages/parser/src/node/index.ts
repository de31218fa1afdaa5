import { readFile } from "node:fs/promises";
import { ModelError } from "@arcwise/core/container";
import { type GraphModel, loadGraphModel, saveGraphModel } from "../graphs/graph-model.ts";
import { loadModel } from "../model/load-model.ts";
import { saveModel } from "../model/model.ts";
import type { ParserModel } from "../types.ts";
import { namedError, writeWhole } from "./files/replacement.ts";

export { DecoderModuleError, loadDecoder, loadGraphDecoder } from "./load-decoder.ts";
export { type ThreadedTrainOptions, trainParserOnThreads } from "./train.ts";
export { type ThreadedGraphTrainOptions, trainGraphParserOnThreads } from "./train-graphs.ts";
export { loadTreeFeatures } from "./tree-features.ts";

/** Reads a model file. @throws ModelError that names the file when it is not a valid model */
export function readModel(path: string): Promise<ParserModel> {
  return readWith(path, loadModel);
}

/** Reads a file of a graph model. @throws ModelError that names the file when it is not a valid model */
export function readGraphModel(path: string): Promise<GraphModel> {
  return readWith(path, loadGraphModel);
}

async function readWith<Model>(path: string, load: (bytes: Uint8Array) => Model): Promise<Model> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw namedError(error, path);
  });
  try {
    return load(bytes);
  } catch (error) {
    if (error instanceof ModelError) throw new ModelError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Writes a model file completely or not at all, as `writeWhole`. */
export async function writeModel(path: string, model: ParserModel): Promise<void> {
  await writeWhole(path, saveModel(model));
}

/** Writes a file of a graph model completely or not at all, as `writeWhole`. */
export async function writeGraphModel(path: string, model: GraphModel): Promise<void> {
  await writeWhole(path, saveGraphModel(model));
}
