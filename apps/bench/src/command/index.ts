export { count, lower, seconds, share, words } from "../results/contestants.ts";
export { formatInteger, formatPercent, formatPoints, formatTime, threeDigits } from "../results/format.ts";
export { Journal, journalOf, type Keep } from "../results/journal.ts";
export type { Contestant, Measure } from "../results/results.ts";
export {
  type CommandFactory,
  type Content,
  clearStatus,
  type Io,
  type OutputOptions,
  publish,
  status,
  withOutputs,
} from "./io.ts";
export { checkSources, sentencesOption, withModels, withQuick } from "./options.ts";
export { runProgram } from "./program.ts";
