import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { Interrupted, inFile, OutputClosed } from "./errors.ts";

/** Everything that a command sees of the world outside. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
}

/** How a file is called in messages. */
export function displayName(path: string): string {
  return path === "-" ? "standard input" : path;
}

/**
 * The bytes of a file, unpacked when its name ends with `.gz`, or of the standard input for `-`. Memory: a
 * few chunks of 64 KB.
 *
 * @throws DataError when the file cannot be read or unpacked
 * @throws Interrupted when the user asks to stop, also while the input is waited for
 */
export async function* readBytes(io: Io, path: string): AsyncGenerator<Uint8Array> {
  const source = addAbortSignal(io.signal, path === "-" ? io.stdin : openFile(path));
  try {
    for await (const chunk of source) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  } catch (error) {
    if (io.signal.aborted) throw new Interrupted("stopped");
    throw inFile(error, displayName(path));
  }
}

function openFile(path: string): Readable {
  const file = createReadStream(path);
  if (!path.endsWith(".gz")) return file;
  const unpacked = createGunzip();
  // A failure to read reaches the reader of the unpacked stream, which reports it.
  pipeline(file, unpacked).catch((error: Error) => unpacked.destroy(error));
  return unpacked;
}

/** Where a command writes its result. */
export interface Output {
  /** Resolves when more may be written. @throws OutputClosed when nobody reads any more */
  write(data: Uint8Array | string): Promise<void>;
  /** Completes the output: from now on it is there under its name. */
  close(): Promise<void>;
  /** Takes back what can be taken back. */
  abandon(): Promise<void>;
}

/**
 * Opens the standard output (`-`) or a file, packed when its name ends with `.gz`. A regular file is written
 * under a temporary name beside it and renamed by `close`, so that no reader ever sees half of it.
 */
export async function openOutput(io: Io, path: string): Promise<Output> {
  if (path === "-") return standardOutput(io.stdout);
  const target = await realpath(path).catch(() => path);
  const existing = await stat(target).catch(() => undefined);
  // Devices and pipes are written to as they stand: a rename would replace them.
  const inPlace = existing !== undefined && !existing.isFile();
  const temporary = inPlace ? target : temporaryName(target);
  const file = createWriteStream(temporary);
  await opened(file).catch((error: unknown) => {
    throw inFile(error, path);
  });
  return fileOutput(file, path.endsWith(".gz"), {
    display: path,
    temporary,
    keep: () => (inPlace ? Promise.resolve() : rename(temporary, target)),
    remove: () => (inPlace ? Promise.resolve() : unlink(temporary)),
  });
}

/** A name beside the file, on the same file system, that no other process uses. */
function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

function opened(file: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => file.once("open", () => resolve()).once("error", reject));
}

function standardOutput(stream: NodeJS.WritableStream): Output {
  const write = writer(stream);
  return {
    write: (data) =>
      write(data).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "EPIPE"
          ? new OutputClosed("standard output was closed")
          : inFile(error, "standard output");
      }),
    close: async () => {},
    abandon: async () => {},
  };
}

interface FileEnds {
  readonly display: string;
  readonly temporary: string;
  keep(): Promise<void>;
  remove(): Promise<void>;
}

function fileOutput(file: WriteStream, packed: boolean, ends: FileEnds): Output {
  const packer = packed ? createGzip() : undefined;
  const top = packer ?? file;
  const done = packer === undefined ? finished(file) : pipeline(packer, file);
  // The first failure is reported by `write` or `close`, whichever comes next.
  done.catch(() => {});
  const write = writer(top);
  const named = (error: unknown): never => {
    throw inFile(error, ends.display);
  };
  return {
    write: (data) => write(data).catch(named),
    close: async () => {
      top.end();
      await done.catch(named);
      await ends.keep();
    },
    abandon: async () => {
      top.destroy();
      file.destroy();
      await done.catch(() => {});
      await ends.remove().catch(() => {});
    },
  };
}

/** Writes with back-pressure: the promise resolves when the stream takes more, and rejects when it fails. */
function writer(stream: NodeJS.WritableStream): (data: Uint8Array | string) => Promise<void> {
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  stream.on("error", (error: Error) => {
    failure ??= error;
    wake?.();
  });
  stream.on("drain", () => wake?.());
  return async (data) => {
    if (failure === undefined && !stream.write(data)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
    if (failure !== undefined) throw failure;
  };
}
