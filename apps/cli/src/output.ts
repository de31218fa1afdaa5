import { createWriteStream, type WriteStream } from "node:fs";
import { finished, pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { beginReplacement } from "@arcwise/core/node";
import { inFile, OutputClosed } from "./errors.ts";
import type { Io } from "./io.ts";

/** The output of a command. */
export interface Output {
  /** Resolves when more may be written. @throws OutputClosed when the reader has closed the output */
  write(data: Uint8Array | string): Promise<void>;
  /** Completes the output: it now exists under its name. */
  close(): Promise<void>;
  /** Removes the output as far as possible. */
  abandon(): Promise<void>;
}

/**
 * Opens the standard output (`-`) or a file, packed when its name ends with `.gz`. A regular file is written
 * under a temporary name in the same folder and renamed by `close`, so that no reader sees an incomplete
 * file.
 */
export async function openOutput(io: Io, path: string): Promise<Output> {
  if (path === "-") return standardOutput(io.stdout);
  const replacement = await beginReplacement(path);
  const file = createWriteStream(replacement?.temporary ?? path);
  await opened(file).catch((error: unknown) => {
    throw inFile(error, path);
  });
  return fileOutput(file, path.endsWith(".gz"), {
    display: path,
    keep: async () => replacement?.keep(),
    remove: async () => replacement?.abandon(),
  });
}

function opened(file: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => file.once("open", () => resolve()).once("error", reject));
}

function standardOutput(stream: NodeJS.WritableStream): Output {
  const write = writer(stream);
  const named = (error: NodeJS.ErrnoException): never => {
    throw error.code === "EPIPE"
      ? new OutputClosed("standard output was closed")
      : inFile(error, "standard output");
  };
  return {
    write: (data) => write(data).catch(named),
    close: () => write.flushed().catch(named),
    abandon: async () => {},
  };
}

interface FileEnds {
  readonly display: string;
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
      await ends.keep().catch(named);
    },
    abandon: async () => {
      top.destroy();
      file.destroy();
      await done.catch(() => {});
      await ends.remove().catch(() => {});
    },
  };
}

/** Writes to a stream with back-pressure. */
interface Writer {
  /** Resolves when the stream takes more, and rejects when it has failed. */
  (data: Uint8Array | string): Promise<void>;
  /** Resolves when all data was handed to the system, and rejects when that failed. */
  flushed(): Promise<void>;
}

function writer(stream: NodeJS.WritableStream): Writer {
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  let pending = 0;
  stream.on("error", (error: Error) => {
    failure ??= error;
    wake?.();
  });
  stream.on("drain", () => wake?.());
  const waiting = async () => {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    wake = undefined;
  };
  const written = (error?: Error | null) => {
    failure ??= error ?? undefined;
    if (--pending === 0 || failure !== undefined) wake?.();
  };
  const write = async (data: Uint8Array | string) => {
    if (failure === undefined) {
      pending++;
      if (!stream.write(data, written)) await waiting();
    }
    if (failure !== undefined) throw failure;
  };
  const flushed = async () => {
    while (pending > 0 && failure === undefined) await waiting();
    if (failure !== undefined) throw failure;
  };
  return Object.assign(write, { flushed });
}
