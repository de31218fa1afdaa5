/* Outputs of steps. Their names are hashes of what they are made from, so that a seal says whose bytes they are. */
import { crc32, gunzipSync, gzipSync } from "node:zlib";
import { type Check, checkReceived } from "@arcwise/core/options";
import type { Hash } from "./hash.ts";
import { decodeData, encodeData } from "./plain-data.ts";
import { type BlobRequest, type ReadOptions, readBlob, type Store, type WriteOptions } from "./store.ts";

const MAGIC = new TextEncoder().encode("arcwise:");
/** Length of a seal: bytes after it are aligned for all numbers. */
const SEAL = 16;

/**
 * Writes the output of a step:
 *
 *     8 bytes  "arcwise:"
 *     u32      CRC-32 of the name and the contents, little-endian
 *     u32      0
 *     contents
 */
export async function writeOutput(
  store: Store,
  name: Hash,
  contents: Uint8Array,
  options?: WriteOptions,
): Promise<void> {
  await store.write(name, sealed(name, contents), options);
}

/** Returns the bytes of an output. */
export function sealed(name: Hash, contents: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(SEAL + contents.length);
  bytes.set(MAGIC);
  bytes.set(contents, SEAL);
  new DataView(bytes.buffer).setUint32(MAGIC.length, checksum(name, contents), true);
  return bytes;
}

/** Reads an output of `writeOutput`. @throws as `readBlob` */
export function readOutput<Contents>(store: Store, request: BlobRequest<Contents>): Promise<Contents> {
  const { name, decode } = request;
  return readBlob(store, { ...request, decode: (bytes) => decode(unsealed(name, bytes)) });
}

/** Returns the contents of an output. @throws Error when they are damaged, or belong to another output */
export function unsealed(name: Hash, bytes: Uint8Array): Uint8Array {
  if (bytes.length < SEAL || MAGIC.some((byte, k) => byte !== bytes[k])) throw new Error("it has no seal");
  const contents = bytes.subarray(SEAL);
  const expected = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true);
  if (expected !== checksum(name, contents))
    throw new Error("its checksum does not match its name and contents");
  return contents;
}

function checksum(name: Hash, contents: Uint8Array): number {
  return crc32(contents, crc32(name));
}

/** Writes data as the output of a step, compressed. */
export function writeDataOutput(store: Store, name: Hash, data: unknown): Promise<void> {
  return writeOutput(store, name, gzipSync(encodeData(data), { level: 1 }));
}

/** Reads an output of `writeDataOutput`. @throws as `readBlob` */
export function readDataOutput<Data>(
  store: Store,
  { check, ...request }: ReadOptions & { readonly name: Hash; readonly what: string; readonly check: Check },
): Promise<Data> {
  const decode = (bytes: Uint8Array) => {
    const data = decodeData(gunzipSync(bytes));
    checkReceived(check, data, request.what);
    return data as Data;
  };
  return readOutput(store, { ...request, decode });
}
