import { createReadStream } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Interrupted, inFile } from "../command/errors.ts";
import { displayName, type Io } from "./io.ts";
import { printLine } from "./printable.ts";

/** The first bytes of gzip data. No UTF-8 text begins with them. */
const GZIP = [0x1f, 0x8b];

/** Printed where the standard input is typed. */
export const TYPED = `reading from the terminal: ${process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D"} ends the input`;

/**
 * The bytes of a file, or of the standard input for `-`; unpacked when its name ends with `.gz` or it begins
 * as gzip data does. Memory: a few chunks of 64 KB.
 */
export async function* readBytes(io: Io, path: string): AsyncGenerator<Uint8Array> {
  if (path === "-" && io.stdin.isTTY === true) printLine(io, `arcwise: ${TYPED}`);
  const source = addAbortSignal(io.signal, path === "-" ? io.stdin : createReadStream(path));
  try {
    yield* unpacked(source, path.endsWith(".gz"));
  } catch (error) {
    if (io.signal.aborted) throw new Interrupted("stopped");
    throw inFile(error, displayName(path));
  }
}

/**
 * Reads chunks until a function returns a value for the bytes so far; returns that value, and all bytes.
 *
 * @param find called after each chunk, and at the end of the source with `isWhole`
 */
export async function readBeginning<Found>(
  source: AsyncIterable<Uint8Array>,
  find: (beginning: Uint8Array, isWhole: boolean) => Found | undefined,
): Promise<{ readonly found: Found | undefined; bytes(): AsyncGenerator<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]();
  let beginning: Uint8Array = new Uint8Array(0);
  let found: Found | undefined;
  for (let isWhole = false; found === undefined && !isWhole; ) {
    const next = await chunks.next();
    if (next.done !== true) beginning = Buffer.concat([beginning, next.value]);
    isWhole = next.done === true;
    found = find(beginning, isWhole);
  }
  async function* bytes() {
    if (beginning.length > 0) yield beginning;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  return { found, bytes };
}

/** The chunks of a stream; unpacked when `packed` says so, or else the first bytes. */
async function* unpacked(source: Readable, packed: boolean): AsyncGenerator<Uint8Array> {
  const chunks = bytesOf(source);
  const first = await chunks.next();
  if (first.done) {
    // An empty file is not a gzip file.
    if (packed) yield* gunzipped(chunks);
    return;
  }
  const all = startingWith(first.value, chunks);
  yield* packed || GZIP.every((byte, i) => first.value[i] === byte) ? gunzipped(all) : all;
}

/** The chunks of a stream as bytes; the first one has at least two, if there are as many. */
async function* bytesOf(source: Readable): AsyncGenerator<Uint8Array> {
  let first: Uint8Array = new Uint8Array(0);
  let begun = false;
  for await (const chunk of source) {
    const bytes: Uint8Array = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (begun) {
      yield bytes;
      continue;
    }
    first = Buffer.concat([first, bytes]);
    if (first.length < GZIP.length) continue;
    begun = true;
    yield first;
  }
  if (!begun && first.length > 0) yield first;
}

async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unpacker = createGunzip();
  // A failure to read reaches the reader of the unpacked stream, which reports it.
  pipeline(chunks, unpacker).catch((error: Error) => unpacker.destroy(error));
  return unpacker;
}
