import type { Hash } from "./blobs/hash.ts";
import type { Store } from "./blobs/store.ts";
import type { StepRunner } from "./runners/runner.ts";
import { stepOrder } from "./steps/order.ts";
import {
  type ChunkSettings,
  chunkName,
  type ParsedChunk,
  readChunk,
  writeBytes,
} from "./steps/parse-chunk.ts";

/** Options of `parseChunks`. */
export interface ParseChunksOptions {
  readonly store: Store;
  readonly runner: StepRunner;
  /** The bytes of a model file with a parser. */
  readonly model: Uint8Array;
  /** Whether words keep the tags that they have. Default: "given". */
  readonly tags?: ChunkSettings["tags"] | undefined;
  /** Number of chunks that are given to the runner at a time. Default: 64. */
  readonly atOnce?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The output of a chunk. */
export interface ChunkOutput extends ParsedChunk {
  /** The name of the chunk, which is the hash of its bytes. */
  readonly chunk: Hash;
}

/**
 * Parses chunks of CoNLL-U by a runner of steps, and yields their outputs in the order of the chunks. A chunk
 * that was parsed before, with the same model and the same store, is not parsed again. A chunk that is no CoNLL-U,
 * or that no worker can parse, yields an output with an error; the others go on.
 *
 * Memory: `atOnce` chunks.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function* parseChunks(
  chunks: AsyncIterable<string> | Iterable<string>,
  { store, runner, model, tags = "given", atOnce = 64, signal }: ParseChunksOptions,
): AsyncGenerator<ChunkOutput> {
  const name = await writeBytes(store, model, false);
  const running: Promise<ChunkOutput>[] = [];
  for await (const text of chunks) {
    signal?.throwIfAborted();
    const output = parseChunk(text, name);
    // Its error is thrown when its turn comes.
    output.catch(() => {});
    running.push(output);
    if (running.length >= atOnce) yield await running.shift()!;
  }
  for (const output of running) yield await output;

  async function parseChunk(text: string, modelName: Hash): Promise<ChunkOutput> {
    const chunk = await writeBytes(store, new TextEncoder().encode(text), true);
    const settings: ChunkSettings = { model: modelName, chunk, tags };
    const id = `p${chunkName(settings).slice(0, 24)}`;
    try {
      await runner.run({ id, steps: [], last: stepOrder("parse-chunk", settings) }, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      return { chunk, text: "", sentences: 0, words: 0, failed: 0, error: (error as Error).message };
    }
    return { chunk, ...(await readChunk(store, settings)) };
  }
}

/** Number of characters of a chunk by default: some thousand sentences. */
const CHUNK = 2 ** 20;

/**
 * Cuts CoNLL-U into chunks at empty lines, each of `size` characters or more, but the last. Memory: a chunk and a
 * piece.
 */
export async function* cutConllu(
  pieces: AsyncIterable<string> | Iterable<string>,
  size: number = CHUNK,
): AsyncGenerator<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    for (let end = cutAfter(text, size); end > 0; end = cutAfter(text, size)) {
      yield text.slice(0, end);
      text = text.slice(end);
    }
  }
  if (text !== "") yield text;
}

/** Returns the offset after the first empty line from `size` on; 0 when there is none yet. */
function cutAfter(text: string, size: number): number {
  if (text.length < size) return 0;
  // An empty line may also end with a carriage return.
  const search = /\n\r?\n/g;
  search.lastIndex = Math.max(0, size - 1);
  return search.test(text) ? search.lastIndex : 0;
}
