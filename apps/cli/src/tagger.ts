import { readFile } from "node:fs/promises";
import type { ConlluSentence, Row } from "@arcwise/conllu";
import type { Sentence } from "@arcwise/core";
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

/** A copy of a sentence with the columns of a tagger replaced in its words; what is empty becomes `_`. */
export function withTags(sentence: ConlluSentence, words: Sentence, { columns }: Tagger): ConlluSentence {
  let i = 0;
  const rows: Row[] = sentence.rows.map((row) => {
    if (row.kind !== "word") return row;
    const copy = { ...row };
    const word = words[i++]!;
    for (const column of columns) copy[column] = word[column] || "_";
    return copy;
  });
  return { ...sentence, rows };
}
