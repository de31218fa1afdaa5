import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { namedError } from "@arcwise/core/node";
import { type Hash, requireName } from "./hash.ts";
import type { Store, WriteOptions } from "./store.ts";

/** Age in milliseconds from which a temporary file is a leftover of a process that ended. */
const LEFTOVER = 24 * 3600_000;
/** Errors of file systems without hard links. */
const NO_LINKS: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Opens a folder as a store, and creates it where there is none. The folder may be on a network file system:
 * a blob is written to a file of an unused name, forced to the disk if it is durable, and then linked under its own
 * name, which fails where there is one. File systems without hard links rename, and the last of equal blobs stays.
 *
 * Removes temporary files that are older than a day.
 *
 * @throws the error of the file system, with its path
 */
export async function folderStore(folder: string): Promise<Store> {
  const root = resolve(folder);
  const temporary = join(root, "tmp");
  try {
    await mkdir(temporary, { recursive: true });
    await removeLeftovers(temporary);
  } catch (error) {
    throw namedError(error, root);
  }
  return new FolderStore(root, temporary);
}

/** Returns the path of a blob in a folder store. @throws as `requireName` */
export function blobFile(folder: string, name: Hash): string {
  requireName(name);
  return join(folder, name.slice(0, 2), name.slice(2));
}

class FolderStore implements Store {
  readonly address: string;
  readonly #temporary: string;
  /** Folders that exist. */
  readonly #made = new Set<string>();

  constructor(root: string, temporary: string) {
    this.address = root;
    this.#temporary = temporary;
  }

  async has(name: Hash): Promise<boolean> {
    // Clients of NFS may answer `stat` from an old directory; opening asks the server.
    const file = await open(this.#path(name)).catch(ignoreMissing);
    await file?.close();
    return file !== undefined;
  }

  async read(name: Hash): Promise<Uint8Array | undefined> {
    return readFile(this.#path(name)).catch(ignoreMissing);
  }

  async write(name: Hash, bytes: Uint8Array, { isDurable = true }: WriteOptions = {}): Promise<void> {
    const path = this.#path(name);
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
      throw namedError(error, path);
    } finally {
      await unlink(temporary).catch(() => {});
    }
  }

  async remove(name: Hash): Promise<void> {
    await unlink(this.#path(name)).catch(ignoreMissing);
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

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
