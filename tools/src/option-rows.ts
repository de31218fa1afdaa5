import type { WorkspacePackage } from "./workspace.ts";

/** An option in a row of a table of options in a document. */
export interface OptionRow {
  readonly line: number;
  readonly name: string;
}

const HEADER = /^\| (?:option|field of)\b/;
/** What declares an option: a row of an option table, or a member of a type. */
const DECLARED = /(?:readonly )?\b(\w+)\??: (?:\{|[A-Z])|readonly (\w+)\??:/g;

/** A table of options in a document that lacks options of a table of the sources. */
export interface IncompleteTable {
  readonly line: number;
  /** The options that it lacks. */
  readonly names: readonly string[];
}

/**
 * Returns the options in the tables of a document that its package does not have: tables whose first column is called
 * "option", or "field of" something.
 */
export function unknownOptions({ files }: Pick<WorkspacePackage, "files">, text: string): OptionRow[] {
  const sources = files.filter(({ path }) => path.startsWith("src/"));
  const declared = new Set(
    sources.flatMap((file) => Array.from(file.text.matchAll(DECLARED), ([, row, member]) => row ?? member)),
  );
  return tablesOf(text).flatMap(({ rows }) => rows.filter(({ name }) => !declared.has(name)));
}

/**
 * Returns the tables of options of a document that name more than half of the options of a table of its package
 * (`defineOptions`), and not all of them. A table of a document may be about several tables of the package.
 */
export function incompleteTables(
  { files }: Pick<WorkspacePackage, "files">,
  text: string,
): IncompleteTable[] {
  const sources = files.filter(({ path }) => path.startsWith("src/"));
  const defined = sources.flatMap((file) => definedOptions(file.text));
  return tablesOf(text).flatMap(({ line, rows }) => {
    const named = new Set(rows.map(({ name }) => name));
    return defined.flatMap((options) => {
      const names = options.filter((name) => !named.has(name));
      return names.length > 0 && 2 * names.length < options.length ? [{ line, names }] : [];
    });
  });
}

/** Returns the names of the options of each table that a source defines. */
function definedOptions(source: string): string[][] {
  const [, ...tables] = source.split("defineOptions({\n");
  return tables.map((table) => {
    const [indent = ""] = /^ */.exec(table)!;
    const body = table.slice(0, table.indexOf(`\n${indent.slice(2)}})`));
    return Array.from(body.matchAll(new RegExp(`^${indent}(\\w+)[:,]`, "gm")), ([, name]) => name!);
  });
}

/** Returns the tables of options of a document: the line of the header, and a row per name of an option. */
function tablesOf(text: string): { readonly line: number; readonly rows: OptionRow[] }[] {
  const tables: { readonly line: number; readonly rows: OptionRow[] }[] = [];
  let isTable = false;
  for (const [i, line] of text.split("\n").entries()) {
    const isHeader = HEADER.test(line);
    isTable = line.startsWith("|") && (isTable || isHeader);
    if (isHeader) tables.push({ line: i + 1, rows: [] });
    else if (isTable)
      for (const [, name = ""] of line.split("|")[1]!.matchAll(/`(\w+)`/g))
        tables.at(-1)!.rows.push({ line: i + 1, name });
  }
  return tables;
}
