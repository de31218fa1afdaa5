import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { writeWhole } from "@arcwise/core/node";

/** The bytes of a file and their version, an entity tag of HTTP. */
interface FileState {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** A file that is read and replaced, but never overwritten with what was made of another version. */
export class KeptFile {
  readonly path: string;
  /** The write that is under way; the next one waits for it. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Reads the file. */
  async read(): Promise<FileState> {
    const bytes = await readFile(this.path);
    return { bytes, version: versionOf(bytes) };
  }

  /**
   * Replaces a version of the file, completely or not at all. Returns the new version; undefined if the file has another
   * version on disk, which stays.
   */
  replace(version: string, bytes: Uint8Array): Promise<string | undefined> {
    const written = this.#writing.then(async () => {
      if ((await this.read()).version !== version) return undefined;
      await writeWhole(this.path, bytes);
      return versionOf(bytes);
    });
    this.#writing = written.catch(() => {});
    return written;
  }
}

function versionOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("hex")}"`;
}
