import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import {
  type EncodeOptions,
  type Encoder,
  encodeChecked,
  fromHalves,
  identityOf,
  MAX_ENCODER_WIDTH,
  requireEncoder,
  toHalves,
} from "@arcwise/core/encoders";
import { writeWhole } from "@arcwise/core/node";
import { checkArgument, integer, path as isPath, list, record, refuse, string } from "@arcwise/core/options";
import { DataFile, firstLine } from "./data-file.ts";

/** Numbers of the vectors that wait to be written, and milliseconds that they wait at most: a killed process loses them. */
const MAX_WAITING = 2 ** 22;
const MAX_TIME = 5000;

/** The header of a file of vectors, a line of JSON before the 16-bit floats. */
interface Header {
  readonly fingerprint: string;
  readonly width: number;
  /** Hash of the words, number of words and checksum of the vectors of each sentence, in their order. */
  readonly sentences: readonly (readonly [hash: string, words: number, checksum: number])[];
}

/** Where the vectors of a sentence are. */
interface Place {
  readonly file: DataFile;
  /** Index of the first number in the file, and number of numbers. */
  readonly from: number;
  readonly length: number;
  readonly checksum: number;
}

/**
 * Returns an encoder that keeps the vectors of another one in a folder, as 16-bit floats: a sentence of the same words is
 * encoded once, whatever process or training asks for it. Files are written completely or not at all, at least every 5
 * seconds and when it is closed, and damaged ones are not used. The folder has a subfolder for each encoder, and can be
 * removed at any time. 2 bytes per number.
 *
 * @throws ArcwiseError `invalid-encoder`, `invalid-argument`; the error of the file system if the folder cannot be written
 *
 * @example
 * const train = async (encoder: Encoder) => {
 *   const kept = keptVectors(encoder, "cache/vectors");
 *   return trainPipeline(treebank, { encoder: kept }).finally(() => kept.close());
 * };
 */
export function keptVectors(encoder: Encoder, folder: string): Encoder & { close(): Promise<void> } {
  requireEncoder(encoder, "keptVectors: encoder");
  checkArgument(isPath, folder, "keptVectors: folder");
  const kept = new KeptVectors(encoder, join(folder, folderOf(encoder)));
  return {
    ...identityOf(encoder),
    encode: async (sentences, options) => {
      checkArgument(list(list(string)), sentences, "encode: sentences");
      return kept.encode(sentences, options);
    },
    close: () => kept.close(),
  };
}

/** Returns the name of the subfolder of an encoder. */
function folderOf({ name, width, fingerprint }: Encoder): string {
  const hash = createHash("sha256").update(`${width} ${fingerprint}`).digest("hex").slice(0, 16);
  return `${name.replace(/[^\w.-]/g, "_").slice(0, 60)}-${hash}`;
}

