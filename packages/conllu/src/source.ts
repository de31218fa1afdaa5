import { describeValue, invalidArgument } from "@arcwise/core/errors";
import { satisfying } from "@arcwise/core/options";
import type { BlockSplitter } from "./blocks.ts";
import { wideOrder } from "./encoding.ts";
import { READ_LIMITS } from "./limits.ts";

/**
 * Readable input: UTF-8 bytes or text, whole or in chunks, such as Node streams and web streams.
 *
 * @example
 * const source: Source = createReadStream("train.conllu");
 * for await (const sentence of readConllu(source)) console.log(sentence.id);
 */
export type Source =
  | string
  | Uint8Array
  | AsyncIterable<Uint8Array | string>
  | Iterable<Uint8Array | string>
  | ReadableStream<Uint8Array | string>;

/** Accepts sources; what they yield is checked when it is read. */
export const sourceCheck = satisfying<Source>(
  "a string, bytes (Uint8Array), or an iterable, async iterable or stream of them",
  (value) => {
    if (typeof value !== "object" || value === null) return typeof value === "string";
    if (ArrayBuffer.isView(value)) return value instanceof Uint8Array;
    return Symbol.asyncIterator in value || Symbol.iterator in value || "getReader" in value;
  },
);

const LINE_FEED = 10;
/** Maximal number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/** Maximal number of bytes decoded at once, so that a whole file need not become one string. */
const PIECE = 2 ** 20;

/** Decodes chunks of bytes or text. */
export class ChunkDecoder {
  readonly #splitter: BlockSplitter;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #pending = new ByteBuffer();
  #begun = false;

  constructor(splitter: BlockSplitter) {
    this.#splitter = splitter;
  }

  /**
   * Yields the text of a chunk. Bytes are decoded up to the last line end that has arrived: that is several
   * times faster than streaming decoding, and errors can report the line of invalid bytes.
   */
  *push(chunk: Uint8Array | string): Generator<string> {
    const pending = this.#pending;
    if (typeof chunk === "string") {
      // Bytes precede text only in a source that mixes both.
      yield* this.end();
      yield chunk;
      return;
    }
    if (!(chunk instanceof Uint8Array))
      throw invalidArgument("source", "chunks of text or bytes (Uint8Array)", describeValue(chunk));
    for (let from = 0; from < chunk.length; from += PIECE) {
      const to = Math.min(from + PIECE, chunk.length);
      const end = Math.max(from, chunk.lastIndexOf(LINE_FEED, to - 1) + 1);
      pending.append(chunk, from, end);
      if (end > from) yield this.#decode();
      pending.append(chunk, end, to);
      if (pending.length > BYTES_PER_UNIT * READ_LIMITS.lineLength) this.#splitter.refuseLine();
    }
  }

  /** Yields the text of the bytes that remain. */
  *end(): Generator<string> {
    if (this.#pending.length > 0) yield this.#decode();
  }

  #decode(): string {
    const bytes = this.#pending.take();
    if (!this.#begun && wideOrder(bytes) !== undefined) this.#splitter.refuseEncoding(1, bytes);
    this.#begun = true;
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return refuseBytes(bytes, this.#decoder, this.#splitter);
    }
  }
}

/** Yields the text of a source. */
export async function* textChunks(source: Source, splitter: BlockSplitter): AsyncGenerator<string> {
  const decoder = new ChunkDecoder(splitter);
  for await (const chunk of chunksOf(source)) yield* decoder.push(chunk);
  yield* decoder.end();
}

/** Decodes line by line to find the line of invalid bytes, and throws. */
function refuseBytes(bytes: Uint8Array, decoder: TextDecoder, splitter: BlockSplitter): never {
  let line = 1;
  let from = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
    try {
      decoder.decode(bytes.subarray(from, end));
    } catch {
      break;
    }
    from = end + 1;
    line++;
  }
  return splitter.refuseEncoding(line, bytes);
}

/** Buffer of bytes up to the next line end. Grows by doubling. */
class ByteBuffer {
  length = 0;
  #bytes = new Uint8Array(2 ** 16);

  append(bytes: Uint8Array, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes.subarray(from, to), this.length);
    this.length = length;
  }

  /** Returns all bytes, valid until the next call of `append`, and empties the buffer. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return bytes;
  }
}

/** Yields the chunks of a source; uses a reader for web streams that are not iterable (Safari). */
export async function* chunksOf(source: Source): AsyncGenerator<Uint8Array | string> {
  if (typeof source === "string" || source instanceof Uint8Array) {
    yield source;
    return;
  }
  if (Symbol.asyncIterator in source || Symbol.iterator in source) {
    yield* source;
    return;
  }
  const reader = (source as ReadableStream<Uint8Array | string>).getReader();
  let done = false;
  try {
    for (;;) {
      const step = await reader.read();
      done = step.done;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    if (!done) await reader.cancel();
    reader.releaseLock();
  }
}
