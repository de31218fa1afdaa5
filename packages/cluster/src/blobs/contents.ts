/* Blobs with the hash of their contents as their name: what is read is compared with its name. */
import { gunzipSync, gzipSync } from "node:zlib";
import { type Check, checkReceived } from "@arcwise/core/options";
import { type Hash, hashOf } from "./hash.ts";
import { decodeData, encodeData } from "./plain-data.ts";
import { type BlobRequest, type ReadOptions, readBlob, type Store } from "./store.ts";

/** Writes bytes to a store under their hash, compressed where that is asked for; returns the hash. */
export async function writeBytes(store: Store, bytes: Uint8Array, isPacked: boolean): Promise<Hash> {
  const name = hashOf(bytes);
  const found = await store.read(name);
  if (found !== undefined) {
    try {
      contentsOf(name, found, isPacked);
      return name;
    } catch {
      await store.setAside(name);
    }
  }
  await store.write(name, isPacked ? gzipSync(bytes, { level: 1 }) : bytes);
  return name;
}

/** Reads bytes that `writeBytes` has written. @throws as `readBlob` */
export function readBytes(
  store: Store,
  { isPacked, ...request }: Omit<BlobRequest<Uint8Array>, "decode"> & { readonly isPacked: boolean },
): Promise<Uint8Array> {
  return readBlob(store, { ...request, decode: (bytes) => contentsOf(request.name, bytes, isPacked) });
}

/** Returns the contents of a blob. @throws Error when they are not what its name says */
function contentsOf(name: Hash, blob: Uint8Array, isPacked: boolean): Uint8Array {
  const bytes = isPacked ? gunzipSync(blob) : blob;
  if (hashOf(bytes) !== name) throw new Error("its contents have another hash");
  return bytes;
}

/** Writes data to a store under the hash of its encoding, compressed; returns the hash. */
export function writeData(store: Store, data: unknown): Promise<Hash> {
  return writeBytes(store, encodeData(data), true);
}

/** Data that is read. */
export interface DataRequest extends ReadOptions {
  readonly name: Hash;
  /** The data, for messages: "a plan". */
  readonly what: string;
  readonly check: Check;
}

/**
 * Reads data that `writeData` has written.
 *
 * @throws as `readBlob`; ArcwiseError `invalid-data` when the check refuses it
 */
export async function readData<Data>(store: Store, { check, ...request }: DataRequest): Promise<Data> {
  const bytes = await readBytes(store, { ...request, isPacked: true });
  const data = decodeData(bytes);
  checkReceived(check, data, request.what);
  return data as Data;
}