class KeptVectors {
  readonly #encoder: Encoder;
  readonly #folder: string;
  /** Known sentences by the hash of their words. */
  #places: Promise<Map<string, Place>> | undefined;
  /** Vectors that are not written yet. */
  #waiting = new Map<string, Uint16Array>();
  #since = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(encoder: Encoder, folder: string) {
    this.#encoder = encoder;
    this.#folder = folder;
  }

  async encode(
    sentences: readonly (readonly string[])[],
    { signal }: EncodeOptions = {},
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const places = await this.#known();
    const hashes = sentences.map(hashOf);
    const known = new Map<string, Uint16Array>();
    for (const hash of hashes) {
      if (known.has(hash)) continue;
      const vectors = this.#waiting.get(hash) ?? (await readPlace(places.get(hash)));
      if (vectors !== undefined) known.set(hash, vectors);
    }
    const distinct = new Map(hashes.map((hash, s) => [hash, sentences[s]!]));
    const missing = [...distinct].filter(([hash]) => !known.has(hash));
    if (missing.length > 0) {
      const found = await encodeChecked(
        this.#encoder,
        missing.map(([, words]) => words),
        { signal },
      );
      for (const [k, [hash]] of missing.entries()) known.set(hash, toHalves(found[k]!));
      await this.#keep(missing.map(([hash]) => [hash, known.get(hash)!] as const));
    }
    return hashes.map((hash) => fromHalves(known.get(hash)!));
  }

  #known(): Promise<Map<string, Place>> {
    this.#places ??= this.#open();
    return this.#places;
  }

  async close(): Promise<void> {
    await this.#write();
    const places = (await this.#places)?.values() ?? [];
    for (const file of new Set([...places].map((place) => place.file))) await file.close();
    await this.#encoder.close?.();
  }

  async #keep(vectors: readonly (readonly [hash: string, vectors: Uint16Array])[]): Promise<void> {
    if (this.#waiting.size === 0) this.#since = performance.now();
    for (const [hash, own] of vectors) this.#waiting.set(hash, own);
    const numbers = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    if (numbers > MAX_WAITING || performance.now() - this.#since > MAX_TIME) await this.#write();
  }

  /** Writes what waits into a file of its own. */
  #write(): Promise<void> {
    const write = async () => {
      const places = await this.#known();
      const waiting = [...this.#waiting];
      if (waiting.length === 0) return;
      this.#since = performance.now();
      const path = join(this.#folder, `${randomUUID()}.vectors`);
      const { width, fingerprint } = this.#encoder;
      const checksums = waiting.map(([, vectors]) => checksumOf(vectors));
      const header: Header = {
        fingerprint,
        width,
        sentences: waiting.map(([hash, { length }], k) => [hash, length / width, checksums[k]!]),
      };
      const first = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
      await mkdir(this.#folder, { recursive: true });
      await writeWhole(path, Buffer.concat([first, ...waiting.map(([, vectors]) => bytesOf(vectors))]));
      addPlaces(places, new DataFile(path, first.length), header);
      for (const [hash] of waiting) this.#waiting.delete(hash);
    };
    this.#written = this.#written.then(write);
    return this.#written;
  }

  /** Reads the headers of all files. */
  async #open(): Promise<Map<string, Place>> {
    const places = new Map<string, Place>();
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((own) => own.endsWith(".vectors")).sort()) {
      const path = join(this.#folder, name);
      const found = await readHeader(path, this.#encoder);
      if (found === undefined) continue;
      addPlaces(places, new DataFile(path, found.length), found.header);
    }
    return places;
  }
}

function addPlaces(places: Map<string, Place>, file: DataFile, { width, sentences }: Header): void {
  let from = 0;
  for (const [hash, words, checksum] of sentences) {
    const length = words * width;
    places.set(hash, { file, from, length, checksum });
    from += length;
  }
}

/** Returns the vectors of a sentence; undefined if they cannot be read, or are damaged. */
async function readPlace(place: Place | undefined): Promise<Uint16Array | undefined> {
  if (place === undefined) return undefined;
  const { file, from, length, checksum } = place;
  const bytes = await file.read(2 * from, 2 * length).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const vectors = new Uint16Array(bytes.buffer, bytes.byteOffset, length);
  return checksumOf(vectors) === checksum ? vectors : undefined;
}

/** Maximum length of the first line of a file. */
const MAX_HEADER = 2 ** 26;

/** Reads the header of a file, and its length; undefined for any other file. */
async function readHeader(
  path: string,
  { width, fingerprint }: Encoder,
): Promise<{ readonly header: Header; readonly length: number } | undefined> {
  try {
    const line = await firstLine(path, MAX_HEADER);
    const header = JSON.parse(new TextDecoder().decode(line)) as Header;
    HEADER(header, path);
    return header.width === width && header.fingerprint === fingerprint
      ? { header, length: line.length }
      : undefined;
  } catch {
    return undefined;
  }
}

const HEADER = record<Header>({
  fingerprint: string,
  width: integer(1, MAX_ENCODER_WIDTH),
  sentences: list(tuple),
});

function tuple(value: unknown, at: string): void {
  if (!Array.isArray(value) || value.length !== 3) refuse(at, "a hash and two numbers", value);
  string(value[0], at);
  for (const number of value.slice(1)) integer(0, 2 ** 32)(number, at);
}

/** Returns the hash of the words of a sentence. */
export function hashOf(words: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(words)).digest("base64").slice(0, 22);
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint16Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function checksumOf(vectors: Uint16Array): number {
  return crc32(bytesOf(vectors));
}
