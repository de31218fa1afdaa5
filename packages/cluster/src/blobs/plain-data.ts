import { ArcwiseError } from "@arcwise/core/errors";
import { anything, type Check, integer, list, oneOf, record } from "@arcwise/core/options";

/** The typed arrays that data may have, widest first, so that each begins where its entries need it to. */
const ARRAYS = [
  ["f64", Float64Array],
  ["f32", Float32Array],
  ["i32", Int32Array],
  ["u32", Uint32Array],
  ["u16", Uint16Array],
  ["i8", Int8Array],
  ["u8", Uint8Array],
] as const;

type TypedArray = InstanceType<(typeof ARRAYS)[number][1]>;

/** The member that stands for a typed array in JSON: its type and number of entries. */
const ARRAY = "$array";

/**
 * Encodes plain data: what JSON can represent, and typed arrays. The same data gives the same bytes on every
 * machine. Members that are undefined are left out.
 *
 *     u32     length of the JSON text in bytes, little-endian
 *     JSON    the data; a typed array is {"$array": [type, entries]}
 *     zeros   to a multiple of 8 bytes
 *     arrays  the entries of all arrays of a type, in the order of the JSON text, type by type
 *
 * @throws RangeError on a number that JSON cannot represent, or an object that is no plain data
 */
export function encodeData(data: unknown): Uint8Array {
  const arrays = new Map<string, TypedArray[]>(ARRAYS.map(([type]) => [type, []]));
  const json = new TextEncoder().encode(
    JSON.stringify(data, function (this: Readonly<Record<string, unknown>>, key: string) {
      // The value itself, not what a `toJSON` of its own makes of it.
      const value = this[key];
      if (ArrayBuffer.isView(value)) {
        const type = ARRAYS.find(([, made]) => value instanceof made)?.[0];
        if (type === undefined) throw new RangeError(`${key}: no plain data`);
        arrays.get(type)!.push(value as TypedArray);
        return { [ARRAY]: [type, (value as TypedArray).length] };
      }
      checkPlain(key, value);
      return value;
    }),
  );
  const start = Math.ceil((4 + json.length) / 8) * 8;
  const all = [...arrays.values()].flat();
  const bytes = new Uint8Array(start + all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  let offset = start;
  for (const { buffer, byteOffset, byteLength } of all) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += byteLength;
  }
  return bytes;
}

function checkPlain(key: string, value: unknown): void {
  const isPlain =
    typeof value === "number"
      ? Number.isFinite(value)
      : typeof value !== "object" ||
        value === null ||
        Array.isArray(value) ||
        [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain || typeof value === "function") throw new RangeError(`${key}: no plain data`);
}

/**
 * Decodes data of `encodeData`. Arrays are views of the bytes where these are aligned.
 *
 * @throws ArcwiseError `invalid-data` when the bytes do not come from `encodeData`
 */
export function decodeData(bytes: Uint8Array): unknown {
  try {
    return decoded(bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes));
  } catch (cause) {
    throw new ArcwiseError("invalid-data", `expected data: ${(cause as Error).message}`, { cause });
  }
}

function decoded(bytes: Uint8Array): unknown {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const json = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  const offsets = arrayOffsets(json, bytes.byteOffset + Math.ceil((4 + length) / 8) * 8);
  const end = bytes.byteOffset + bytes.byteLength;
  return JSON.parse(json, (_, value: unknown) => {
    const array = arrayIn(value);
    if (array === undefined) return value;
    const { type, entries, Made } = array;
    const offset = offsets.get(type)!;
    const next = offset + entries * Made.BYTES_PER_ELEMENT;
    if (next > end) throw new RangeError(`expected an array of ${entries} entries, found the end`);
    offsets.set(type, next);
    return new Made(bytes.buffer as ArrayBuffer, offset, entries);
  });
}

const array: Check = record<{ [ARRAY]: unknown }>({ [ARRAY]: list(anything, { min: 2, max: 2 }) });
const typeName = oneOf(...ARRAYS.map(([type]) => type));
const entryCount = integer(0, 2 ** 32);

/** Returns the typed array that an object of JSON stands for; undefined for another value. */
function arrayIn(value: unknown) {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, ARRAY)) return undefined;
  array(value, "array");
  const [type, entries] = (value as { readonly [ARRAY]: readonly [string, number] })[ARRAY];
  typeName(type, "array");
  entryCount(entries, "array");
  return { type, entries, Made: ARRAYS.find(([name]) => name === type)![1] };
}

/** Returns the offset of the first entry of each type of array. */
function arrayOffsets(json: string, start: number): Map<string, number> {
  const entries = new Map<string, number>();
  JSON.parse(json, (_, value: unknown) => {
    const found = arrayIn(value);
    if (found !== undefined) entries.set(found.type, (entries.get(found.type) ?? 0) + found.entries);
    return value;
  });
  let offset = start;
  return new Map(
    ARRAYS.map(([type, { BYTES_PER_ELEMENT }]) => {
      const own = offset;
      offset += (entries.get(type) ?? 0) * BYTES_PER_ELEMENT;
      return [type, own] as const;
    }),
  );
}
