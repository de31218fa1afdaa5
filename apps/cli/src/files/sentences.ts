import { type ConlluSentence, readConllu } from "@arcwise/conllu";
import { DataError } from "../command/errors.ts";
import { inSource } from "../in-source.ts";
import { checkInterrupt } from "../threads/interruption.ts";
import { readBytes } from "./input.ts";
import { displayName, type Io } from "./io.ts";

/** The sentences of a CoNLL-U file, one at a time. @throws ConlluError, DataError, Interrupted */
export async function* readSentences(io: Io, path: string): AsyncGenerator<ConlluSentence> {
  for await (const sentence of readConllu(readBytes(io, path), { file: displayName(path) })) {
    checkInterrupt(io);
    yield sentence;
  }
}

/** All sentences of a CoNLL-U file. */
export function allSentences(io: Io, path: string): Promise<ConlluSentence[]> {
  return mapSentences(io, path, (sentence) => sentence);
}

/** All sentences of a CoNLL-U file to evaluate. @throws DataError if the file is empty */
export async function evaluatedSentences(io: Io, path: string): Promise<ConlluSentence[]> {
  const sentences = await allSentences(io, path);
  requireSome(sentences, path, "to evaluate");
  return sentences;
}

/** @throws DataError if a file lacks sentences for a purpose, such as "to learn from" */
export function requireSome(sentences: readonly unknown[], path: string, purpose: string): void {
  if (sentences.length > 0) return;
  throw new DataError(`${displayName(path)}: expected sentences ${purpose}, found none`);
}

/** Returns the result of `take` for each sentence of a CoNLL-U file. Its ConlluErrors get the name of the file. */
export async function mapSentences<Data>(
  io: Io,
  path: string,
  take: (sentence: ConlluSentence) => Data,
): Promise<Data[]> {
  const all: Data[] = [];
  try {
    for await (const sentence of readSentences(io, path)) all.push(take(sentence));
  } catch (error) {
    throw inSource(error, displayName(path));
  }
  return all;
}
