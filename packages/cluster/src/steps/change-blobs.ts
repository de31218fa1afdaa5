import { crc32 } from "node:zlib";
import { ModelError } from "@arcwise/core/container";
import type { RoundKind, RoundState, ShardCounts } from "./round-state.ts";

interface Header {
  readonly kind: RoundKind;
  readonly epoch: number;
  readonly steps: number;
  readonly shards: readonly ShardCounts[];
  /** Number of weights that changed. */
  readonly changes: number;
}

/** The changes of a sparse learner, which has no memory. */
type Changes = RoundState & { readonly changed: Int32Array };

const MAGIC = new TextEncoder().encode("arcwise+");
/** Offset of what the checksum is of. */
const BODY = MAGIC.length + 4;
/** Most bytes of a difference. */
const MAX_VARINT = 5;

/**
 * Returns the bytes of changes: a step writes and reads tens of thousands, in less time than it learns them. Where
 * the state has memory, it is not written.
 *
 *     8 bytes  "arcwise+"
 *     u32      CRC-32 of all that follows, little-endian
 *     u32      length of the JSON text in bytes
 *     JSON     the header
 *     zeros    to a multiple of 4 bytes
 *     f32      values, then weighted, an entry each for each change
 *     varints  differences of the weights, seven bits to a byte, low bits first
 */
export function encodeChanges(kind: RoundKind, { state, changed, shards }: Changes): Uint8Array {
  const { epoch, steps, values, weighted } = state;
  const changes = changed.length;
  const header: Header = { kind, epoch, steps, shards, changes };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = floatsFrom(json.length);
  const bytes = new Uint8Array(start + 8 * changes + MAX_VARINT * changes);
  bytes.set(MAGIC);
  const view = new DataView(bytes.buffer);
  view.setUint32(BODY, json.length, true);
  bytes.set(json, BODY + 4);
  new Float32Array(bytes.buffer, start, changes).set(values);
  new Float32Array(bytes.buffer, start + 4 * changes, changes).set(weighted);
  const length = writeDifferences(changed, bytes, start + 8 * changes);
  const whole = bytes.subarray(0, length);
  view.setUint32(MAGIC.length, crc32(whole.subarray(BODY)), true);
  return whole;
}

/** Returns whether bytes begin like those of `encodeChanges`. */
export function isChanges(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, k) => bytes[k] === byte);
}

/** Reads changes of `encodeChanges`. @throws ModelError when they are another kind, or damaged */
export function decodeChanges(expected: RoundKind, bytes: Uint8Array): RoundState {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, length } = aligned;
  const view = new DataView(buffer, byteOffset, length);
  if (length < BODY + 4 || view.getUint32(MAGIC.length, true) !== crc32(aligned.subarray(BODY)))
    throw new ModelError(`damaged ${expected}: its checksum does not match its contents`);
  const jsonLength = view.getUint32(BODY, true);
  const json = new TextDecoder().decode(aligned.subarray(BODY + 4, BODY + 4 + jsonLength));
  const { kind, epoch, steps, shards, changes } = JSON.parse(json) as Header;
  if (kind !== expected) throw new ModelError(`expected a ${expected}, found a ${kind}`);
  const start = floatsFrom(jsonLength);
  const floats = (offset: number) => new Float32Array(buffer as ArrayBuffer, byteOffset + offset, changes);
  const values = floats(start);
  const weighted = floats(start + 4 * changes);
  const changed = readDifferences(changes, aligned, start + 8 * changes);
  return { state: { epoch, steps, values, weighted }, changed, shards };
}

function floatsFrom(jsonLength: number): number {
  return Math.ceil((BODY + 4 + jsonLength) / 4) * 4;
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
