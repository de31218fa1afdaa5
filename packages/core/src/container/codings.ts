/**
 * How a file stores the entries of a vector; the writer takes the one with the fewest bytes.
 *
 * - sparse: for each entry that is not zero the number of zeros before it and its value
 * - plain: all values
 * - ascending: for each integer its distance from the one before, the first from -2^31
 * - entropy: see `entropy.ts`
 * - runs: see `runs.ts`
 *
 * Numbers of zeros and distances are varints: 7 bits a byte, low bits first. Values are little-endian.
 */
import { decodeEntropy, encodeEntropy } from "./entropy.ts";
import { ModelError } from "./model-error.ts";
import type { FilePieces } from "./pieces.ts";
import { decodeRuns, encodeRuns } from "./runs.ts";
import { placeOf, type Section, VECTORS, type Vector } from "./sections.ts";

/** A vector whose coding is chosen, to be written as a section of a file. */
export interface EncodedVector extends FilePieces, Pick<Section, "type" | "entries" | "coding"> {}

/** Chooses the coding of a vector, which is written later: it must not change until then. O(entries). */
export function encodeVector(vector: Vector): EncodedVector {
  const of = (coding: Section["coding"], bytes: number, pieces: EncodedVector["pieces"]): EncodedVector => ({
    type: typeOf(vector),
    entries: vector.length,
    coding,
    bytes,
    pieces,
  });
  const sparse = sparseSize(vector);
  const plain = vector.byteLength;
  if (vector instanceof Int8Array && plain > 0) {
    const coding = mostlyZeros(vector) ? "runs" : "entropy";
    const body = coding === "runs" ? encodeRuns(vector) : encodeEntropy(vector);
    if (body.length < sparse) return of(coding, body.length, () => [body]);
  }
  const ascending = vector instanceof Int32Array ? ascendingSize(vector) : Infinity;
  if (vector instanceof Int32Array && ascending < Math.min(sparse, plain))
    return of("ascending", ascending, () => ascendingPieces(vector));
  if (plain < sparse) return of("plain", plain, () => plainPieces(vector));
  return of("sparse", sparse, () => sparsePieces(vector));
}

/**
 * Decodes a vector. O(entries).
 *
 * @param kind of the file, for messages
 * @param into zeros of the section's type and number of entries; absent: they are allocated
 */
export function decodeVector(bytes: Uint8Array, section: Section, kind: string, into?: Vector): Vector {
  const { type, entries, coding } = section;
  const error = (what: string) => new ModelError(`${placeOf(section.name, kind)} ${what}`);
  const vector = into ?? new VECTORS[type](entries);
  if (coding === "entropy" || coding === "runs") {
    const decode = coding === "runs" ? decodeRuns : decodeEntropy;
    if (!decode(bytes, vector as Int8Array)) throw error("cannot be decoded");
  } else if (coding === "ascending") readAscending(bytes, vector, error);
  else if (coding === "plain") readPlain(bytes, vector, error);
  else readSparse(bytes, vector, error);
  return vector;
}

/** Makes the error of a section that is not as expected. */
type SectionError = (what: string) => ModelError;

/** The bytes of a section, read one number after the other. */
class Source {
  offset = 0;
  readonly #bytes: Uint8Array;
  readonly #error: SectionError;

  constructor(bytes: Uint8Array, error: SectionError) {
    this.#bytes = bytes;
    this.#error = error;
  }

  get done(): boolean {
    return this.offset >= this.#bytes.length;
  }

  varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.offset++] ?? 256;
    if (byte < 128) return byte;
    let value = 0;
    for (let factor = 1; ; byte = bytes[this.offset++] ?? 256) {
      if (byte === 256 || factor > 2 ** 28) throw this.#error("ends within a number");
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }
}

function typeOf(vector: Vector): Section["type"] {
  if (vector instanceof Int8Array) return "int8";
  if (vector instanceof Int32Array) return "int32";
  return vector instanceof Float32Array ? "float32" : "float64";
}

function mostlyZeros(vector: Int8Array): boolean {
  let zeros = 0;
  for (let i = 0; i < vector.length; i++) if (vector[i] === 0) zeros++;
  return 2 * zeros > vector.length;
}

function varintSize(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}

/** Writes a varint; returns the offset after it. */
function writeVarint(bytes: Uint8Array, from: number, value: number): number {
  let offset = from;
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes[offset++] = (rest & 127) | 128;
  bytes[offset++] = rest;
  return offset;
}

function writeValue(view: DataView, offset: number, type: Section["type"], value: number): void {
  if (type === "int8") view.setInt8(offset, value);
  else if (type === "int32") view.setInt32(offset, value, true);
  else if (type === "float32") view.setFloat32(offset, value, true);
  else view.setFloat64(offset, value, true);
}

