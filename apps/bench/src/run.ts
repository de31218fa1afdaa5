import { type Program, runProgram } from "./command/program.ts";
import { allCommand } from "./commands/all.ts";
import { compareCommand } from "./commands/compare.ts";
import { decodersCommand } from "./commands/decoders.ts";
import { diffCommand } from "./commands/diff.ts";
import { learnersCommand } from "./commands/learners.ts";
import { type BenchIo, parsersCommand } from "./commands/parsers.ts";
import { startCommand } from "./commands/start.ts";

/** The program and its commands. */
export const PROGRAM: Program<BenchIo> = {
  name: "arcwise-bench",
  description: "Compares decoders, learners and whole parsers: accuracy and speed",
  script: "npm run bench",
  commands: [
    allCommand,
    startCommand,
    decodersCommand,
    parsersCommand,
    compareCommand,
    learnersCommand,
    diffCommand,
  ],
};

/** Runs the benchmark with the arguments `io.argv`. Returns the exit code; never throws. */
export function run(io: BenchIo): Promise<number> {
  return runProgram(io, PROGRAM);
}
