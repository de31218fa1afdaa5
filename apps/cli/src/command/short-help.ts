import { type Command, Help, Option } from "commander";

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
