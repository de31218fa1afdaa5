import { readFileAs, writeWhole } from "@arcwise/core/node";
import { type GraphModel, loadGraphModel, saveGraphModel } from "../graphs/graph-model.ts";
import { loadModel } from "../model/load-model.ts";
import { saveModel } from "../model/model.ts";
import type { ParserModel } from "../types.ts";

export { DecoderModuleError, loadDecoder, loadGraphDecoder } from "./load-decoder.ts";
export { type ThreadedTrainOptions, trainParserOnThreads } from "./train.ts";
export { type ThreadedGraphTrainOptions, trainGraphParserOnThreads } from "./train-graphs.ts";
export { loadTreeFeatures } from "./tree-features.ts";

/** Reads a model file. @throws ModelError that names the file when it is not a valid model */
export function readModel(path: string): Promise<ParserModel> {
  return readFileAs(path, loadModel);
}

/** Reads a file of a graph model. @throws ModelError that names the file when it is not a valid model */
export function readGraphModel(path: string): Promise<GraphModel> {
  return readFileAs(path, loadGraphModel);
}

/** Writes a model file completely or not at all, as `writeWhole`. */
export async function writeModel(path: string, model: ParserModel): Promise<void> {
  await writeWhole(path, saveModel(model));
}

/** Writes a file of a graph model completely or not at all, as `writeWhole`. */
export async function writeGraphModel(path: string, model: GraphModel): Promise<void> {
  await writeWhole(path, saveGraphModel(model));
}
