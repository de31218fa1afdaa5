import { type ConlluSentence, parseConllu, writeConllu } from "@arcwise/conllu";
import { integer, oneOf, optional, record, string } from "@arcwise/core/options";
import type { AnalysisPipeline } from "@arcwise/pipeline";
import { tokenizedSentence } from "@arcwise/tokenize";
import { readBytes } from "../blobs/contents.ts";
import { blobName, type Hash, outputName } from "../blobs/hash.ts";
import { readDataOutput, writeDataOutput } from "../blobs/outputs.ts";
import type { ReadOptions, Store } from "../blobs/store.ts";
import type { LoadedModel } from "./loaded-model.ts";

/** What a chunk is: CoNLL-U, text with blank lines between paragraphs, or text of which each line ends a sentence. */
export type ChunkFormat = "conllu" | "text" | "lines";

/** Settings of the step `parse-chunk`. */
export interface ChunkSettings {
  /** Name of the bytes of a model file. */
  readonly model: Hash;
  /** Name of the chunk. */
  readonly chunk: Hash;
  readonly format: ChunkFormat;
  /** Whether words keep the tags that they have. */
  readonly tags: "given" | "predicted";
}

/** Accepts settings of the step. */
export const CHUNK_SETTINGS = record<ChunkSettings>({
  model: blobName,
  chunk: blobName,
  format: oneOf("conllu", "text", "lines"),
  tags: oneOf("given", "predicted"),
});

/** What became of a chunk. */
export interface ParsedChunk {
  /** CoNLL-U, in the order of the chunk, without the sentences that could not be parsed. */
  readonly text: string;
  readonly sentences: number;
  readonly words: number;
  /** Sentences that could not be parsed. */
  readonly failed: number;
  /** Why the chunk has no sentences; absent where it could be read. */
  readonly error?: string | undefined;
}

/** Returns the name of the output of the step. */
export function chunkName({ model, chunk, tags, format }: ChunkSettings): Hash {
  return outputName("parse-chunk", { tags, format }, [model, chunk]);
}

const count = integer(0);
const PARSED_CHUNK = record<ParsedChunk>({
  text: string,
  sentences: count,
  words: count,
  failed: count,
  error: optional(string),
});

/** Reads the output of the step. @throws ArcwiseError `missing-blob`; DamagedBlob */
export function readChunk(
  store: Store,
  settings: ChunkSettings,
  reading: ReadOptions = {},
): Promise<ParsedChunk> {
  const what = "a parsed chunk";
  return readDataOutput(store, { ...reading, name: chunkName(settings), what, check: PARSED_CHUNK });
}

/** Parses a chunk, and writes the result. A chunk that is no CoNLL-U has no sentences, and says why. */
export async function parseChunk(
  store: Store,
  models: LoadedModel,
  settings: ChunkSettings,
  reading: ReadOptions,
): Promise<void> {
  const paragraphs = settings.format === "lines" ? "line" : "blank-line";
  const pipeline = await models.pipeline(settings.model, reading, paragraphs);
  const chunk = { name: settings.chunk, what: "a chunk of sentences", isPacked: true };
  const bytes = await readBytes(store, { ...reading, ...chunk });
  const parsed = parsedChunk(pipeline, Buffer.from(bytes).toString("utf8"), settings);
  await writeDataOutput(store, chunkName(settings), parsed);
}

function parsedChunk(pipeline: AnalysisPipeline, text: string, { tags, format }: ChunkSettings): ParsedChunk {
  let sentences: ConlluSentence[];
  try {
    sentences = format === "conllu" ? parseConllu(text) : cutText(pipeline, text);
  } catch (error) {
    return { text: "", sentences: 0, words: 0, failed: 0, error: (error as Error).message };
  }
  const { results } = pipeline.analyse(
    sentences.map((sentence) => ({ sentence })),
    { tags },
  );
  const parsed = results.flatMap((result) => result.sentences ?? []);
  const words = parsed.flatMap(({ rows }) => rows).filter(({ kind }) => kind === "word").length;
  const failed = results.filter((result) => result.sentences === undefined).length;
  return { text: writeConllu(parsed), sentences: parsed.length, words, failed };
}

/** Returns the sentences of a text, numbered from 1. */
function cutText(pipeline: AnalysisPipeline, text: string): ConlluSentence[] {
  const session = pipeline.session();
  return [...session.push(text), ...session.end()].map((sentence, k) => tokenizedSentence(sentence, k + 1));
}
