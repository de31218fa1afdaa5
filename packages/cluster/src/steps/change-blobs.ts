import { ModelError } from "@arcwise/core/container";
import type { RoundKind, RoundState, RoundSummary, ShardCounts } from "./round-state.ts";

interface Header {
  readonly kind: RoundKind;
  readonly epoch: number;
  readonly steps: number;
  readonly shards: readonly ShardCounts[];
  /** Number of weights that changed. */
  readonly changes: number;
  /** Number of weights of a whole state, of which those that are 0 are left out. Absent: changes of a state. */
  readonly dimension?: number | undefined;
}

/**
 * The changes of a sparse learner, which has no memory, or the weights of a state that are not 0. The vectors of the
 * state have an entry for each change, or for each weight.
 */
export interface Changes extends RoundState {
  readonly changed: Int32Array;
  readonly dimension?: number | undefined;
}

const MAGIC = new TextEncoder().encode("arcwise+");
/** Offset of the JSON text. */
const JSON_START = MAGIC.length + 4;
/** Most bytes of a difference. */
const MAX_VARINT = 5;

/** Memory for bytes that are encoded again and again: memory that is new each time costs more time than encoding. */
export class ByteBuffer {
  #bytes = new Uint8Array(0);

  /** Returns bytes of any content, at offset 0 of their memory. Those before are overwritten. */
  take(length: number): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(Math.ceil(1.5 * length));
    return this.#bytes.subarray(0, length);
  }
}

/**
 * Returns the bytes of changes: a step writes and reads tens of thousands, in less time than it learns them. Where
 * the state has memory, it is not written.
 *
 *     8 bytes  "arcwise+"
 *     u32      length of the JSON text in bytes, little-endian
 *     JSON     the header
 *     zeros    to a multiple of 4 bytes
 *     f32      values, then weighted, an entry each for each change
 *     varints  differences of the weights, seven bits to a byte, low bits first
 *
 * @param memory where the bytes are written; default: new memory
 */
export function encodeChanges(
  kind: RoundKind,
  { state, changed, shards, dimension }: Changes,
  memory = new ByteBuffer(),
): Uint8Array {
  const { epoch, steps, values, weighted } = state;
  const changes = changed.length;
  const header: Header = { kind, epoch, steps, shards, changes, dimension };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = floatsFrom(json.length);
  const bytes = memory.take(start + 8 * changes + MAX_VARINT * changes);
  bytes.set(MAGIC);
  const view = new DataView(bytes.buffer);
  view.setUint32(MAGIC.length, json.length, true);
  bytes.fill(0, JSON_START + json.length, start);
  bytes.set(json, JSON_START);
  writeEntries(values, changed, new Float32Array(bytes.buffer, start, changes));
  writeEntries(weighted, changed, new Float32Array(bytes.buffer, start + 4 * changes, changes));
  const length = writeDifferences(changed, bytes, start + 8 * changes);
  return bytes.subarray(0, length);
}

/** Returns whether bytes begin as `encodeChanges` writes them. */
export function isChanges(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, k) => bytes[k] === byte);
}

/**
 * Reads what `encodeChanges` wrote of the shards, in less time than the changes.
 *
 * @throws as `decodeChanges`
 */
export function summaryOfChanges(expected: RoundKind, bytes: Uint8Array): RoundSummary {
  const { shards, dimension } = readHeader(expected, bytes).header;
  return { shards, isSparse: dimension === undefined };
}

/** Reads changes of `encodeChanges`. @throws ModelError when they are another kind */
export function decodeChanges(expected: RoundKind, bytes: Uint8Array): Changes {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const { buffer, byteOffset } = aligned;
  const { header, start } = readHeader(expected, aligned);
  const { epoch, steps, shards, changes, dimension } = header;
  const floats = (offset: number) => new Float32Array(buffer as ArrayBuffer, byteOffset + offset, changes);
  const values = floats(start);
  const weighted = floats(start + 4 * changes);
  const changed = readDifferences(changes, aligned, start + 8 * changes);
  return { state: { epoch, steps, values, weighted }, changed, shards, dimension };
}

/** Returns the header, and the offset of the first value. */
function readHeader(
  expected: RoundKind,
  bytes: Uint8Array,
): { readonly header: Header; readonly start: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const jsonLength = view.getUint32(MAGIC.length, true);
  const json = new TextDecoder().decode(bytes.subarray(JSON_START, JSON_START + jsonLength));
  const header = JSON.parse(json) as Header;
  if (header.kind !== expected) throw new ModelError(`expected a ${expected}, found a ${header.kind}`);
  return { header, start: floatsFrom(jsonLength) };
}

function floatsFrom(jsonLength: number): number {
  return Math.ceil((JSON_START + jsonLength) / 4) * 4;
}

/** Writes the entries of some weights, of a vector that has only these, or one of all weights. */
function writeEntries(vector: Float32Array, weights: Int32Array, target: Float32Array): void {
  if (vector.length === weights.length) target.set(vector);
  else for (let k = 0; k < weights.length; k++) target[k] = vector[weights[k]!]!;
}

/** Writes the differences of ascending integers; returns the offset after them. */
function writeDifferences(integers: Int32Array, bytes: Uint8Array, from: number): number {
  let offset = from;
  let last = 0;
  for (let k = 0; k < integers.length; k++) {
    let difference = integers[k]! - last;
    last = integers[k]!;
    if (difference < 0) throw new RangeError(`expected ascending weights, got ${last} after a greater one`);
    for (; difference > 127; difference >>>= 7) bytes[offset++] = (difference & 127) | 128;
    bytes[offset++] = difference;
  }
  return offset;
}

function readDifferences(count: number, bytes: Uint8Array, from: number): Int32Array<ArrayBuffer> {
  const integers = new Int32Array(count);
  let offset = from;
  let last = 0;
  for (let k = 0; k < count; k++) {
    let byte = bytes[offset++]!;
    let difference = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[offset++]!;
      difference |= (byte & 127) << shift;
    }
    last += difference;
    integers[k] = last;
  }
  return integers;
}
