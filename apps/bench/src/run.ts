import { Command, CommanderError } from "commander";
import { ad3Command } from "./commands/ad3.ts";
import { calibrationCommand } from "./commands/calibration.ts";
import { climbCommand } from "./commands/climb.ts";
import { compareCommand } from "./commands/compare.ts";
import { decodersCommand } from "./commands/decoders.ts";
import { learnersCommand } from "./commands/learners.ts";
import { maxentCommand } from "./commands/maxent.ts";
import { mixingCommand } from "./commands/mixing.ts";
import { parsersCommand } from "./commands/parsers.ts";
import { sampleCommand } from "./commands/sample.ts";
import { sequencesCommand } from "./commands/sequences.ts";
import type { Io } from "./io.ts";

/** Errors that speak of what the user gave, and say what is wrong with it. */
const USAGE_ERRORS: ReadonlySet<string> = new Set([
  "UsageError",
  "RangeError",
  "ConlluError",
  "ModelError",
  "UnsupportedPart",
]);

/**
 * Runs the benchmark with the arguments `io.argv`.
 *
 * @returns the exit code: 0 done, 1 a wrong answer or a fault of the program, 2 wrong arguments or data; never throws
 */
export async function run(io: Io): Promise<number> {
  try {
    await commandLine(io).parseAsync(io.argv, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return report(io, error instanceof Error ? error : new Error(String(error)));
  }
}

function report(io: Io, error: Error): number {
  const isUsage = USAGE_ERRORS.has(error.name) || "code" in error;
  const isTold = isUsage || error.name === "WrongAnswer";
  io.stderr.write(`arcwise-bench: ${isTold ? error.message : error.stack}\n`);
  return isUsage ? 2 : 1;
}

function commandLine(io: Io): Command {
  const program = new Command("arcwise-bench")
    .description("Compares decoders, learners and whole parsers: accuracy and speed")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .showHelpAfterError("(arcwise-bench COMMAND --help tells more)");
  for (const command of [
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
  ]) {
    program.addCommand(command(io).copyInheritedSettings(program));
  }
  return program;
}
