import { availableParallelism } from "node:os";
import type { StoreAddresses } from "@arcwise/cluster";
import { counted } from "@arcwise/core/errors";
import { type Command, Help, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../errors.ts";
import { type Io, printLine } from "../files/io.ts";

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

/** Options of commands that parse on several threads. */
export interface ThreadArguments {
  readonly threads?: number | undefined;
  readonly forceThreads?: boolean | undefined;
}

/** Bytes of input for which a thread more is worth the time that it takes to load a model. */
const BYTES_A_THREAD = 200_000;

/**
 * Declares `--threads N`.
 *
 * @param description what the threads do, and what does not depend on their number
 * @param byDefault their number; undefined: it depends on the input
 */
export function threadsOption(description: string, byDefault?: number): Option {
  const shown = byDefault === undefined ? "one for every 200 kB of input, at most one per core" : undefined;
  return new Option("--threads <n>", description).argParser(integer(1, 1024)).default(byDefault, shown);
}

/** `--force-threads`: the number of threads is not limited by the number of cores. */
export function forceThreadsOption(): Option {
  return new Option("--force-threads", "use as many threads as --threads says, whatever the number of cores");
}

/**
 * Returns the number of threads that parse: as many as were asked for, at most one per core unless that is forced. Says
 * so when it is fewer. Without a number, as many as the length of the input, in bytes, is worth.
 */
export function threadsToUse(
  io: Io,
  { threads, forceThreads = false }: ThreadArguments,
  length: number,
): number {
  const cores = availableParallelism();
  if (threads === undefined) {
    if (io.responsive !== true) return 1;
    return Math.max(1, Math.min(cores, Math.floor(length / BYTES_A_THREAD)));
  }
  if (forceThreads || threads <= cores) return threads;
  io.stderr.write(
    `this machine has ${counted(cores, "core")}: parsing on ${counted(cores, "thread")}, not ${threads} (--force-threads)\n`,
  );
  return cores;
}

/** The flags of commands that use a store. */
export interface StoreArguments {
  readonly store?: string | undefined;
  readonly readOnlyStore?: string | undefined;
}

/** The flags of commands that use a queue. */
export interface QueueArguments {
  readonly queue?: string | undefined;
}

/** Adds `--store`. */
export function withStoreOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--store <address>",
      "the store that all machines see: a folder, such as one on NFS, or s3://BUCKET/PREFIX",
    ),
  );
}

/** Adds `--store` and `--read-only-store`. */
export function withStoreOptions(command: Command): Command {
  return withStoreOption(command).addOption(
    new Option("--read-only-store <address>", "a store that is read as well, and never written to"),
  );
}

/** Adds `--queue`. @param more other values */
export function withQueueOption(command: Command, more = ""): Command {
  return command.addOption(
    new Option(
      "--queue <address>",
      "redis://HOST, rediss://HOST (TLS) or postgres://HOST/DATABASE, and #NAME for one of several groups of " +
        `workers; a password is better given by ARCWISE_QUEUE_PASSWORD${more}`,
    ),
  );
}

/** Returns the addresses of the store. */
export function requireStore({ store, readOnlyStore }: StoreArguments): StoreAddresses {
  if (store !== undefined) return { store, readOnlyStore };
  throw new UsageError("expected --store ADDRESS: a folder that all machines see, or s3://BUCKET/PREFIX");
}

const PASSWORD_NOTE =
  "arcwise: other users of this machine can see a password in --queue: give it by ARCWISE_QUEUE_PASSWORD";

/** Returns the options of `onQueue` and `serveQueue`. */
export function queueOptions(io: Io, { queue }: QueueArguments) {
  if (queue === undefined) throw new UsageError("expected --queue ADDRESS, such as redis://HOST");
  const [address, name] = queue.split("#");
  if (URL.canParse(address!) && new URL(address!).password !== "") printLine(io, PASSWORD_NOTE);
  return {
    queue: address!,
    name: name || undefined,
    password: io.env.ARCWISE_QUEUE_PASSWORD,
    onNote: (line: string) => printLine(io, `arcwise: ${line}`),
  };
}

/** Command lines and what they do. */
export type Examples = readonly (readonly [line: string, purpose: string])[];

/** The help of a command that fits on a screen; `--help --all` prints the options that it leaves out. */
export interface ShortHelp {
  /** The options that most users need, by their long flags, with a text of one line. */
  readonly options: Readonly<Record<string, string>>;
  /** A text before the examples. */
  readonly about?: string | undefined;
  readonly examples: Examples;
  /** The end of the full help. */
  readonly after?: string | undefined;
}

const SHORT = new WeakMap<Command, ShortHelp>();
/** Programs whose help is asked for with `--all`. */
const FULL = new WeakSet<Command>();

/** Gives a command with many options a help that fits on a screen. */
export function withShortHelp<C extends Command>(command: C, short: ShortHelp): C {
  SHORT.set(command, short);
  return command.addHelpText("after", () => {
    const examples = `\nExamples:\n${exampleLines(short.examples)}`;
    if (isFull(command)) return `${examples}\n${short.after ?? ""}`.trimEnd();
    const about = short.about === undefined ? "" : `\n${short.about}\n`;
    return `${about}${examples}\n\n${nameOf(command)} --help --all lists all options.`;
  });
}

/** Makes the help of a program and its commands short, unless `isFull`. */
export function configureShortHelp(program: Command, full: boolean): Command {
  if (full) FULL.add(program);
  return program.configureHelp({
    subcommandTerm,
    // Suggestions for misspelt options choose among all visible options.
    formatHelp: (command, helper) =>
      Help.prototype.formatHelp.call(Object.assign(helper, { visibleOptions }), command, helper),
  });
}

/** The name and arguments of a command; most have options. */
function subcommandTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(" ");
}

function visibleOptions(command: Command): Option[] {
  const all = new Help().visibleOptions(command);
  const short = SHORT.get(command);
  if (short === undefined || isFull(command)) return all;
  return Object.entries(short.options).map(([long, text]) => {
    const option = all.find((one) => one.long === long);
    if (option === undefined) throw new Error(`no option ${long} is declared`);
    return new Option(option.flags, text);
  });
}

function isFull(command: Command): boolean {
  return command.parent === null ? FULL.has(command) : isFull(command.parent);
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Columns of examples, before what they do. */
const EXAMPLE_WIDTH = 54;

/** Examples in lines of at most 80 columns; what a long one does stands in the next line. */
export function exampleLines(examples: Examples): string {
  return examples
    .map(([line, purpose]) => {
      const space =
        line.length < EXAMPLE_WIDTH ? " ".repeat(EXAMPLE_WIDTH - line.length) : `\n${" ".repeat(6)}`;
      return `  ${line}${purpose === "" ? "" : `${space}${purpose}`}`;
    })
    .join("\n");
}

/** The environment variable with a folder of encoders. */
export const ENCODERS = "ARCWISE_ENCODERS";

/** The flag of commands that parse with models of an encoder, or train with one. */
export interface EncoderArguments {
  readonly encoder?: string | undefined;
}

/** Adds `--encoder` to a command that parses. */
export function withEncoderOption(command: Command): Command {
  return command.option(
    "--encoder <folder>",
    "the encoder that the model was trained with, an ONNX model or vectors that were computed before; by default the " +
      `folder of its name next to the model, or in the folder of the environment variable ${ENCODERS}`,
  );
}

/** Adds `--encoder` to a command that trains. */
export function withTrainingEncoder(command: Command): Command {
  return command.option(
    "--encoder <folder>",
    "a pretrained encoder, whose vectors of words the network reads: an ONNX model, or vectors that were computed before",
  );
}
