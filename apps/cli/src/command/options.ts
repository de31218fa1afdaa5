import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import type { Io } from "../files/io.ts";
import { UsageError } from "./errors.ts";

/** Makes a subcommand; `done` takes the exit code when it is not 0. */
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

/** A parser of the values of an option that takes several: integers from `least`. */
export function integers(least: number): (text: string, before: readonly number[] | undefined) => number[] {
  const one = integer(least);
  return (text, before = []) => [...before, one(text)];
}

/** A parser of option values: a number >= 0. */
export function rate(text: string): number {
  const value = Number(text);
  if (/^(?:\d*\.)?\d+(?:e-?\d+)?$/.test(text) && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("Expected a number >= 0.");
}

/** A parser of option values: a number from 0 to 1. */
export function share(text: string): number {
  const value = rate(text);
  if (value <= 1) return value;
  throw new InvalidArgumentError("Expected a number from 0 to 1.");
}

/** Returns the name of a flag: `minConfidence` is `min-confidence`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Refuses options that do not go with others. @throws UsageError that names one of them and says why */
export function refuse<Name extends string>(
  options: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  why: string,
): void {
  const other = names.find((name) => options[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${kebab(other)} ${why}`);
}

/** `--uncertain <p>`: which arcs are listed. */
export function uncertainOption(): Option {
  const help =
    "list arcs with a probability below p on the standard error; probabilities are written to MISC, as ArcP=0.9731";
  return new Option("--uncertain <p>", help).argParser(share);
}

/** `--first <model>`: the quick model of a cascade. */
export function firstOption(): Option {
  const help =
    "a quicker model, as one without an encoder, that reads each sentence first: MODEL reads only sentences of which " +
    "this one is not confident";
  return new Option("--first <model>", help);
}

/** A parser of option values: a number > 0. */
export function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("Expected a number > 0.");
}

/**
 * Makes options of a command required. Unlike `requiredOption` of commander this is checked after all options
 * were read: `--modle m` is reported as a misspelt option, not as a missing `--model`.
 *
 * @param flags as the options were declared, such as `--model <file>`
 */
export function required(command: Command, ...flags: readonly string[]): Command {
  return requiredUnless(undefined, command, ...flags);
}

/** The end of the help of an option that is required. */
const REQUIRED = " (required)";

/** `required`, unless the command is to do something else. @param other the attribute of the flag for that */
export function requiredUnless(
  other: string | undefined,
  command: Command,
  ...flags: readonly string[]
): Command {
  const options = flags.map((wanted) => {
    const option = command.options.find((one) => one.flags === wanted);
    if (option === undefined) throw new Error(`no option ${wanted} is declared`);
    // Commands that are made of one table share its options.
    if (!option.description.endsWith(REQUIRED)) option.description += REQUIRED;
    return option;
  });
  return command.hook("preAction", (_, acting) => {
    if (other !== undefined && acting.getOptionValue(other) !== undefined) return;
    const missing = options.find((option) => acting.getOptionValue(option.attributeName()) === undefined);
    if (missing === undefined) return;
    acting.error(`error: required option '${missing.flags}' not specified`, {
      code: "commander.missingMandatoryOptionValue",
    });
  });
}
