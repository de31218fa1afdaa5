import { type Io, type Program, runProgram } from "@arcwise/bench/command";
import { allCommand, EXPERIMENTS } from "./all.ts";

/** The program and its commands. */
export const PROGRAM: Program<Io> = {
  name: "arcwise-experiments",
  description: "Measures claims of the papers that the algorithms come from",
  script: "npm run experiments",
  commands: [allCommand, ...Object.values(EXPERIMENTS)],
};

/** Runs the experiment that `io.argv` names. Returns the exit code; never throws. */
export function run(io: Io): Promise<number> {
  return runProgram(io, PROGRAM);
}
