import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { inFolder } from "./support.ts";

const program = fileURLToPath(new URL("../bin/arcwise.js", import.meta.url));
/** Whether `npm run build` has made the command. */
export const built = existsSync(fileURLToPath(new URL("../program/main.js", import.meta.url)));

/** What a process left. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Starts the built command.
 *
 * @param stdin a file descriptor, or a pipe
 */
export function start(
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
  stdin: number | "pipe" = "pipe",
): { child: ChildProcess; ended: Promise<Ended> } {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, [program, ...argv], { stdio: [stdin, "pipe", "pipe"], env });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ended = Promise.all([code, text(child.stdout!), text(child.stderr!)]);
  return { child, ended: ended.then(([status, out, err]) => ({ code: status, out, err })) };
}

/** Runs the built command without input. */
export function arcwise(...argv: string[]): Promise<Ended> {
  const { child, ended } = start(argv);
  child.stdin?.end();
  return ended;
}

/** Returns a new folder with files, and the built command run or started on the words of a command line. */
export function builtIn(contents: Readonly<Record<string, string | Uint8Array>>) {
  const at = inFolder(contents);
  return {
    ...at,
    run: (line: string, ...more: readonly string[]) => arcwise(...at.words(line, ...more)),
    start: (line: string, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
      start(at.words(line, ...more), env),
  };
}
