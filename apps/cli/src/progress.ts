import { stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import type { Io } from "./io.ts";

/** Shows how far a long command is: a bar on a terminal, a line an event otherwise. */
export interface Progress {
  /** How far the current stage is. Nothing is printed when there is no terminal. */
  update(stage: string, done: number, total: number, detail: string): void;
  /** A line that stays. */
  line(text: string): void;
  /** Removes the bar. */
  stop(): void;
}

/** Progress on the standard error. */
export function progress(io: Io): Progress {
  return io.stderr.isTTY === true ? bar(io) : lines(io);
}

function lines(io: Io): Progress {
  return {
    update: () => {},
    line: (text) => io.stderr.write(`${text}\n`),
    stop: () => {},
  };
}

function bar(io: Io): Progress {
  let current: SingleBar | undefined;
  const stop = () => {
    current?.stop();
    current = undefined;
  };
  return {
    update: (stage, done, total, detail) => {
      if (current === undefined) {
        current = new SingleBar({
          format: "{stage} {bar} {percentage}% | {value}/{total} sentences | {detail}",
          stream: io.stderr,
          clearOnComplete: true,
          hideCursor: true,
          gracefulExit: false,
        });
        current.start(total, done, { stage, detail });
      } else {
        current.setTotal(total);
        current.update(done, { stage, detail });
      }
    },
    line: (text) => {
      stop();
      io.stderr.write(`${text}\n`);
    },
    stop,
  };
}

/** Shows how far parsing is, in one line of a terminal. */
export interface ParseProgress {
  /** Adds input bytes that are done; `total` counts what was parsed so far. */
  add(bytes: number, total: { readonly sentences: number; readonly words: number }): void;
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
export async function parseProgress(io: Io, input: string, output: string): Promise<ParseProgress> {
  const { stderr } = io;
  const line = (text: string) => void stderr.write(`${text}\n`);
  if (stderr.isTTY !== true || (output === "-" && io.stdout.isTTY === true)) {
    return { add: () => {}, line, stop: () => {} };
  }
  const size = input.endsWith(".gz")
    ? 0
    : await stat(input).then(
        ({ size }) => size,
        () => 0,
      );
  let bytes = 0;
  let last = Number.NEGATIVE_INFINITY;
  const clear = () => void stderr.write("\r\u001b[K");
  return {
    add: (more, { sentences, words }) => {
      bytes += more;
      const now = performance.now();
      if (now < last + UPDATE) return;
      last = now;
      const share = size > 0 && bytes <= size ? `${Math.floor((100 * bytes) / size)} %, ` : "";
      clear();
      stderr.write(`parsing: ${share}${sentences} sentences, ${words} words`);
    },
    line: (text) => {
      clear();
      line(text);
    },
    stop: clear,
  };
}
