export { count, lower, seconds, share, words } from "../report/quantities.ts";
export { formatInteger, formatPercent, formatPoints, formatTime, threeDigits } from "../results/format.ts";
export type { Keep } from "../results/journal.ts";
export type { Contestant, Measure } from "../results/results.ts";
export {
  type CommandFactory,
  type Io,
  type OutputOptions,
  status,
  withOutputs,
} from "./io.ts";
export { checkSources } from "./options.ts";
export { type Program, runProgram } from "./program.ts";
export { Run } from "./run.ts";