function sparseSize(vector: Vector): number {
  const width = vector.BYTES_PER_ELEMENT;
  let bytes = 0;
  let gap = 0;
  for (let i = 0; i < vector.length; i++) {
    if (vector[i] === 0) gap++;
    else {
      bytes += (gap < 128 ? 1 : varintSize(gap)) + width;
      gap = 0;
    }
  }
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Number of bytes of a piece, at most. */
const PIECE = 2 ** 16;
/** Number of bytes of a varint and a value, at most. */
const LARGEST = 5 + 8;

function* sparsePieces(vector: Vector): Generator<Uint8Array> {
  const bytes = new Uint8Array(PIECE);
  const view = viewOf(bytes);
  const type = typeOf(vector);
  let offset = 0;
  let gap = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i];
    if (value === 0) {
      gap++;
      continue;
    }
    offset = writeVarint(bytes, offset, gap);
    writeValue(view, offset, type, value);
    offset += vector.BYTES_PER_ELEMENT;
    gap = 0;
    if (offset <= PIECE - LARGEST) continue;
    yield bytes.subarray(0, offset);
    offset = 0;
  }
  yield bytes.subarray(0, offset);
}

function readSparse(bytes: Uint8Array, vector: Vector, error: SectionError): void {
  const source = new Source(bytes, error);
  const view = viewOf(bytes);
  const type = typeOf(vector);
  const width = vector.BYTES_PER_ELEMENT;
  let index = 0;
  while (!source.done) {
    index += source.varint();
    if (index >= vector.length || source.offset + width > bytes.length)
      throw error(`goes beyond its ${vector.length} entries`);
    vector[index++] = readValue(view, source.offset, type, error);
    source.offset += width;
  }
}

function readValue(view: DataView, offset: number, type: Section["type"], error: SectionError): number {
  if (type === "int8") return view.getInt8(offset);
  if (type === "int32") return view.getInt32(offset, true);
  const value = type === "float32" ? view.getFloat32(offset, true) : view.getFloat64(offset, true);
  if (!Number.isFinite(value)) throw error(`has an entry that is ${value}`);
  return value;
}

function* plainPieces(vector: Vector): Generator<Uint8Array> {
  const width = vector.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(PIECE);
  const view = viewOf(bytes);
  const type = typeOf(vector);
  for (let first = 0; first < vector.length; first += PIECE / width) {
    const count = Math.min(PIECE / width, vector.length - first);
    for (let i = 0; i < count; i++) writeValue(view, i * width, type, vector[first + i]);
    yield bytes.subarray(0, count * width);
  }
}

/** Whether this machine stores numbers as files do. */
const IS_LITTLE_ENDIAN = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

function readPlain(bytes: Uint8Array, vector: Vector, error: SectionError): void {
  if (bytes.length !== vector.byteLength)
    throw error(`has ${bytes.length} bytes for ${vector.length} entries`);
  if (IS_LITTLE_ENDIAN) new Uint8Array(vector.buffer, vector.byteOffset, bytes.length).set(bytes);
  else {
    const view = viewOf(bytes);
    const type = typeOf(vector);
    const width = vector.BYTES_PER_ELEMENT;
    for (let i = 0; i < vector.length; i++) vector[i] = readValue(view, i * width, type, error);
  }
  if (vector instanceof Int8Array || vector instanceof Int32Array) return;
  const wrong = vector.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw error(`has an entry that is ${vector[wrong]}`);
}

/** Number of bytes of ascending integers; Infinity where one is below the one before. */
function ascendingSize(vector: Int32Array): number {
  let bytes = 0;
  let before = -(2 ** 31);
  for (let i = 0; i < vector.length; i++) {
    if (vector[i] < before) return Infinity;
    bytes += varintSize(vector[i] - before);
    before = vector[i];
  }
  return bytes;
}

function* ascendingPieces(vector: Int32Array): Generator<Uint8Array> {
  const bytes = new Uint8Array(PIECE);
  let offset = 0;
  let before = -(2 ** 31);
  for (let i = 0; i < vector.length; i++) {
    offset = writeVarint(bytes, offset, vector[i] - before);
    before = vector[i];
    if (offset <= PIECE - LARGEST) continue;
    yield bytes.subarray(0, offset);
    offset = 0;
  }
  yield bytes.subarray(0, offset);
}

function readAscending(bytes: Uint8Array, vector: Vector, error: SectionError): void {
  let value = -(2 ** 31);
  let offset = 0;
  for (let i = 0; i < vector.length; i++) {
    let byte = bytes[offset++];
    let distance = byte & 127;
    // A byte beyond the end is undefined: no number ends there.
    for (let factor = 128; !(byte < 128); factor *= 128) {
      byte = bytes[offset++];
      if (offset > bytes.length || factor > 2 ** 28) throw error("ends within a number");
      distance += (byte & 127) * factor;
    }
    value += distance;
    if (value >= 2 ** 31) throw error("has an entry that is not a 32-bit integer");
    vector[i] = value;
  }
  if (offset < bytes.length) throw error(`goes beyond its ${vector.length} entries`);
}
