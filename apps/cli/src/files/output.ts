import type { FileHandle } from "node:fs/promises";
import { Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { beginReplacement, type Replacement, writeWhole } from "@arcwise/core/node";
import { DataError, inFile, OutputClosed } from "../errors.ts";
import { type PlannedOutput, STANDARD_OUTPUT } from "./file-plan.ts";
import { type Io, isOutputClosed } from "./io.ts";

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
export async function openOutput(io: Pick<Io, "stdout">, { path }: PlannedOutput): Promise<Output> {
  if (path === "-") return standardOutput(io.stdout);
  if (OUTPUT_DEVICES.has(path) && isOutputClosed())
    throw new DataError(`${path}: the standard output is closed`);
  const replacement = await beginReplacement(path).catch((error: unknown) => {
    throw inFile(error, path);
  });
  return fileOutput(replacement, path);
}

/** Opens an output for a function that writes it, and completes it; on an error, nothing of it is left. */
export async function writeWith(
  io: Pick<Io, "stdout">,
  planned: PlannedOutput,
  write: (output: Output) => Promise<void>,
): Promise<void> {
  const output = await openOutput(io, planned);
  try {
    await write(output);
    await output.close();
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

/** Writes an output as a whole: the standard output (`-`), or a file, which stays as it was where that fails. */
export function writeOutput(io: Pick<Io, "stdout">, planned: PlannedOutput, content: string): Promise<void> {
  return writeWith(io, planned, (output) => output.write(content));
}

/** Writes a text to the standard output. */
export function printOutput(io: Pick<Io, "stdout">, text: string): Promise<void> {
  return writeOutput(io, STANDARD_OUTPUT, text);
}

/** Returns a value as JSON in lines. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Writes a file completely and to the disk, or not at all. */
export function replaceOutput({ path }: PlannedOutput, content: Uint8Array): Promise<void> {
  return writeWhole(path, content);
}

/** Names of the standard output as a file. */
const OUTPUT_DEVICES: ReadonlySet<string> = new Set(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);

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

function fileOutput({ file: handle, keep, abandon }: Replacement, path: string): Output {
  const file = fileStream(handle);
  const packer = path.endsWith(".gz") ? createGzip() : undefined;
  const top = packer ?? file;
  const done = packer === undefined ? finished(file) : pipeline(packer, file);
  // The first failure is reported by `write` or `close`, whichever comes next.
  done.catch(() => {});
  const write = writer(top);
  const named = (error: unknown): never => {
    throw inFile(error, path);
  };
  return {
    write: (data) => write(data).catch(named),
    close: async () => {
      top.end();
      await done.catch(named);
      await keep().catch(named);
    },
    abandon: async () => {
      top.destroy();
      file.destroy();
      await done.catch(() => {});
      await abandon().catch(() => {});
    },
  };
}

/** A stream that writes to a file, and leaves it open: its permissions are set last. */
function fileStream(file: FileHandle): Writable {
  // Each call resumes where the previous one ended.
  const write = (bytes: Uint8Array, done: (error?: Error) => void) =>
    void file.writeFile(bytes).then(() => done(), done);
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => write(chunk, done),
    writev: (chunks, done) => write(Buffer.concat(chunks.map(({ chunk }) => chunk as Uint8Array)), done),
  });
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
