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
import { type FilePieces, joinPieces } from "./pieces.ts";
import { decodeRuns, encodeRuns } from "./runs.ts";
import { type Section, VECTORS, type Vector } from "./section-table.ts";

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
 * Returns a copy of a vector as a file stores it, which takes less memory where most entries are 0.
 * O(entries).
 */
export function packVector(vector: Vector): EncodedVector {
  const encoded = encodeVector(vector);
  const body = joinPieces(encoded);
  return { ...encoded, pieces: () => [body] };
}

/**
 * Decodes a vector. O(entries).
 *
 * @param kind of the file, for messages
 * @throws ModelError when the bytes are no vector of the section's type, coding and number of entries
 */
export function decodeVector(bytes: Uint8Array, section: Section, kind: string): Vector {
  const source = new Source(bytes, `damaged ${kind} file: section ${JSON.stringify(section.name)}`);
  const vector = new VECTORS[section.type](section.entries);
  if (section.coding === "entropy" || section.coding === "runs") {
    const decode = section.coding === "runs" ? decodeRuns : decodeEntropy;
    if (!decode(bytes, vector as Int8Array)) throw source.error("cannot be decoded");
  } else if (section.coding === "ascending") readAscending(source, vector);
  else if (section.coding === "plain") readPlain(source, section, vector);
  else readSparse(source, section, vector);
  return vector;
}

/** The bytes of a section, read one number after the other. */
class Source {
  readonly view: DataView;
  offset = 0;
  readonly #at: string;

  constructor(bytes: Uint8Array, at: string) {
    this.view = viewOf(bytes);
    this.#at = at;
  }

  get done(): boolean {
    return this.offset >= this.view.byteLength;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = !this.done && shift <= 28 ? this.view.getUint8(this.offset++) : -1;
      if (byte < 0) throw this.error("ends within a number");
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  value(type: Section["type"]): number {
    const { view, offset } = this;
    this.offset += VECTORS[type].BYTES_PER_ELEMENT;
    if (type === "int8") return view.getInt8(offset);
    if (type === "int32") return view.getInt32(offset, true);
    const value = type === "float32" ? view.getFloat32(offset, true) : view.getFloat64(offset, true);
    if (!Number.isFinite(value)) throw this.error(`has an entry that is ${value}`);
    return value;
  }

  error(what: string): ModelError {
    return new ModelError(`${this.#at} ${what}`);
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
    const value = vector[i]!;
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

function readSparse(source: Source, { type, entries }: Section, vector: Vector): void {
  const width = vector.BYTES_PER_ELEMENT;
  let index = 0;
  while (!source.done) {
    index += source.varint();
    if (index >= entries || source.offset + width > source.view.byteLength) {
      throw source.error(`goes beyond its ${entries} entries`);
    }
    vector[index++] = source.value(type);
  }
}

function* plainPieces(vector: Vector): Generator<Uint8Array> {
  const width = vector.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(PIECE);
  const view = viewOf(bytes);
  const type = typeOf(vector);
  for (let first = 0; first < vector.length; first += PIECE / width) {
    const count = Math.min(PIECE / width, vector.length - first);
    for (let i = 0; i < count; i++) writeValue(view, i * width, type, vector[first + i]!);
    yield bytes.subarray(0, count * width);
  }
}

function readPlain(source: Source, { type, entries }: Section, vector: Vector): void {
  if (source.view.byteLength !== vector.byteLength) {
    throw source.error(`has ${source.view.byteLength} bytes for ${entries} entries`);
  }
  for (let i = 0; i < entries; i++) vector[i] = source.value(type);
}

/** Number of bytes of ascending integers; Infinity where one is below the one before. */
function ascendingSize(vector: Int32Array): number {
  let bytes = 0;
  let before = -(2 ** 31);
  for (let i = 0; i < vector.length; i++) {
    if (vector[i]! < before) return Infinity;
    bytes += varintSize(vector[i]! - before);
    before = vector[i]!;
  }
  return bytes;
}

function* ascendingPieces(vector: Int32Array): Generator<Uint8Array> {
  const bytes = new Uint8Array(PIECE);
  let offset = 0;
  let before = -(2 ** 31);
  for (let i = 0; i < vector.length; i++) {
    offset = writeVarint(bytes, offset, vector[i]! - before);
    before = vector[i]!;
    if (offset <= PIECE - LARGEST) continue;
    yield bytes.subarray(0, offset);
    offset = 0;
  }
  yield bytes.subarray(0, offset);
}

function readAscending(source: Source, vector: Vector): void {
  let value = -(2 ** 31);
  for (let i = 0; i < vector.length; i++) {
    value += source.varint();
    if (value >= 2 ** 31) throw source.error("has an entry that is no 32-bit integer");
    vector[i] = value;
  }
  if (!source.done) throw source.error(`goes beyond its ${vector.length} entries`);
}
