import type { WorkspacePackage } from "./workspace.ts";

/** A row of a table of options in a document, whose option no source of the package has. */
export interface UnknownOption {
  readonly line: number;
  readonly name: string;
}

const HEADER = /^\| (?:option|field of)\b/;
/** What declares an option: a row of an option table, or a member of a type. */
const DECLARED = /(?:readonly )?\b(\w+)\??: (?:\{|[A-Z])|readonly (\w+)\??:/g;

/**
 * Returns the options in the tables of a document that its package does not have: tables whose first column is called
 * "option", or "field of" something.
 */
export function unknownOptions({ files }: Pick<WorkspacePackage, "files">, text: string): UnknownOption[] {
  const sources = files.filter(({ path }) => path.startsWith("src/"));
  const declared = new Set(
    sources.flatMap((file) => Array.from(file.text.matchAll(DECLARED), ([, row, member]) => row ?? member)),
  );
  const unknown: UnknownOption[] = [];
  let isTable = false;
  for (const [i, line] of text.split("\n").entries()) {
    const isHeader = HEADER.test(line);
    isTable = line.startsWith("|") && (isTable || isHeader);
    if (!isTable || isHeader) continue;
    const [, first = ""] = line.split("|");
    for (const [, name = ""] of first.matchAll(/`(\w+)`/g))
      if (!declared.has(name)) unknown.push({ line: i + 1, name });
  }
  return unknown;
}
