import { stat } from "node:fs/promises";
import { counted } from "@arcwise/core/errors";
import type { Io } from "../files/io.ts";
import { printLine } from "../files/printable.ts";

/** Shows how far parsing is, in one line of a terminal. */
export interface ParseProgress {
  /** Shows how many bytes of the input were read; `total` counts what was parsed so far. */
  update(bytes: number, total: { readonly sentences: number; readonly words: number }): void;
  /** A line that stays. */
  line(text: string): void;
  /** Removes the line. */
  stop(): void;
}

/** Milliseconds between two updates of the line. */
const UPDATE = 100;

/**
 * Progress of parsing on the standard error, with the share of the input where its size is known. Nothing is
 * shown without a terminal, or when the sentences themselves are written to it.
 */
export async function parseProgress(
  io: Io,
  inputs: readonly string[],
  output: string,
): Promise<ParseProgress> {
  const { stderr } = io;
  const line = (text: string) => printLine(io, text);
  if (stderr.isTTY !== true || (output === "-" && io.stdout.isTTY === true)) {
    return { update: () => {}, line, stop: () => {} };
  }
  const sizes = await Promise.all(inputs.map(sizeOf));
  const size = sizes.includes(0) ? 0 : sizes.reduce((sum, one) => sum + one, 0);
  let last = Number.NEGATIVE_INFINITY;
  const clear = () => void stderr.write("\r\u001b[K");
  return {
    update: (bytes, { sentences, words }) => {
      const now = performance.now();
      if (now < last + UPDATE) return;
      last = now;
      const share = size > 0 && bytes <= size ? `${Math.floor((100 * bytes) / size)} %, ` : "";
      clear();
      stderr.write(`parsing: ${share}${counted(sentences, "sentence")}, ${counted(words, "word")}`);
    },
    line: (text) => {
      clear();
      line(text);
    },
    stop: clear,
  };
}

/** Returns the size of a file in bytes; 0 where it does not say how many bytes will be read. */
async function sizeOf(path: string): Promise<number> {
  if (path.endsWith(".gz")) return 0;
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
