import type { ConlluError } from "@arcwise/conllu";
import {
  ArcwiseError,
  type ArcwiseErrorOptions,
  type ErrorKind,
  errorKind,
  hasCode,
} from "@arcwise/core/errors";
import { checkpointFolder, pathSuggestion } from "@arcwise/core/node";
import type { Io } from "./files/io.ts";

/** Exit codes of the commands. */
export const EXIT = {
  ok: 0,
  /** The data is wrong, or cannot be read, written or processed; `validate` found something. */
  data: 1,
  /** The command line is wrong. */
  usage: 2,
  /** An internal error. */
  internal: 3,
  /** Some sentences could not be parsed; all others are written. */
  incomplete: 4,
  /** Stopped by the user: 128 + SIGINT. */
  interrupted: 130,
} as const;

/** The data is invalid, or cannot be read or written. */
export class DataError extends ArcwiseError {
  override readonly name = "DataError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-data", message, options);
  }
}

/** Returns an error of data at a place of a file. @param within where in the line, if that is known */
export function wrongData(
  {
    file,
    line,
    expected,
    found,
  }: Required<Pick<ArcwiseErrorOptions, "file" | "line" | "expected" | "found">>,
  within = "",
): DataError {
  const message = `${file}:${line}: ${within}expected ${expected}, found ${found}`;
  return new DataError(message, { file, line, expected, found });
}

/** The command line is invalid. */
export class UsageError extends ArcwiseError {
  override readonly name = "UsageError";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("invalid-command", message, options);
  }
}

/** The user asked to stop. The message names what was written. */
export class Interrupted extends ArcwiseError {
  override readonly name = "Interrupted";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("interrupted", message, options);
  }
}

/** The reader of the standard output has closed it, as in `arcwise parse ... | head`. */
export class OutputClosed extends ArcwiseError {
  override readonly name = "OutputClosed";

  constructor(message: string, options?: ArcwiseErrorOptions) {
    super("closed-output", message, options);
  }
}

/** The exit codes of errors by who can act on them. No code of an ArcwiseError is a fault: see `ERROR_CODES`. */
const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  usage: EXIT.usage,
  data: EXIT.data,
  environment: EXIT.data,
  fault: EXIT.internal,
  interrupted: EXIT.interrupted,
};

/** Texts of error codes of the system, of files and of connections. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EADDRINUSE: "the port is in use: choose another one (--port)",
  EADDRNOTAVAIL: "the address is not available",
  EAI_AGAIN: "the name of the server cannot be looked up now",
  EBADF: "it is closed",
  EISDIR: "is a directory, expected a file",
  EMFILE: "too many open files",
  EBUSY: "the file is in use",
  ECONNABORTED: "the connection was ended",
  ECONNREFUSED: "connection refused: no server answers there",
  ECONNRESET: "the server ended the connection",
  EDQUOT: "the disk quota is exceeded",
  EEXIST: "exists already",
  EFBIG: "the file would be larger than the file system allows",
  EHOSTUNREACH: "the server cannot be reached",
  EINVAL: "the file cannot be used this way",
  EIO: "input or output error",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the file name is too long",
  ENETUNREACH: "the network cannot be reached",
  ENFILE: "too many open files",
  ENODEV: "no such device",
  ENOENT: "no such file or directory",
  ENOMEM: "not enough memory",
  ENOSPC: "no space left on the device",
  ENOTFOUND: "there is no server of this name",
  ENOTDIR: "a part of the path is not a directory",
  ENXIO: "no such device",
  EPERM: "operation not permitted",
  EPIPE: "its reader has closed it",
  EROFS: "the file system is read-only",
  ETIMEDOUT: "the server did not answer in time",
  ERR_FS_FILE_TOO_LARGE: "the file is larger than 2 GiB",
  ETXTBSY: "the file is in use",
  Z_BUF_ERROR: "not a complete gzip file: it ends early",
  Z_DATA_ERROR: "not a valid gzip file",
};

/** The exit code and the message of an error. */
export interface Explanation {
  /** One of `EXIT`. */
  readonly code: number;
  readonly message: string;
}

