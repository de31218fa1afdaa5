import { fstatSync, readSync, statSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { escapeInvisible } from "@arcwise/core/errors";

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

/** Resolves when the user asks to stop. */
export function untilStopped({ signal }: Pick<Io, "signal">): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const MAX_LENGTH = 1000;
const TAIL = 200;

/**
 * Returns a text as one line that is safe to show on a terminal: invisible characters escaped (`\u001b`), and
 * the middle of texts of more than 1,000 characters omitted.
 */
export function printable(text: string): string {
  return escapeInvisible(
    text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - TAIL)} [...] ${text.slice(-TAIL)}`,
  );
}

/** Quotes a word for a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns lines that are safe to show on a terminal. */
export function printableLines(text: string): string {
  return text.split("\n").map(escapeInvisible).join("\n");
}

/** Writes a line to the standard error, which may be a terminal. */
export function printLine({ stderr }: Pick<Io, "stderr">, text: string): void {
  stderr.write(`${printable(text)}\n`);
}

/**
 * Returns whether the standard output seems to have been closed when the process began, as `>&-` in a shell
 * does. Node has opened /dev/null in its place, for reading and writing, where a redirection opens it for
 * writing only. Programs that start others without output may do the same as Node: nothing but an output that
 * was asked for is refused.
 */
export function isOutputClosed(): boolean {
  try {
    const stats = fstatSync(1);
    if (!stats.isCharacterDevice() || stats.rdev !== statSync("/dev/null").rdev) return false;
    readSync(1, new Uint8Array(1));
    return true;
  } catch {
    return false;
  }
}

/** Returns the standard input. In place of a folder, Node has an empty stream: here, reading it fails. */
export function standardInput(): Readable & { readonly isTTY?: boolean | undefined } {
  try {
    if (fstatSync(0).isDirectory()) return folderStream();
  } catch {
    // A closed one is empty.
  }
  return process.stdin;
}

function folderStream(): Readable {
  return new Readable({
    read() {
      this.destroy(Object.assign(new Error("a folder"), { code: "EISDIR" }));
    },
  });
}

/** Returns whether a command line asks for the standard output, by `-o -`. */
export function namesOutput(argv: readonly string[]): boolean {
  return argv.some(
    (word, i) =>
      /^(?:-o|--output=)-$/.test(word) || (word === "-" && /^(?:-o|--output)$/.test(argv[i - 1] ?? "")),
  );
}

/** A stream that fails as a closed descriptor does: what is written to it would be lost. */
export function closedStream(): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error("closed"), { code: "EBADF" })),
  });
}

/** Printed where the standard input is typed. */
export const TYPED = `reading from the terminal: ${process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D"} ends the input`;

/** Returns the place of a sentence of an input with this name in messages. */
export function placeOf(name: string, line: number, id: string | undefined): string {
  const where = line > 0 ? `${name}:${line}` : name;
  return id === undefined ? where : `${where}: sentence ${id}`;
}
