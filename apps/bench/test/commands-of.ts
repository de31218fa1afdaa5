import { readFileSync } from "node:fs";

/** A command line of a document. */
export interface DocumentedCommand {
  readonly name: string;
  readonly options: readonly string[];
  readonly line: string;
}

/** Returns the command lines `npm run SCRIPT -- NAME ...` of a document. */
export function commandsOf(document: URL, script: string): DocumentedCommand[] {
  const text = readFileSync(document, "utf8").replaceAll(/ \\\n +/g, " ");
  const lines = [...text.matchAll(/^ {4}npm run (\w+) -- (\w+)(.*)$/gm)];
  return lines
    .filter(([, one]) => one === script)
    .map(([, , name, rest]) => ({
      name: name!,
      options: rest!.replaceAll(/"[^"]*"/g, "").match(/--[a-z-]+/g) ?? [],
      line: `${name}${rest}`,
    }));
}
