import { gunzipSync, gzipSync } from "node:zlib";
import { ArcwiseError } from "@arcwise/core/errors";
import { type Hash, hashOf } from "./hash.ts";
import { type ReadOptions, readBlob, type Store } from "./store.ts";

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

/** Decodes data of `encodeData`. Arrays are views of the bytes where these are aligned. */
export function decodeData(bytes: Uint8Array): unknown {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const length = new DataView(aligned.buffer, aligned.byteOffset).getUint32(0, true);
  const json = new TextDecoder().decode(aligned.subarray(4, 4 + length));
  const offsets = arrayOffsets(json, aligned.byteOffset + Math.ceil((4 + length) / 8) * 8);
  return JSON.parse(json, (_, value: unknown) => {
    const found = (value as { readonly [ARRAY]?: readonly [string, number] } | null)?.[ARRAY];
    if (found === undefined) return value;
    const [type, entries] = found;
    const Made = ARRAYS.find(([name]) => name === type)![1];
    const offset = offsets.get(type)!;
    offsets.set(type, offset + entries * Made.BYTES_PER_ELEMENT);
    return new Made(aligned.buffer as ArrayBuffer, offset, entries);
  });
}

/** Returns the offset of the first entry of each type of array. */
function arrayOffsets(json: string, start: number): Map<string, number> {
  const entries = new Map<string, number>();
  JSON.parse(json, (_, value: unknown) => {
    const found = (value as { readonly [ARRAY]?: readonly [string, number] } | null)?.[ARRAY];
    if (found !== undefined) entries.set(found[0], (entries.get(found[0]) ?? 0) + found[1]);
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

/** Writes data to a store under the hash of its encoding, compressed; returns the hash. */
export async function writeData(store: Store, data: unknown): Promise<Hash> {
  const bytes = encodeData(data);
  const name = hashOf(bytes);
  if (!(await store.has(name))) await store.write(name, gzipSync(bytes, { level: 1 }));
  return name;
}

/**
 * Reads data that `writeData` has written.
 *
 * @throws ArcwiseError `missing-blob` when there is none, `invalid-data` when it is damaged
 */
export async function readData(
  store: Store,
  name: Hash,
  what: string,
  options?: ReadOptions,
): Promise<unknown> {
  const blob = await readBlob(store, name, what, options);
  const bytes = unzipped(blob);
  if (bytes === undefined || hashOf(bytes) !== name)
    throw new ArcwiseError(
      "invalid-data",
      `${store.address}: expected ${what}, found a blob whose contents do not match its name ${name}: delete it`,
      { file: store.address },
    );
  return decodeData(bytes);
}

function unzipped(blob: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(blob);
  } catch {
    return undefined;
  }
}
