import type { Mode } from "./state.ts";

/** A command of the editor: everything that it does has one, with a key. */
export interface Command {
  readonly title: string;
  readonly group: CommandGroup;
  /** Names of keys as `keyName` gives them. */
  readonly keys: readonly string[];
  /** The modes in which the key has this meaning; absent: all of them. */
  readonly modes?: readonly Mode[];
  /** Whether the key works while text is typed. */
  readonly inText?: boolean;
  readonly run: () => void;
}

/** The groups of commands, in the order of the help. */
export const GROUPS = [
  "File",
  "Move",
  "Edit",
  "Arcs",
  "Words and sentences",
  "Graph",
  "Parser",
  "Screen",
  "Notes and tools",
] as const;
type CommandGroup = (typeof GROUPS)[number];
