import { inspect } from "node:util";
import { hasCode } from "@arcwise/core/errors";
import { nearest } from "@arcwise/core/options";
import { Command, CommanderError } from "commander";
import { configureShortHelp } from "./command/options.ts";
import { COMMANDS, groupOf, programHelp } from "./commands/groups.ts";
import { EXIT, explain } from "./errors.ts";
import { type Io, printable, printableLines, printLine } from "./files/io.ts";
import { printOutput } from "./files/output.ts";
import { version } from "./version.ts";

const AFTER_HELP = `
Files are CoNLL-U, or raw text where a command says so; - is the standard input or output; names that
end with .gz are (un)packed.

Exit codes: 0 done; 1 the data is wrong or cannot be read or written, or a server is down;
2 the command line is wrong; 3 a fault of arcwise itself; 4 some sentences could not be parsed; 130 stopped by the user.
ARCWISE_DEBUG=1 prints the stack trace of an error.`;

/**
 * Runs the `arcwise` command.
 *
 * @param argv the arguments after the name of the program
 * @returns the exit code; never throws
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const done = (result: number) => {
    code = result;
  };
  const isHelp = argv[0] === "help" || argv.some((word) => word === "--help" || word === "-h");
  const isFull = isHelp && argv.includes("--all");
  const words = isFull ? argv.filter((word) => word !== "--all") : argv;
  let help = "";
  const onHelp = (text: string) => {
    help += text;
  };
  try {
    const program = await commandLine(words, io, { isFull, done, onHelp });
    await program.parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (argv[0] === "train" && error.code === "commander.unknownOption")
        await printSetting(error, argv, io);
      if (error.code === "commander.unknownCommand") await printParsing(argv[0]!, io);
      return error.exitCode === 0 ? printHelp(io, help) : EXIT.usage;
    }
    return report(error, io);
  }
}

/** Writes help or the version as other outputs are written: an output that takes none is an error. */
async function printHelp(io: Io, help: string): Promise<number> {
  try {
    await printOutput(io, help);
    return EXIT.ok;
  } catch (error) {
    return report(error, io);
  }
}

/** Prints how `--settings` takes an unknown option, where it is a setting. */
async function printSetting({ message }: CommanderError, argv: readonly string[], io: Io): Promise<void> {
  const isOfGraphs = argv.some(
    (word, i) => word === "--for=graphs" || (word === "graphs" && argv[i - 1] === "--for"),
  );
  const { settingNote } = await import("./settings/flags.ts");
  const { GRAPH_TABLE, TRAIN_TABLE } = await import("./settings/tables.ts");
  const note = settingNote(message, isOfGraphs ? GRAPH_TABLE : TRAIN_TABLE);
  if (note !== "") printLine(io, note);
}

/** Prints how a text, or text by a model, is parsed, where one of both stands in the place of a command. */
async function printParsing(word: string, io: Io): Promise<void> {
  const { installedModels } = await import("./analysis/model-names.ts");
  const names = (await installedModels()).map(({ name }) => name);
  if (names.includes(word)) printLine(io, `${word} is a model: arcwise parse ${word} "Dogs bark."`);
  else if (/\s/.test(word))
    printLine(io, `to parse a text: arcwise parse ${names[0] ?? "english"} ${JSON.stringify(word)}`);
}

function report(error: unknown, io: Io): number {
  // As with other filters, a reader that has seen enough is not an error.
  if (hasCode(error, "closed-output")) return EXIT.ok;
  const { code, message } = explain(error);
  printLine(io, `arcwise: ${message}`);
  const debug = io.env.ARCWISE_DEBUG;
  if (debug !== undefined && debug !== "" && debug !== "0" && error instanceof Error) {
    io.stderr.write(`${printableLines(inspect(error))}\n`);
  }
  return code;
}

/** Columns of help without a terminal. */
const HELP_WIDTH = 80;

