import type { Readable } from "node:stream";

/** Everything that a command sees of the world outside. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
  /** Called with the files that the command is going to write, once they were found to be writable. */
  readonly onOutputs?: (paths: readonly string[]) => void;
}

/** How a file is called in messages. */
export function displayName(path: string): string {
  return path === "-" ? "standard input" : path;
}
