import { createTagger, loadTagger, type Tagger, type TaggerModel } from "@arcwise/sequence";
import { namingFile, readPart } from "./pipeline-part.ts";

/**
 * Reads the tagger of a tagger file or a pipeline file.
 *
 * @throws ModelError that names the file when it has no sound tagger, or a file error
 */
export async function readTaggerModel(path: string): Promise<TaggerModel> {
  const bytes = await readPart(path, "tagger");
  return namingFile(path, () => loadTagger(bytes));
}

/** The tagger of a file. Throws as `readTaggerModel`. */
export async function loadTaggerFile(path: string): Promise<Tagger> {
  return createTagger(await readTaggerModel(path));
}
