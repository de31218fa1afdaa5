import { type ConlluSentence, readConllu } from "@arcwise/conllu";
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
export async function allSentences(io: Io, path: string): Promise<ConlluSentence[]> {
  const sentences: ConlluSentence[] = [];
  for await (const sentence of readSentences(io, path)) sentences.push(sentence);
  return sentences;
}
