import type { TrainingProgress, TrainingStep } from "@arcwise/core/training";
import { SingleBar } from "cli-progress";
import { Option } from "commander";
import { type Io, printable, printLine } from "../files/io.ts";

/** Shows the progress of a training on the standard error. */
export interface TrainingDisplay {
  /**
   * Shows a report: on a terminal in one bar for the whole training, with the time left; elsewhere nothing. The
   * last report of a step is a line that stays.
   */
  show(at: TrainingProgress): void;
  /** Prints a line that stays. */
  line(text: string): void;
  /** Removes the bar. */
  stop(): void;
}

/** `--verbose` of trainings. */
export function verboseOption(): Option {
  return new Option("--verbose", "print a line for each epoch of each step as well");
}

/** The names of steps that are not written as they are. */
const NAMES: Readonly<Record<string, string>> = {
  encode: "vectors of the encoder",
  tokenizer: "tokeniser",
  jackknife: "tags of parts",
  prune: "pruner",
  labels: "labeller",
};

/** The names of scores that are not written as they are. */
const SCORES: Readonly<Record<string, string>> = { uas: "UAS", las: "LAS", f1: "labelled F1" };

/** Returns the display of a training, on a terminal with a bar. */
export function trainingDisplay(
  io: Io,
  { verbose = false }: { readonly verbose?: boolean | undefined } = {},
): TrainingDisplay {
  const bar = io.stderr.isTTY === true ? trainingBar(io) : undefined;
  const start = performance.now();
  /** The last figures of each step, by what they are of: a step of several columns has several. */
  const figures = new Map<TrainingStep, Map<string, string>>();
  const line = (text: string): void => {
    bar?.stop();
    printLine(io, text);
  };
  return {
    show(at) {
      const { step, target = "", part, epoch, epochs } = at;
      const own = figures.get(step) ?? new Map<string, string>();
      figures.set(step, own);
      const text = figuresOf(at);
      // The figures of parts of the treebank say little: each is of another tagger.
      if (part === undefined && text !== "") own.set(target, text);
      const name = NAMES[step] ?? step;
      const place = [part === undefined ? "" : `part ${part}`, target].filter((one) => one !== "");
      if (verbose && at.epochDone)
        line(`${[name, ...place].join(", ")} ${epoch}/${epochs}: ${text || "done"}`);
      if (at.share === 1) {
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        line([`${name} done after ${seconds} s`, ...own.values()].join("; "));
      }
      bar?.update(name, at.trainingShare);
    },
    line,
    stop: () => bar?.stop(),
  };
}

/** Returns the figures of a report: `training error of upos 1.20 %, dev upos 95.10`. */
export function figuresOf({ loss, error, dev }: TrainingProgress): string {
  const scores = Object.entries(dev ?? {}).map(
    ([name, value]) => `${SCORES[name] ?? name} ${value.toFixed(2)}`,
  );
  return [
    error && `training error of ${error.of} ${(100 * error.share).toFixed(2)} %`,
    loss && `loss per ${loss.per} ${loss.value.toFixed(4)}`,
    scores.length > 0 ? `dev ${scores.join(" ")}` : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(", ");
}

/** Shares of a training that a bar distinguishes. */
const RESOLUTION = 1000;
/** Share of the training after which the time left is estimated. */
const MIN_SHARE = 0.01;

function trainingBar({ stderr }: Io) {
  let bar: SingleBar | undefined;
  let first: { readonly share: number; readonly time: number } | undefined;
  return {
    update(step: string, share: number): void {
      const now = performance.now();
      // A training that continues from a checkpoint begins later than at 0.
      first ??= { share, time: now };
      const done = share - first.share;
      const left = done < MIN_SHARE ? "" : `${duration(((now - first.time) * (1 - share)) / done)} left`;
      const shown = { step: printable(step), left };
      const value = Math.floor(RESOLUTION * share);
      if (bar !== undefined) {
        bar.update(value, shown);
        return;
      }
      bar = new SingleBar({
        format: "{bar} {percentage}% | {step} | {left}",
        stream: stderr,
        clearOnComplete: true,
        hideCursor: true,
        gracefulExit: false,
      });
      bar.start(RESOLUTION, value, shown);
    },
    stop(): void {
      bar?.stop();
      bar = undefined;
    },
  };
}

/** Returns milliseconds as hours, minutes and seconds: `1:02:03`, `2:03`. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((part, k) => (k === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
