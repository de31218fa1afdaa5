import type { Sentence } from "@arcwise/core";
import type { GraphTrainOptions } from "@arcwise/graph-parser";
import { readWordVectors, type TrainOptions, type WordVectors } from "@arcwise/parser";
import { checkInterrupt } from "../errors.ts";
import { checkLineLength, readBytes } from "../files/input.ts";
import { displayName, type Io } from "../files/io.ts";
import type { WordVectorFile } from "../settings/vector-file.ts";

/**
 * Returns the options of a parser with the vectors of a file for its network. Without a file the options
 * themselves.
 */
export async function withWordVectors<Options extends Pick<TrainOptions, "network"> | GraphTrainOptions>(
  io: Io,
  settings: Options,
  vectors: WordVectorFile | undefined,
  sentences: readonly Sentence[],
): Promise<Options> {
  if (vectors === undefined) return settings;
  const { file, limit, minPrefix } = vectors;
  const read = await readVectors(io, file, sentences, limit);
  return { ...settings, network: { ...settings.network, vectors: { ...read, beginnings: minPrefix } } };
}

/** Reads the vectors of the words of sentences, and of the most frequent others. */
async function readVectors(
  io: Io,
  path: string,
  sentences: readonly Sentence[],
  limit: number | undefined,
): Promise<WordVectors> {
  const forms = new Set(sentences.flatMap((sentence) => sentence.map(({ form }) => form)));
  for (const form of [...forms]) forms.add(form.toLowerCase());
  return readWordVectors(linesOf(io, path), {
    source: displayName(path),
    keep: (word) => forms.has(word),
    most: limit,
  });
}

/** Yields the lines of a file; stores a piece of it. */
export async function* linesOf(io: Io, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 1;
  for await (const bytes of readBytes(io, path)) {
    checkInterrupt(io);
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    line += lines.length;
    checkLineLength(rest.length, displayName(path), line);
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
