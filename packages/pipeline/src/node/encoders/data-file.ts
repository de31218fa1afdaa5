import { type FileHandle, open } from "node:fs/promises";

/** A file whose data begin at an offset, and which is opened when it is first read. */
export class DataFile {
  readonly #path: string;
  readonly #first: number;
  #file: Promise<FileHandle> | undefined;

  /** @param first offset of the data in bytes */
  constructor(path: string, first: number) {
    this.#path = path;
    this.#first = first;
  }

  /** Returns bytes of the data, in memory of their own. Calls may overlap. */
  async read(from: number, length: number): Promise<Uint8Array> {
    this.#file ??= open(this.#path);
    const file = await this.#file;
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(bytes, done, length - done, this.#first + from + done);
      if (bytesRead === 0) throw new Error(`${this.#path}: the file is cut short`);
      done += bytesRead;
    }
    return bytes;
  }

  /** Closes the file; it is opened again if it is read again. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await (await file)?.close();
  }
}

/** Bytes that are read at a time to find the end of a line. */
const PIECE = 2 ** 16;

/** Returns the first line of a file with its end. */
export async function firstLine(path: string, limit: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const pieces: Uint8Array[] = [];
    for (let length = 0; length < limit; length += PIECE) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE), 0, PIECE, length);
      const piece = buffer.subarray(0, bytesRead);
      const end = piece.indexOf(10);
      pieces.push(end < 0 ? piece : piece.subarray(0, end + 1));
      if (end >= 0) return Buffer.concat(pieces);
      if (bytesRead === 0) break;
    }
    throw new Error(`${path}: expected a line of at most ${limit} bytes`);
  } finally {
    await file.close();
  }
}
