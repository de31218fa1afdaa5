import { readModelPart } from "@arcwise/pipeline/node";
import { createTagger, type Tagger } from "@arcwise/sequence";

/** Returns the tagger of a model file. @throws ModelError that names the file when it has no sound tagger */
export async function loadTaggerFile(path: string): Promise<Tagger> {
  return createTagger(await readModelPart(path, "tagger"));
}
