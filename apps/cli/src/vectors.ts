import { readWordVectors, type TrainingExample, WordVectorError, type WordVectors } from "@arcwise/parser";
import { DataError } from "./errors.ts";
import { readBytes } from "./input.ts";
import { checkInterrupt } from "./interruption.ts";
import { displayName, type Io } from "./io.ts";

/**
 * Reads a file of word vectors: those of the words of the examples, and of the most frequent others.
 *
 * @throws DataError with file and line when it is none
 */
export async function readVectors(
  io: Io,
  path: string,
  examples: readonly TrainingExample[],
): Promise<WordVectors> {
  const forms = new Set(examples.flatMap(({ sentence }) => sentence.map(({ form }) => form)));
  for (const form of [...forms]) forms.add(form.toLowerCase());
  try {
    const keep = (word: string) => forms.has(word);
    return await readWordVectors(linesOf(io, path), { source: displayName(path), keep });
  } catch (error) {
    throw error instanceof WordVectorError ? new DataError(error.message, { cause: error }) : error;
  }
}

/** The lines of a file, a piece of it in memory at a time. @throws Interrupted */
async function* linesOf(io: Io, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of readBytes(io, path)) {
    checkInterrupt(io);
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
