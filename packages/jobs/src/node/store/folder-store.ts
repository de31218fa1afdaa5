import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ArcwiseError, invalidArgument } from "@arcwise/core/errors";
import { checkArgument, checkOptions, path, string } from "@arcwise/core/options";
import { type Hash, requireName } from "./hash.ts";
import { STORE_OPTIONS, type StoreOptions } from "./options.ts";
import { type Store, WRITE_OPTIONS, type WriteOptions } from "./store.ts";

/** Age in milliseconds from which a temporary file is a leftover of a process that ended. */
const LEFTOVER = 24 * 3600_000;
/** Errors of file systems without hard links. */
const NO_LINKS: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];
/** Reads a file: never through a link, which may lead out of the store, and without waiting for a pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** The error of opening a link. */
const LINK = "ELOOP";

/**
 * Opens a folder as a store, and creates it if it does not exist. The folder may be on a network file system:
 * a blob is written to a file of an unused name, forced to the disk if it is durable, and then linked under its own
 * name, which fails if the name is in use. File systems without hard links rename, and the last of equal blobs stays.
 *
 * Removes temporary files that are older than a day. A read-only store must be there, and is left as it is.
 *
 * @throws ArcwiseError `invalid-data` with the path and the reason of the file system
 */
export async function folderStore(folder: string, options?: StoreOptions): Promise<Store> {
  const { isReadOnly } = checkOptions(STORE_OPTIONS, options, "folderStore");
  checkArgument(path, folder, "folderStore: folder");
  const root = resolve(folder);
  const temporary = join(root, "tmp");
  try {
    if (isReadOnly) await readdir(root);
    else {
      await mkdir(temporary, { recursive: true });
      await removeLeftovers(temporary);
    }
  } catch (error) {
    throw fileError(error, root);
  }
  return new FolderStore(root, temporary, isReadOnly);
}

/** Returns an error of the file system with a code, and with the path, which errors of full disks lack. */
function fileError(error: unknown, path: string): unknown {
  if (error instanceof ArcwiseError || !(error instanceof Error && "code" in error)) return error;
  const { message } = error;
  const text = message.includes(path) ? message : `${path}: ${message}`;
  return new ArcwiseError("invalid-data", text, { file: path, found: message, cause: error });
}

/** Refuses to write to a store that is read-only. @throws ArcwiseError `invalid-argument` */
export function refuseWrites(address: string, isReadOnly: boolean): void {
  checkArgument(string, address, "refuseWrites: address");
  if (isReadOnly) throw invalidArgument("store", "a store that may be written to", `${address}, read-only`);
}

/** Returns the path of a blob in a folder store. */
export function blobFile(folder: string, name: Hash): string {
  requireName(name);
  return join(folder, name.slice(0, 2), name.slice(2));
}

class FolderStore implements Store {
  readonly address: string;
  readonly #temporary: string;
  readonly #isReadOnly: boolean;
  /** Folders that exist. */
  readonly #made = new Set<string>();

  constructor(root: string, temporary: string, isReadOnly: boolean) {
    this.address = root;
    this.#temporary = temporary;
    this.#isReadOnly = isReadOnly;
  }

  async has(name: Hash): Promise<boolean> {
    // Clients of NFS may answer `stat` from an old directory; opening asks the server.
    const file = await this.#open(name);
    if (typeof file === "object") await file.close();
    return file !== undefined;
  }

  /** Returns an empty array if the name does not denote a plain file. */
  async read(name: Hash): Promise<Uint8Array | undefined> {
    const file = await this.#open(name);
    if (typeof file !== "object") return file === LINK ? new Uint8Array(0) : undefined;
    try {
      return (await file.stat()).isFile() ? await file.readFile() : new Uint8Array(0);
    } catch (error) {
      throw fileError(error, this.#path(name));
    } finally {
      await file.close();
    }
  }

  async #open(name: Hash): Promise<FileHandle | typeof LINK | undefined> {
    const path = this.#path(name);
    try {
      return await open(path, READ);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return undefined;
      if (code === LINK) return LINK;
      throw fileError(error, path);
    }
  }

  async write(name: Hash, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    const { isDurable } = checkOptions(WRITE_OPTIONS, options, "write");
    const path = this.#path(name);
    refuseWrites(this.address, this.#isReadOnly);
    const temporary = join(this.#temporary, `${hostname()}.${process.pid}.${randomBytes(8).toString("hex")}`);
    try {
      await this.#makeFolder(name);
      const file = await open(temporary, "wx");
      try {
        await file.writeFile(bytes);
        if (isDurable) await file.sync();
      } finally {
        await file.close();
      }
      await publish(temporary, path);
    } catch (error) {
      throw fileError(error, path);
    } finally {
      await unlink(temporary).catch(() => {});
    }
  }

  async setAside(name: Hash): Promise<string | undefined> {
    const path = this.#path(name);
    refuseWrites(this.address, this.#isReadOnly);
    const folder = join(this.address, "damaged");
    const place = join(folder, `${name}.${randomBytes(4).toString("hex")}`);
    try {
      await mkdir(folder, { recursive: true });
      await rename(path, place);
      return place;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw fileError(error, path);
    }
  }

  #path(name: Hash): string {
    return blobFile(this.address, name);
  }

  async #makeFolder(name: Hash): Promise<void> {
    const folder = dirname(this.#path(name));
    if (this.#made.has(folder)) return;
    await mkdir(folder, { recursive: true });
    this.#made.add(folder);
  }
}

/** Gives a complete file its name, unless there is one of this name. */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Also where a reply of the server was lost, and the link was made.
    if (code === "EEXIST") return;
    if (!NO_LINKS.includes(code)) throw error;
    await rename(temporary, path);
  }
}

async function removeLeftovers(temporary: string): Promise<void> {
  const now = Date.now();
  for (const name of await readdir(temporary)) {
    const path = join(temporary, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > LEFTOVER) await rm(path, { force: true });
  }
}
