import { readFile } from "node:fs/promises";
import { ModelError } from "@arcwise/core/container";
import { createTagger, loadTagger, type Tagger, type TaggerModel } from "@arcwise/sequence";
import { inFile } from "./errors.ts";

/** Reads a tagger file. @throws ModelError that names the file when it is no sound tagger, or a file error */
export async function readTaggerModel(path: string): Promise<TaggerModel> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw inFile(error, path);
  });
  try {
    return loadTagger(bytes);
  } catch (error) {
    if (error instanceof ModelError) throw new ModelError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The tagger of a file. Throws as `readTaggerModel`. */
export async function loadTaggerFile(path: string): Promise<Tagger> {
  return createTagger(await readTaggerModel(path));
}
