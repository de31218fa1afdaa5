import { readFileAs, writeWhole } from "@arcwise/core/node";
import { loadTagger, saveTagger, type TaggerModel } from "../tagging/tagger.ts";

/** Reads a file of a tagger. @throws ModelError that names the file when it is not a valid model */
export function readTaggerFile(path: string): Promise<TaggerModel> {
  return readFileAs(path, loadTagger);
}

/** Writes a file of a tagger completely or not at all, as `writeWhole`. */
export async function writeTaggerFile(path: string, model: TaggerModel): Promise<void> {
  await writeWhole(path, saveTagger(model));
}
