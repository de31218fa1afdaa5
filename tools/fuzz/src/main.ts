import { EXIT } from "@arcwise/cli/command";
import { CommanderError } from "commander";
import { fuzzCommand } from "./command.ts";

process.once("SIGINT", () => process.exit(EXIT.interrupted));
try {
  await fuzzCommand(process).exitOverride().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
}
