import { setTimeout as sleep } from "node:timers/promises";
import { ArcwiseError } from "@arcwise/core/errors";
import { abortable } from "@arcwise/core/messages";
import { type Check, defineOptions, flag, having, type OptionsOf } from "@arcwise/core/options";
import type { Hash } from "./hash.ts";

/**
 * Blobs by name. A name is written once: the first writer wins, and the others wrote the same. A blob is in
 * the store whole or not at all, unless its disk or somebody else has changed it.
 */
export interface Store {
  /** The address of the store, without credentials: for messages. */
  readonly address: string;
  /** Returns whether there is a blob of this name. */
  has(name: Hash): Promise<boolean>;
  /** Returns the bytes of a blob; undefined if no blob has this name. */
  read(name: Hash): Promise<Uint8Array | undefined>;
  /**
   * Writes a blob, unless there is one of this name. After a loss of power it is there whole, or not at all, unless
   * the options say otherwise. The bytes may be overwritten when the promise has resolved.
   */
  write(name: Hash, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  /** Moves a damaged blob out of the way. Returns where it is then; undefined where there was none. */
  setAside(name: Hash): Promise<string | undefined>;
}

/** Accepts stores. */
export const isStore: Check<Store> = having("a store", "has", "read", "write", "setAside");

export const WRITE_OPTIONS = defineOptions({
  isDurable: {
    check: flag,
    help: "whether the blob has to survive a loss of power; if not, it is not forced to the disk, which takes milliseconds, and may be damaged afterwards: for blobs with a checksum that can be computed again",
    default: true,
  },
});

/** Options of writing a blob. */
export interface WriteOptions extends OptionsOf<typeof WRITE_OPTIONS> {}

/** Options of `readBlob`. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that a blob is waited for. Default: half a minute. */
  readonly patience?: number | undefined;
}

/** A blob that is read. */
export interface BlobRequest<Contents> extends ReadOptions {
  readonly name: Hash;
  /** The blob, for messages: "the mixture of round 3". */
  readonly what: string;
  /** Checks and reads the bytes. What it throws means that they are damaged. */
  readonly decode: (bytes: Uint8Array) => Contents;
}

/** How a blob was damaged, and where it is now. */
interface Damage {
  readonly name: Hash;
  /** The blob, for messages: "the mixture of round 3". */
  readonly what: string;
  readonly reason: string;
  /** Undefined: it could not be set aside. */
  readonly place: string | undefined;
}

/** A blob whose bytes are not what was written under its name. `file` is where it was set aside. */
export class DamagedBlob extends ArcwiseError {
  override readonly name = "DamagedBlob";

  constructor(address: string, { name, what, reason, place }: Damage) {
    const found = `a damaged blob ${name} (${reason})`;
    const advice =
      place === undefined
        ? "delete it; the same command makes it again"
        : `it was moved to ${place}; the same command makes it again`;
    const file = place ?? address;
    super("invalid-data", `${address}: expected ${what}, found ${found}: ${advice}`, {
      file,
      expected: what,
      found,
    });
  }
}

/** Milliseconds that a blob may take to be seen by other machines. */
const PATIENCE = 30_000;
const FIRST_WAIT = 20;
const MAX_WAIT = 300;

/**
 * Reads a blob that another machine has written. File systems of networks show a file to other machines late: a blob
 * that is not there is looked for again, as long as `patience` says. A blob that is damaged is set aside.
 */
export async function readBlob<Contents>(store: Store, request: BlobRequest<Contents>): Promise<Contents> {
  const { name, what, signal, patience = PATIENCE } = request;
  const end = performance.now() + patience;
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, MAX_WAIT)) {
    const found = await abortable(soundContents(store, request), signal);
    if (found !== undefined) return found.contents;
    if (performance.now() + wait > end)
      throw new ArcwiseError(
        "missing-blob",
        `${store.address}: expected ${what}, found no blob ${name}: run the step that writes it, or give ` +
          "the store that it was written to",
        { file: store.address, expected: what, found: "no blob" },
      );
    await abortable(sleep(wait), signal);
  }
}

/** Returns the contents of a blob; undefined if there is none. */
async function soundContents<Contents>(
  store: Store,
  { name, what, decode }: BlobRequest<Contents>,
): Promise<{ readonly contents: Contents } | undefined> {
  let reason = "";
  // Another process may just have set it aside and made it again.
  for (let attempt = 0; attempt < 2; attempt++) {
    const bytes = await store.read(name);
    if (bytes === undefined) return undefined;
    try {
      return { contents: decode(bytes) };
    } catch (error) {
      reason = (error as Error).message;
    }
  }
  const place = await store.setAside(name).catch(() => undefined);
  throw new DamagedBlob(store.address, { name, what, reason, place });
}
