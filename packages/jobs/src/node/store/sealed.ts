/* Blobs of plain data, under a seal: the bytes that were written under this name, or damaged. */
import { crc32, gunzipSync, gzipSync } from "node:zlib";
import { type Hash, hashOf } from "./hash.ts";
import { decodeData, encodeData, isText } from "./plain-data.ts";
import { type BlobRequest, readBlob, type Store, type WriteOptions } from "./store.ts";

const MAGIC = new TextEncoder().encode("arcwise:");
/** Length of a seal: bytes after it are aligned for all numbers. */
const SEAL = 16;

/**
 * Returns the bytes of a blob:
 *
 *     8 bytes  "arcwise:"
 *     u32      CRC-32 of the name and the contents, little-endian
 *     u32      1 if the contents are compressed by gzip, otherwise 0
 *     contents encoded data
 */
export function sealed(name: Hash, encoded: Uint8Array): Uint8Array {
  const isPacked = isText(encoded);
  const contents = isPacked ? gzipSync(encoded, { level: 1 }) : encoded;
  const bytes = new Uint8Array(SEAL + contents.length);
  bytes.set(MAGIC);
  bytes.set(contents, SEAL);
  const view = new DataView(bytes.buffer);
  view.setUint32(MAGIC.length, checksum(name, contents), true);
  view.setUint32(MAGIC.length + 4, isPacked ? 1 : 0, true);
  return bytes;
}

/** Returns the encoded data of a blob. */
export function unsealed(name: Hash, bytes: Uint8Array): Uint8Array {
  if (bytes.length < SEAL || MAGIC.some((byte, k) => byte !== bytes[k])) throw new Error("it has no seal");
  const contents = bytes.subarray(SEAL);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(MAGIC.length, true) !== checksum(name, contents))
    throw new Error("its checksum does not match its name and contents");
  return view.getUint32(MAGIC.length + 4, true) === 0 ? contents : gunzipSync(contents);
}

function checksum(name: Hash, contents: Uint8Array): number {
  return crc32(contents, crc32(name));
}

/** Writes data under a name. @throws RangeError unless it is plain data */
export function writeOutput(store: Store, name: Hash, data: unknown, options?: WriteOptions): Promise<void> {
  return store.write(name, sealed(name, encodeData(data)), options);
}

/** Returns the data of `writeOutput`; undefined if there is none, or it was damaged, and is set aside. */
export async function foundOutput(store: Store, name: Hash): Promise<unknown> {
  const bytes = await store.read(name);
  if (bytes === undefined) return undefined;
  try {
    return decodeData(unsealed(name, bytes));
  } catch {
    await store.setAside(name);
    return undefined;
  }
}

/** Writes encoded data under the hash of its bytes, unless it is there, undamaged. Returns the hash. */
export async function writeInput(store: Store, encoded: Uint8Array, options?: WriteOptions): Promise<Hash> {
  const name = hashOf(encoded);
  const found = await store.read(name);
  if (found !== undefined) {
    try {
      inputIn(name, found);
      return name;
    } catch {
      await store.setAside(name);
    }
  }
  await store.write(name, sealed(name, encoded), options);
  return name;
}

/** Reads data of `writeInput`. */
export function readInput(store: Store, request: Omit<BlobRequest<unknown>, "decode">): Promise<unknown> {
  return readBlob(store, { ...request, decode: (bytes) => decodeData(inputIn(request.name, bytes)) });
}

/** Returns the encoded data of an input. */
function inputIn(name: Hash, bytes: Uint8Array): Uint8Array {
  const encoded = unsealed(name, bytes);
  if (hashOf(encoded) !== name) throw new Error("its contents have another hash");
  return encoded;
}
