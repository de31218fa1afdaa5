import { ArcwiseError } from "@arcwise/core/errors";

/** The typed arrays that data may have. */
const ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
} as const;

type TypeName = keyof typeof ARRAYS;
type TypedArray = InstanceType<(typeof ARRAYS)[TypeName]>;

/** The member that stands for a typed array in JSON: its type and number of entries. */
const ARRAY = "$array";
/** Entries of an array begin at a multiple, as its type needs. */
const ALIGNED = 8;

/**
 * Encodes plain data: what JSON can represent, and typed arrays. The same data gives the same bytes on every
 * machine. Members that are undefined are left out.
 *
 *     u32     length of the JSON text in bytes, little-endian
 *     JSON    the data; a typed array is {"$array": [type, entries]}
 *     arrays  their entries, in the order of the JSON text, each after zeros to a multiple of 8 bytes
 */
export function encodeData(data: unknown): Uint8Array {
  const arrays: TypedArray[] = [];
  const text = JSON.stringify(data, function (this: Readonly<Record<string, unknown>>, key: string) {
    // The value itself, not what a `toJSON` of its own makes of it.
    const value = this[key];
    if (!ArrayBuffer.isView(value)) return checkPlain(key, value);
    const type = Object.entries(ARRAYS).find(([, made]) => value instanceof made)?.[0];
    if (type === undefined) throw notPlain(key);
    arrays.push(value as TypedArray);
    return { [ARRAY]: [type, (value as TypedArray).length] };
  });
  const json = new TextEncoder().encode(text);
  let length = 4 + json.length;
  const offsets = arrays.map(({ byteLength }) => {
    const offset = aligned(length);
    length = offset + byteLength;
    return offset;
  });
  const bytes = withLength(json, length);
  for (const [k, { buffer, byteOffset, byteLength }] of arrays.entries())
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offsets[k]);
  return bytes;
}

/** Returns `length` bytes that begin with JSON, after the number of its bytes. */
function withLength(json: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  return bytes;
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNED) * ALIGNED;
}

function checkPlain(key: string, value: unknown): unknown {
  const isPlain =
    typeof value === "number"
      ? Number.isFinite(value)
      : typeof value !== "object" ||
        value === null ||
        Array.isArray(value) ||
        [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain || typeof value === "function") throw notPlain(key);
  return value;
}

function notPlain(key: string): RangeError {
  return new RangeError(`${key}: expected plain data: what JSON can represent, and typed arrays`);
}

/** Returns the JSON text of encoded data without typed arrays; undefined if it has some. */
export function textOf(encoded: Uint8Array): string | undefined {
  const end = 4 + jsonLength(encoded);
  return end === encoded.length ? new TextDecoder().decode(encoded.subarray(4)) : undefined;
}

/** Returns the encoded data of a text of `textOf`. */
export function encodeText(text: string): Uint8Array {
  const json = new TextEncoder().encode(text);
  return withLength(json, 4 + json.length);
}

/** Returns whether most bytes of encoded data are text, which compression makes smaller. */
export function isText(encoded: Uint8Array): boolean {
  return 2 * jsonLength(encoded) > encoded.length;
}

function jsonLength({ buffer, byteOffset, byteLength }: Uint8Array): number {
  return new DataView(buffer, byteOffset, byteLength).getUint32(0, true);
}

/** Decodes data of `encodeData`. Arrays are views of the bytes where these are aligned. */
export function decodeData(bytes: Uint8Array): unknown {
  try {
    return decoded(bytes.byteOffset % ALIGNED === 0 ? bytes : new Uint8Array(bytes));
  } catch (cause) {
    throw new ArcwiseError("invalid-data", `expected data: ${(cause as Error).message}`, { cause });
  }
}

function decoded(bytes: Uint8Array): unknown {
  let end = 4 + jsonLength(bytes);
  if (end > bytes.length) throw new RangeError(`expected ${end} bytes, found ${bytes.length}`);
  const text = new TextDecoder().decode(bytes.subarray(4, end));
  // A function for each value makes parsing slower.
  if (!text.includes(ARRAY)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, ARRAY)) return value;
    const [type, entries] = (value as { readonly [ARRAY]: readonly [TypeName, number] })[ARRAY];
    if (!Object.hasOwn(ARRAYS, type)) throw new RangeError(`expected a typed array, found ${String(type)}`);
    const offset = aligned(end);
    end = offset + entries * ARRAYS[type].BYTES_PER_ELEMENT;
    if (!(Number.isInteger(entries) && entries >= 0 && end <= bytes.length))
      throw new RangeError(`expected an array of ${String(entries)} entries, found the end`);
    return new ARRAYS[type](bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, entries);
  });
}
