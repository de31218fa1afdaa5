import { readFileSync } from "node:fs";

/** A command line of a document. */
export interface DocumentedCommand {
  readonly name: string;
  /** The arguments after the name, without quotes. */
  readonly args: readonly string[];
  readonly options: readonly string[];
  readonly line: string;
}

/** Returns the command lines `npm run SCRIPT -- NAME ...` of a document. */
export function commandsOf(document: URL, script: string): DocumentedCommand[] {
  const text = readFileSync(document, "utf8").replaceAll(/ \\\n +/g, " ");
  const lines = [...text.matchAll(/^ {4}npm run (\w+) -- (\w+)(.*)$/gm)];
  return lines.filter(([, one]) => one === script).map(([, , name, rest]) => commandOf(`${name}${rest}`));
}

/** Splits a command line into its name and arguments. */
export function commandOf(line: string): DocumentedCommand {
  const words = line.match(/"[^"]*"|[^\s"]+/g) ?? [];
  const [name = "", ...args] = words.map((word) => word.replaceAll('"', ""));
  return { name, args, options: line.replaceAll(/"[^"]*"/g, "").match(/--[a-z-]+/g) ?? [], line };
}
