import type { BlockSplitter } from "./blocks.ts";

/** What can be read: chunks of UTF-8 bytes, or of text. Node streams and web streams both are. */
export type Source =
  | AsyncIterable<Uint8Array | string>
  | Iterable<Uint8Array | string>
  | ReadableStream<Uint8Array | string>;

const LINE_FEED = 10;
/** No UTF-16 code unit takes more bytes of UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * The text of a source. Bytes are decoded up to the last line end that has arrived, so that a fault in the
 * encoding can be told by its line.
 *
 * @throws ConlluError when bytes are not UTF-8, or a line without end exceeds the splitter's limit
 */
export async function* textChunks(source: Source, splitter: BlockSplitter): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (bytes: Uint8Array) => decodeLines(bytes, decoder, splitter);
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(source)) {
    if (typeof chunk === "string") {
      // Only a source that mixes both kinds has bytes before a text.
      if (length > 0) yield decode(join(pending, length));
      pending = [];
      length = 0;
      yield chunk;
      continue;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      pending.push(chunk.subarray(0, end));
      const whole = pending.length === 1 ? pending[0]! : join(pending, length + end);
      pending = [];
      length = 0;
      yield decode(whole);
    }
    if (end === chunk.length) continue;
    // A copy, because the producer may fill its buffer again.
    pending.push(chunk.slice(end));
    length += chunk.length - end;
    if (length > BYTES_PER_UNIT * splitter.maxLineLength) splitter.refuseLine();
  }
  if (length > 0) yield decode(join(pending, length));
}

function decodeLines(bytes: Uint8Array, decoder: TextDecoder, splitter: BlockSplitter): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return refuseBytes(bytes, decoder, splitter);
  }
}

/** Finds the line of the fault by decoding line by line. */
function refuseBytes(bytes: Uint8Array, decoder: TextDecoder, splitter: BlockSplitter): never {
  let from = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? bytes.length : end));
    } catch {
      return splitter.refuseEncoding(line);
    }
    from = end + 1;
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The chunks of a source; web streams that are not iterable (Safari's) are read by a reader. */
async function* chunksOf(source: Source): AsyncGenerator<Uint8Array | string> {
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
