/*
 * Options, exit codes and messages that the commands of this repository share. Not a stable interface for others.
 */

export { integer, integers, positive, required } from "./command/options.ts";
export { DataError, EXIT, type Explanation, explain, UsageError } from "./errors.ts";
export { type PlannedFile, type PlannedOutput, planFiles } from "./files/file-plan.ts";
export { planFolder } from "./files/folder.ts";
export { printable, shellWord } from "./files/io.ts";
export { replaceOutput, writeOutput, writeWith } from "./files/output.ts";
export { trainSettings } from "./settings/train-settings.ts";
export {
  epochsOption,
  type Labeller,
  type Order,
  parserOption,
  seedOption,
} from "./training/training-options.ts";
