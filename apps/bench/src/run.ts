import { EXIT, type Explanation, explain, printable } from "@arcwise/cli/command";
import { Command, CommanderError } from "commander";
import { ad3Command } from "./commands/ad3.ts";
import { allCommand } from "./commands/all.ts";
import { calibrationCommand } from "./commands/calibration.ts";
import { climbCommand } from "./commands/climb.ts";
import { compareCommand } from "./commands/compare.ts";
import { decodersCommand } from "./commands/decoders.ts";
import { diffCommand } from "./commands/diff.ts";
import { fuzzCommand } from "./commands/fuzz.ts";
import { learnersCommand } from "./commands/learners.ts";
import { maxentCommand } from "./commands/maxent.ts";
import { mixingCommand } from "./commands/mixing.ts";
import { parsersCommand } from "./commands/parsers.ts";
import { sampleCommand } from "./commands/sample.ts";
import { sequencesCommand } from "./commands/sequences.ts";
import type { Io } from "./io.ts";

/** Names of errors about wrong results of what was measured. */
const WRONG_RESULTS: ReadonlySet<string> = new Set(["WrongAnswer", "ParserFailed", "FaultsFound"]);

/** Runs the benchmark with the arguments `io.argv`. Returns the exit code, one of `EXIT`; never throws. */
export async function run(io: Io): Promise<number> {
  try {
    await commandLine(io).parseAsync(io.argv, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { code, message } = explanation(error);
    const isFault = code === EXIT.internal && error instanceof Error;
    io.stderr.write(`arcwise-bench: ${isFault ? error.stack : printable(message)}\n`);
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

function commandLine(io: Io): Command {
  const program = new Command("arcwise-bench")
    .description("Compares decoders, learners and whole parsers: accuracy and speed")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .showHelpAfterError("(arcwise-bench COMMAND --help lists the options)");
  for (const command of [
    allCommand,
    sampleCommand,
    decodersCommand,
    parsersCommand,
    calibrationCommand,
    sequencesCommand,
    climbCommand,
    ad3Command,
    compareCommand,
    mixingCommand,
    learnersCommand,
    maxentCommand,
    diffCommand,
    fuzzCommand,
  ]) {
    program.addCommand(command(io).copyInheritedSettings(program));
  }
  return program;
}
