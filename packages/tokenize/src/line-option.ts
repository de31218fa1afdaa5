import { flag } from "@arcwise/core/options";

/** Whether the lines of a text are sentences. */
export const LINES = {
  check: flag,
  help: "whether each line of a text ends a sentence",
  defaultHelp: "recognised, for each block of lines",
} as const;