/** What to write in place of commands that do not exist. */
const OTHERS: Readonly<Record<string, string>> = {
  draw: "arcwise parse MODEL FILE -o trees.svg draws, as .svg, .html, .tex or .txt",
  graph:
    "graph train is arcwise train --for graphs; graph parse is parse MODEL FILE, graph evaluate is evaluate --graphs, and " +
    "graph enhance is convert --deps enhance",
  version: "arcwise --version",
};

/** A message of commander, whose lines may quote the command line, with the name that may have been meant. */
function usageMessage(text: string, program: Command): string {
  const [first, ...rest] = text.replace(/^error: /, "arcwise: ").split("\n");
  const [, name] = /^arcwise: unknown command '(\w+)'/.exec(first!) ?? [];
  const other = name !== undefined && Object.hasOwn(OTHERS, name) ? `: ${OTHERS[name]}` : "";
  return [first + other, ...didYouMean(first!, program), ...rest].map(printable).join("\n");
}

/** Returns a line with the command or the option nearest to an unknown one, if there is one. */
function didYouMean(message: string, program: Command): string[] {
  const [, kind, dashes, written] = /unknown (command|option) '(-*)([^'=]*)/.exec(message) ?? [];
  if (written === undefined) return [];
  if (message === "arcwise: unknown option '-v'") return ["(Did you mean -V?)"];
  const names = kind === "command" ? program.commands.map((one) => one.name()) : optionNames(program);
  const near = nearest(written, names);
  return near === undefined ? [] : [`(Did you mean ${dashes}${near}?)`];
}

/** Returns the names of the options of the commands that are loaded. */
function optionNames({ commands }: Command): string[] {
  return commands.flatMap((one) => [
    ...one.options.flatMap(({ long }) => long?.slice(2) ?? []),
    ...optionNames(one),
  ]);
}

interface CommandLineOptions {
  /** Whether help has all options. */
  readonly isFull: boolean;
  /** Called with the exit code of the command. */
  readonly done: (code: number) => void;
  /** Called with the texts of help. */
  readonly onHelp: (text: string) => void;
}

/**
 * Returns the command line with the named command alone; for an unknown name, with all commands, as for help and for
 * suggestions.
 */
async function commandLine(
  [name]: readonly string[],
  io: Io,
  { isFull, done, onHelp }: CommandLineOptions,
): Promise<Command> {
  const program = emptyCommandLine(io, isFull, onHelp);
  for (const known of loadedFor(name, isFull)) {
    const made = (await COMMANDS[known]!())(io, done).copyInheritedSettings(program);
    for (const sub of made.commands) sub.copyInheritedSettings(made);
    program.addCommand(made.helpGroup(`${groupOf(known)}:`));
  }
  return program;
}

/** The names of the commands to load for the first word of a command line. */
function loadedFor(name: string | undefined, isFull: boolean): readonly string[] {
  if (name !== undefined && Object.hasOwn(COMMANDS, name)) return [name];
  // The short help of the program is a table.
  return name?.startsWith("-") && !isFull ? [] : Object.keys(COMMANDS);
}

function emptyCommandLine(io: Io, isFull: boolean, onHelp: (text: string) => void): Command {
  const program = new Command("arcwise")
    .description(
      "Graph-based dependency parsing: train, parse, evaluate and package models; convert, search and validate treebanks",
    )
    .exitOverride()
    .configureOutput({
      writeOut: onHelp,
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => io.stderr.columns ?? HELP_WIDTH,
      outputError: (text, write) => write(usageMessage(text, program)),
    })
    .version(version(), "-V, --version", "print the version of arcwise")
    .showSuggestionAfterError(false)
    .showHelpAfterError("(arcwise --help and arcwise COMMAND --help list the options)");
  configureShortHelp(program, isFull);
  if (isFull) return program.addHelpText("after", AFTER_HELP);
  program.helpInformation = programHelp;
  return program;
}
