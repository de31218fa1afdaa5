import { gunzipSync, gzipSync } from "node:zlib";
import { type ConlluSentence, parseConllu, writeConllu } from "@arcwise/conllu";
import { oneOf, record } from "@arcwise/core/options";
import type { Pipeline } from "@arcwise/pipeline";
import { tokenizedSentence } from "@arcwise/tokenize";
import { blobName, type Hash, hashOf, outputName } from "../blobs/hash.ts";
import { decodeData, encodeData } from "../blobs/plain-data.ts";
import { type ReadOptions, readBlob, type Store } from "../blobs/store.ts";
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

/** Writes bytes to a store under their hash, compressed where that is asked for; returns the hash. */
export async function writeBytes(store: Store, bytes: Uint8Array, isPacked: boolean): Promise<Hash> {
  const name = hashOf(bytes);
  if (!(await store.has(name))) await store.write(name, isPacked ? gzipSync(bytes, { level: 1 }) : bytes);
  return name;
}

/** Reads the output of the step. @throws ArcwiseError `missing-blob` */
export async function readChunk(store: Store, settings: ChunkSettings): Promise<ParsedChunk> {
  const bytes = await readBlob(store, chunkName(settings), "a parsed chunk");
  return decodeData(gunzipSync(bytes)) as ParsedChunk;
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
  const packed = await readBlob(store, settings.chunk, "a chunk of sentences", reading);
  const parsed = parsedChunk(pipeline, Buffer.from(gunzipSync(packed)).toString("utf8"), settings);
  await store.write(chunkName(settings), gzipSync(encodeData(parsed), { level: 1 }));
}

function parsedChunk(pipeline: Pipeline, text: string, { tags, format }: ChunkSettings): ParsedChunk {
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
function cutText(pipeline: Pipeline, text: string): ConlluSentence[] {
  const session = pipeline.session();
  return [...session.push(text), ...session.end()].map((sentence, k) => tokenizedSentence(sentence, k + 1));
}
