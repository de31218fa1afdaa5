import { escapeInvisible } from "@arcwise/core/errors";
import type { Io } from "./io.ts";

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

/** Returns lines that are safe to show on a terminal. */
export function printableLines(text: string): string {
  return text.split("\n").map(escapeInvisible).join("\n");
}

/** Writes a line to the standard error, which may be a terminal. */
export function printLine({ stderr }: Pick<Io, "stderr">, text: string): void {
  stderr.write(`${printable(text)}\n`);
}
