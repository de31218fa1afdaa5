import { checkOptions, mergeOptions, type Option, type OptionTable } from "@arcwise/core/options";
import { InvalidArgumentError } from "commander";
import { DataError, UsageError } from "../errors.ts";
import { given, type PlannedFile } from "../files/file-plan.ts";
import { fileBytes } from "../files/input.ts";
import { jsonText } from "../files/output.ts";
import { settingValue } from "./flags.ts";

/**
 * Returns the settings of `--settings`.
 *
 * @param source the name of a JSON file, JSON itself, which begins with a brace, or one setting, such as
 *   `parser.network.units=128`
 */
export async function readSettings(source: string, table: OptionTable<object>): Promise<object> {
  const [, names, text] = SETTING.exec(source) ?? [];
  return names === undefined ? readDocument(source, table) : oneSetting(names.split("."), text!, table);
}

/** Returns the files among the sources of settings. */
export function settingsFiles(sources: readonly string[] | undefined): PlannedFile[] {
  const files = (sources ?? []).filter((source) => !SETTING.test(source) && !isDocument(source));
  return given({ "--settings": files });
}

/** Whether a source of settings is JSON itself. */
function isDocument(source: string): boolean {
  return source.trimStart().startsWith("{");
}

/** The names of groups and of a setting, and its value. */
const SETTING = /^([a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)*)=(.*)$/is;

function oneSetting(path: readonly string[], text: string, table: OptionTable<object>): object {
  const option = path.reduce<Option | undefined>(
    (group, name) =>
      (group === undefined ? table : (group.options ?? [])).find((inner) => inner.name === name),
    undefined,
  );
  const value = option === undefined ? text : namedValue(option, path, text);
  const settings = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
  checkOptions(table, settings, "--settings");
  return settings;
}

function namedValue(option: Option, path: readonly string[], text: string): unknown {
  try {
    return settingValue(option, text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`--settings ${path.join(".")}=${text}: ${error.message}`, { cause: error });
  }
}

async function readDocument(source: string, table: OptionTable<object>): Promise<object> {
  const isText = isDocument(source);
  const file = isText ? "--settings" : source;
  const text = isText ? source : (await fileBytes(source)).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(`${file}: expected settings in JSON: ${(error as Error).message}`, { cause: error });
  }
  checkOptions(table, value, file);
  return value as object;
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
  return jsonText(tableValues(table, values));
}
