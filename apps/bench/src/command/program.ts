import { EXIT, type Explanation, explain, printable } from "@arcwise/cli/command";
import { Command, CommanderError } from "commander";
import type { CommandFactory, Io } from "./io.ts";

/** A program of sub-commands. */
export interface Program<T extends Io> {
  readonly name: string;
  readonly description: string;
  /** The npm script that runs it. */
  readonly script: string;
  readonly commands: readonly CommandFactory<T>[];
}

/** Names of errors about wrong results of what was measured. */
const WRONG_RESULTS: ReadonlySet<string> = new Set(["WrongAnswer", "ParserFailed", "FaultsFound"]);

/** Runs a program with the arguments `io.argv`. Returns the exit code, one of `EXIT`; never throws. */
export async function runProgram<T extends Io>(io: T, program: Program<T>): Promise<number> {
  try {
    // Without a command: the help.
    const argv = io.argv.length === 0 ? ["--help"] : io.argv;
    await commandLine(io, program).parseAsync(argv, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { code, message } = explanation(error);
    const isFault = code === EXIT.internal && error instanceof Error;
    io.stderr.write(`${program.name}: ${isFault ? error.stack : printable(message)}\n`);
    return code;
  }
}

function explanation(error: unknown): Explanation {
  const { code, message } = explain(error);
  if (code !== EXIT.internal || !(error instanceof Error)) return { code, message };
  // Options that request what does not exist.
  if (error instanceof RangeError) return { code: EXIT.usage, message: error.message };
  if (WRONG_RESULTS.has(error.name)) return { code: EXIT.data, message: error.message };
  return { code, message };
}

function commandLine<T extends Io>(io: T, { name, description, script, commands }: Program<T>): Command {
  const program = new Command(name)
    .description(description)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)),
    })
    .showHelpAfterError(`(${name} COMMAND --help lists the options)`);
  for (const command of commands) {
    program.addCommand(command({ ...io, script }).copyInheritedSettings(program));
  }
  return program;
}
