import { ConlluError, type ConlluSentence, RULES, readConllu } from "@arcwise/conllu";
import { checkInterrupt, DataError } from "../errors.ts";
import { readBytes } from "./input.ts";
import { displayName, type Io } from "./io.ts";

/** A sentence of an input. */
export interface ReadSentence<Sentence = ConlluSentence> {
  readonly sentence: Sentence;
  /** Name of the input in messages. */
  readonly file: string;
}

/** Reads the sentences of the bytes of a file. */
type Reader<Sentence> = (
  bytes: AsyncIterable<Uint8Array>,
  named: { readonly file: string },
) => AsyncIterable<Sentence>;

/** The sentences of files, one file after the other. */
export async function* sentencesBy<Sentence>(
  io: Io,
  paths: readonly string[],
  read: Reader<Sentence>,
): AsyncGenerator<ReadSentence<Sentence>> {
  for (const path of paths) {
    const file = displayName(path);
    for await (const sentence of read(readBytes(io, path), { file })) {
      checkInterrupt(io);
      yield { sentence, file };
    }
  }
}

/** The sentences of CoNLL-U files, one file after the other. @throws ConlluError, DataError, Interrupted */
export function readSentences(io: Io, paths: readonly string[]): AsyncGenerator<ReadSentence> {
  return sentencesBy(io, paths, readConllu);
}

/**
 * Returns an error of a sentence, with the name of the file and with its line counted from the beginning of the file; any
 * other error as it is.
 *
 * @param before lines of the file before the text of the sentence
 */
export function inSource(error: unknown, file: string, before = 0): unknown {
  if (!(error instanceof ConlluError)) return error;
  const { line, rule, sentence, expected, found } = error;
  const place = { file, line: line + before, sentence };
  return new ConlluError({ ...place, rule, says: RULES[rule].says, expected, found });
}

/** Runs a function on a sentence of a file. */
export function inFileOf<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw inSource(error, file);
  }
}

/** All sentences of a CoNLL-U file to evaluate. */
export async function evaluatedSentences(io: Io, path: string): Promise<ConlluSentence[]> {
  const sentences = await mapSentences(io, path, (sentence) => sentence);
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
  for await (const { sentence, file } of readSentences(io, [path]))
    all.push(inFileOf(file, () => take(sentence)));
  return all;
}
