import { setTimeout as sleep } from "node:timers/promises";
import { ArcwiseError } from "@arcwise/core/errors";
import type { Hash } from "./hash.ts";

/**
 * Blobs by name. A name is written once: the first writer wins, and the others wrote the same. A blob is in
 * the store whole or not at all.
 */
export interface Store {
  /** The address of the store, without credentials: for messages. */
  readonly address: string;
  /** Returns whether there is a blob of this name. */
  has(name: Hash): Promise<boolean>;
  /** Returns the bytes of a blob; undefined where there is none of this name. */
  read(name: Hash): Promise<Uint8Array | undefined>;
  /**
   * Writes a blob, unless there is one of this name. After a loss of power it is there whole, or not at all, unless
   * the options say otherwise. The bytes may be overwritten when the promise has resolved.
   */
  write(name: Hash, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  /** Removes a blob, if there is one of this name. */
  remove(name: Hash): Promise<void>;
}

/** Options of writing a blob. */
export interface WriteOptions {
  /**
   * Whether the blob has to survive a loss of power. If not, it is not forced to the disk, which takes milliseconds,
   * and may be damaged afterwards: for blobs with a checksum that can be computed again. Default: true.
   */
  readonly isDurable?: boolean | undefined;
}

/** Options of `readBlob`. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that a blob is waited for. Default: half a minute. */
  readonly patience?: number | undefined;
}

/** How long the blobs that a step needs are waited for. */
export type Patience = Pick<ReadOptions, "patience">;

/** Milliseconds that a blob may take to be seen by other machines. */
const PATIENCE = 30_000;
const FIRST_WAIT = 20;
const MAX_WAIT = 300;

/**
 * Returns the bytes of a blob that another machine has written. File systems of networks show a file to other
 * machines late: a blob that is not there is looked for again, as long as `patience` says.
 *
 * @param what the blob, for messages: "the mixture of round 3"
 * @throws ArcwiseError `missing-blob`
 * @throws the reason of the signal once that is aborted
 */
export async function readBlob(
  store: Store,
  name: Hash,
  what: string,
  { signal, patience = PATIENCE }: ReadOptions = {},
): Promise<Uint8Array> {
  const end = performance.now() + patience;
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, MAX_WAIT)) {
    const bytes = await store.read(name);
    if (bytes !== undefined) return bytes;
    signal?.throwIfAborted();
    if (performance.now() + wait > end)
      throw new ArcwiseError(
        "missing-blob",
        `${store.address}: expected ${what}, found no blob ${name}: run the step that writes it, or give ` +
          "the store that it was written to",
        { file: store.address, expected: what, found: "no blob" },
      );
    await sleep(wait, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}
