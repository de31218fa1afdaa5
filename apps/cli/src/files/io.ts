import type { Readable } from "node:stream";

/** A stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** The environment of a command: streams, variables and signals. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
  /** Whether sentences are parsed in other threads, so that this one can answer to signals meanwhile. */
  readonly responsive?: boolean | undefined;
  /** Takes what SIGHUP asks for. Without it, SIGHUP asks to stop; with it, the command ends by itself once it is asked to. */
  readonly onReload?: ((reload: () => void) => void) | undefined;
  /** Called before the command writes files, with more files to handle when it is ended before it is done. */
  readonly onOutputs?: ((unfinished: Unfinished) => void) | undefined;
}

/** The files of a command that is ended before it is done. */
export interface Unfinished {
  /** Temporary files to remove. */
  readonly temporaries: readonly string[];
  /** The folder from which a training can be resumed. */
  readonly checkpoint?: string | undefined;
}

/** Returns whether an output is written in colour: to a terminal, unless NO_COLOR is set. */
export function hasColour({ stdout, env }: Pick<Io, "stdout" | "env">, output: string): boolean {
  return output === "-" && stdout.isTTY === true && (env.NO_COLOR ?? "") === "";
}

/** Returns the name of a file in messages. */
export function displayName(path: string): string {
  return path === "-" ? "standard input" : path;
}
