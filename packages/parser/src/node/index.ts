import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { ModelError } from "../model/container.ts";
import { loadModel, saveModel } from "../model/model.ts";
import type { ParserModel } from "../types.ts";

export { type ThreadedTrainOptions, trainParserOnThreads } from "./train.ts";

/** Reads a model file. @throws ModelError that names the file when it is no sound model */
export async function readModel(path: string): Promise<ParserModel> {
  const bytes = await readFile(path);
  try {
    return loadModel(bytes);
  } catch (error) {
    if (error instanceof ModelError) throw new ModelError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Writes a model file: to a temporary file beside it, which then takes its name. */
export async function writeModel(path: string, model: ParserModel): Promise<void> {
  await writeWhole(path, saveModel(model));
}

/** Writes a file wholly or not at all: to a temporary file beside it, which then takes its name. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, bytes, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
