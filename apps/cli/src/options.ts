import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import type { Io } from "./io.ts";

/** Makes a subcommand; `done` is told the exit code when it is not 0. */
export type CommandFactory = (io: Io, done: (code: number) => void) => Command;

/** A parser of option values: an integer from `least` to `most`. */
export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const range =
      most === Number.MAX_SAFE_INTEGER ? `an integer >= ${least}` : `an integer from ${least} to ${most}`;
    throw new InvalidArgumentError(`Expected ${range}.`);
  };
}

/** A parser of option values: a number >= 0. */
export function rate(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+(e-?\d+)?$/.test(text) && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("Expected a number >= 0.");
}
