import type { Readable } from "node:stream";

/** A stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** Everything that a command sees of the world outside. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
  /** Whether sentences are parsed in other threads, so that this one can answer to signals meanwhile. */
  readonly responsive?: boolean;
  /** Called before the command writes files, with what has to be known when it is ended in between. */
  readonly onOutputs?: (unfinished: Unfinished) => void;
}

/** What a command leaves behind that is ended before it is done. */
export interface Unfinished {
  /** Names of temporary files: to be removed. */
  readonly temporaries: readonly string[];
  /** The state of a training, from which it can be resumed. */
  readonly checkpoint?: string | undefined;
}

/** How a file is called in messages. */
export function displayName(path: string): string {
  return path === "-" ? "standard input" : path;
}
