import { type Io, type Program, runProgram } from "@arcwise/bench/command";
import { ad3Command } from "./commands/ad3.ts";
import { adaptationCommand } from "./commands/adaptation.ts";
import { allCommand } from "./commands/all.ts";
import { averagingCommand } from "./commands/averaging.ts";
import { calibrationCommand } from "./commands/calibration.ts";
import { climbCommand } from "./commands/climb.ts";
import { collinsCommand } from "./commands/collins.ts";
import { conditionCommand } from "./commands/condition.ts";
import { generalisationCommand } from "./commands/generalisation.ts";
import { maxentCommand } from "./commands/maxent.ts";
import { mixingCommand } from "./commands/mixing.ts";
import { optimalityCommand } from "./commands/optimality.ts";
import { partialCommand } from "./commands/partial.ts";
import { pathsCommand } from "./commands/paths.ts";
import { sequencesCommand } from "./commands/sequences.ts";
import { sweepsCommand } from "./commands/sweeps.ts";

/** The program and its commands. */
export const PROGRAM: Program<Io> = {
  name: "arcwise-experiments",
  description: "Measures claims of the papers that the algorithms come from",
  script: "npm run experiments",
  commands: [
    ad3Command,
    adaptationCommand,
    allCommand,
    averagingCommand,
    calibrationCommand,
    climbCommand,
    collinsCommand,
    conditionCommand,
    generalisationCommand,
    maxentCommand,
    mixingCommand,
    optimalityCommand,
    partialCommand,
    pathsCommand,
    sequencesCommand,
    sweepsCommand,
  ],
};

/** Runs the experiment that `io.argv` names. Returns the exit code; never throws. */
export function run(io: Io): Promise<number> {
  return runProgram(io, PROGRAM);
}