/** Advice for a file that is raw text, or a table of another kind. */
const NOT_COLUMNS = "arcwise parse MODEL FILE makes trees of raw text; train reads treebanks only";

/** Returns the exit code of an error and a message of one line for the user, without a stack trace. */
export function explain(error: unknown): Explanation {
  if (!(error instanceof Error)) return { code: EXIT.internal, message: `internal error: ${String(error)}` };
  if (hasCode(error, "malformed-conllu") && isOneColumn(error as ConlluError)) {
    const { file, line, found } = error as ConlluError;
    const place = [file, line].filter((part) => part !== undefined).join(":");
    const expected = "expected CoNLL-U, with 10 columns separated by tabs";
    return { code: EXIT.data, message: `${place}: ${expected}, found ${found}; ${NOT_COLUMNS}` };
  }
  const lost = hasCode(error, "thread-lost") && error.cause instanceof Error ? error.cause : undefined;
  const memory = memoryReason(lost ?? error);
  if (memory !== undefined) return { code: EXIT.data, message: memory };
  const kind = errorKind(error);
  if (kind !== "fault") return { code: EXIT_CODES[kind], message: error.message };
  const file = fileError(error);
  if (file !== undefined) return { code: EXIT.data, message: file };
  return { code: EXIT_CODES[kind], message: `internal error: ${error.name}: ${error.message}` };
}

function isOneColumn({ rule, found }: ConlluError): boolean {
  return (rule === "number-of-columns" || rule === "invalid-line") && /^1\b/.test(found);
}

/** Whether memory for a buffer or a string could not be had. */
export function isOutOfMemory({ name, message, code }: NodeJS.ErrnoException): boolean {
  if (
    code === "ERR_STRING_TOO_LONG" ||
    code === "ERR_BUFFER_TOO_LARGE" ||
    code === "ERR_WORKER_OUT_OF_MEMORY"
  )
    return true;
  return (
    name === "RangeError" &&
    /^(?:Array buffer allocation failed|Invalid (?:string|typed array) length)/.test(message)
  );
}

function fileError(error: NodeJS.ErrnoException): string | undefined {
  const reason = fileReason(error, error.path);
  return reason === undefined || error.path === undefined ? reason : `${error.path}: ${reason}`;
}

/** Returns the text of a file error, with a near name; undefined for other errors. */
function fileReason({ code }: NodeJS.ErrnoException, path: string | undefined): string | undefined {
  if (code === undefined || !/^(?:E[A-Z0-9]+|Z_[A-Z_]+|ERR_FS_[A-Z_]+)$/.test(code)) return undefined;
  const near = code === "ENOENT" && path !== undefined ? pathSuggestion(path) : "";
  return `${SYSTEM_ERRORS[code] ?? `system error ${code}`}${near}`;
}

function memoryReason(error: Error): string | undefined {
  return isOutOfMemory(error) ? `out of memory: ${error.message}` : undefined;
}

/**
 * An error of the file system, of unpacking, or of a file that does not fit in memory as a DataError that names the file; any other error as it is.
 */
export function inFile(error: unknown, file: string): unknown {
  const reason = error instanceof Error ? (fileReason(error, file) ?? memoryReason(error)) : undefined;
  return reason === undefined ? error : new DataError(`${file}: ${reason}`, { cause: error });
}

/**
 * Returns a line on the files that a stopped command leaves behind.
 *
 * @param path the folder where a training keeps its states; undefined: the command does not train
 */
export async function interruption(path: string | undefined): Promise<string> {
  if (path === undefined) return "stopped";
  const checkpoint = checkpointFolder(path);
  await checkpoint.tidy();
  return (await checkpoint.names()).length > 0
    ? `stopped; ${path} is kept: the same command with --resume continues from it`
    : "stopped before the first checkpoint: nothing is kept";
}

/** @throws Interrupted when the user asked to stop */
export function checkInterrupt({ signal }: Pick<Io, "signal">): void {
  if (signal.aborted) throw new Interrupted("stopped");
}
