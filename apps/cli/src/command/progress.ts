import { SingleBar } from "cli-progress";
import type { Io } from "../files/io.ts";
import { printable, printLine } from "../files/printable.ts";

/** Shows the progress of a long command: a bar on a terminal, otherwise a line for each event. */
export interface Progress {
  /** Updates the progress of the current stage. Nothing is printed without a terminal. */
  update(stage: string, done: number, total: number, detail: string): void;
  /** Prints a line that stays. */
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
    line: (text) => printLine(io, text),
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
      const shown = { stage: printable(stage), detail: printable(detail) };
      if (current === undefined) {
        current = new SingleBar({
          format: "{stage} {bar} {percentage}% | {value}/{total} sentences | {detail}",
          stream: io.stderr,
          clearOnComplete: true,
          hideCursor: true,
          gracefulExit: false,
        });
        current.start(total, done, shown);
      } else {
        current.setTotal(total);
        current.update(done, shown);
      }
    },
    line: (text) => {
      stop();
      printLine(io, text);
    },
    stop,
  };
}
