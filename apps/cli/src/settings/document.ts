import { readFile } from "node:fs/promises";
import { checkOptions, mergeOptions, type OptionTable } from "@arcwise/core/options";
import { DataError, inFile } from "../command/errors.ts";

/**
 * Returns the settings of `--settings`.
 *
 * @param source the name of a JSON file, or JSON itself, which begins with a brace
 * @throws DataError when the file cannot be read or is not JSON
 * @throws ArcwiseError `unknown-option` or `invalid-option` that names the file and the field
 */
export async function readSettings(source: string, table: OptionTable<object>): Promise<object> {
  const isText = source.trimStart().startsWith("{");
  const file = isText ? "--settings" : source;
  const text = isText ? source : await settingsText(source);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(`${file}: expected settings in JSON: ${(error as Error).message}`, { cause: error });
  }
  checkOptions(table, value, file);
  return value as object;
}

async function settingsText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw inFile(error, file);
  }
}

/** Returns the settings of files, later ones in place of earlier ones, and of flags in place of both. */
export async function joinSettings<Document extends object>(
  table: OptionTable<object>,
  sources: readonly string[] | undefined,
  flags: object,
): Promise<Document> {
  let joined = {};
  for (const source of sources ?? []) joined = mergeOptions(table, joined, await readSettings(source, table));
  return mergeOptions(table, joined, flags) as Document;
}

/** Returns the values of the options of a table, also of its groups, in the order of the table. */
export function tableValues(table: OptionTable<object>, values: object): object {
  const given = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    table.flatMap(({ name, options }) => {
      const value = given[name];
      if (value === undefined) return [];
      const isGroup = options !== undefined && typeof value === "object" && value !== null;
      return [[name, isGroup ? tableValues(options, value) : value]];
    }),
  );
}

/** Returns settings as the text of a file. */
export function settingsFile(table: OptionTable<object>, values: object): string {
  return `${JSON.stringify(tableValues(table, values), undefined, 2)}\n`;
}
