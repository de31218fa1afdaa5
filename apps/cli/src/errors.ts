import type { ConlluError } from "@arcwise/conllu";

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
export class DataError extends Error {
  override readonly name = "DataError";
}

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The user asked to stop. The message names what was written. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** The reader of the standard output has closed it, as in `arcwise parse ... | head`. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** An error of a worker thread, explained there: its class and properties do not survive the way back. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string, stack: string) {
    super(message);
    this.exitCode = exitCode;
    this.stack = stack;
  }
}

/** Names of errors of the packages whose messages are about the user's data. */
const DATA_ERRORS: ReadonlySet<string> = new Set([
  "DataError",
  "ConlluError",
  "ModelError",
  "NoGraph",
  "NoTree",
  "InvalidSentence",
  "SentenceMismatch",
  "TextMismatch",
  "TreeFeatureError",
]);

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "is a directory, expected a file",
  EMFILE: "too many open files",
  EBUSY: "the file is in use",
  EDQUOT: "the disk quota is exceeded",
  EEXIST: "exists already",
  EFBIG: "the file would be larger than the file system allows",
  EINVAL: "the file cannot be used this way",
  EIO: "input or output error",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the file name is too long",
  ENFILE: "too many open files",
  ENODEV: "no such device",
  ENOENT: "no such file or directory",
  ENOMEM: "not enough memory",
  ENOSPC: "no space left on the device",
  ENOTDIR: "a part of the path is no directory",
  ENXIO: "no such device",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ERR_FS_FILE_TOO_LARGE: "the file is larger than 2 GiB",
  ETXTBSY: "the file is in use",
  Z_BUF_ERROR: "not a complete gzip file: it ends early",
  Z_DATA_ERROR: "not a valid gzip file",
};

/** What an error means to the user. */
export interface Explanation {
  /** One of `EXIT`. */
  readonly code: number;
  readonly message: string;
}

/** Words for those whose file is text, or a table of another kind. */
const NOT_COLUMNS =
  "this is not CoNLL-U, which has a word a line in 10 columns; raw text is parsed with --input text, " +
  "by a model of train --for text";

/** Returns the exit code of an error and a message of one line for the user, without a stack trace. */
export function explain(error: unknown): Explanation {
  if (!(error instanceof Error)) return { code: EXIT.internal, message: `internal error: ${String(error)}` };
  if (error instanceof ThreadError) return { code: error.exitCode, message: error.message };
  if (error.name === "Interrupted") return { code: EXIT.interrupted, message: error.message };
  if (error.name === "UsageError") return { code: EXIT.usage, message: error.message };
  if (isConlluError(error) && error.rule === "columns" && /^1\b/.test(error.found)) {
    return { code: EXIT.data, message: `${error.message}; ${NOT_COLUMNS}` };
  }
  if (DATA_ERRORS.has(error.name)) return { code: EXIT.data, message: error.message };
  if (isOutOfMemory(error)) return { code: EXIT.data, message: `out of memory: ${error.message}` };
  const file = fileError(error);
  if (file !== undefined) return { code: EXIT.data, message: file };
  return { code: EXIT.internal, message: `internal error: ${error.name}: ${error.message}` };
}

/** Whether an error is a ConlluError, whose module is not loaded to ask. */
function isConlluError(error: Error): error is ConlluError {
  return error.name === "ConlluError";
}

/** Whether memory for a buffer or a string could not be had. */
function isOutOfMemory({ name, message, code }: NodeJS.ErrnoException): boolean {
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
  const reason = fileReason(error);
  return reason === undefined || error.path === undefined ? reason : `${error.path}: ${reason}`;
}

/** What went wrong with a file, in words; undefined when the error is none of files. */
function fileReason({ code }: NodeJS.ErrnoException): string | undefined {
  if (code === undefined || !/^(?:E[A-Z0-9]+|Z_[A-Z_]+|ERR_FS_[A-Z_]+)$/.test(code)) return undefined;
  return FILE_ERRORS[code] ?? `system error ${code}`;
}

/**
 * An error of the file system or of unpacking as a DataError that names the file; any other error as it is.
 */
export function inFile(error: unknown, file: string): unknown {
  const reason = error instanceof Error ? fileReason(error) : undefined;
  return reason === undefined ? error : new DataError(`${file}: ${reason}`, { cause: error });
}
