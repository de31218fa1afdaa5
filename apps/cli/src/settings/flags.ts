import { ArcwiseError } from "@arcwise/core/errors";
import { expectedBy, type Option as Fact, mergeOptions, type OptionTable } from "@arcwise/core/options";
import { type Command, InvalidArgumentError, Option } from "commander";
import { kebab } from "../command/options.ts";

interface FlagSetting {
  /** Names of the groups that the setting is in, and its own. */
  readonly path: readonly string[];
  readonly fact: Fact & { readonly flag: string };
}

/** The settings of each preset, by its name. */
export type Presets = Readonly<Record<string, object>>;

/** The settings of a command, and their values in presets. */
export interface Settings {
  readonly table: OptionTable<object>;
  readonly presets: Presets;
}

/**
 * Adds the flags of a table of settings. The table has their names, checks, help and defaults.
 *
 * @param graphs settings of graphs, which the flags of the same names give as well
 */
export function addFlags<C extends Command>(command: C, { table, presets }: Settings, graphs?: Settings): C {
  const others = flagSettings(graphs?.table ?? []);
  for (const { fact, path } of flagSettings(table)) {
    const own = defaultText(fact, path, presets);
    const other = others.find((one) => one.fact.flag === fact.flag);
    const theirs = other ? defaultText(other.fact, other.path, graphs!.presets) : own;
    const isOther = other !== undefined && other.fact.help !== fact.help;
    const help = isOther
      ? `${fact.help} (${own}); --for graphs: ${other.fact.help} (${theirs})`
      : `${fact.help} (${own}${own === theirs ? "" : `; --for graphs: ${theirs}`})`;
    command.addOption(flagOption(fact, help));
  }
  return command;
}

/**
 * Returns how `--settings` takes what a message of commander calls an unknown option, such as `--global`: a note for
 * the message; "" where no setting has that name.
 */
export function settingNote(message: string, table: OptionTable<object>): string {
  const flag = /unknown option '(--[^=']+)/.exec(message)?.[1];
  const spellings = settingPaths(table)
    .filter((path) => path.slice(-2).some((name) => flag === `--${kebab(name)}`))
    .map((path) => `--settings ${path.join(".")}=VALUE`);
  return spellings.length === 0 ? "" : `${flag} is a setting: give ${spellings.join(" or ")}`;
}

/** Returns the names of the groups and of each setting that has no flag. */
function settingPaths(table: OptionTable<object>, at: readonly string[] = []): string[][] {
  return table.flatMap(({ name, options, flag }) => {
    const path = [...at, name];
    if (options !== undefined) return settingPaths(options, path);
    return flag === undefined ? [path] : [];
  });
}

/** `--settings`, which may be given several times. */
export function settingsOption(): Option {
  return new Option(
    "--settings <file>",
    "settings that the flags do not give: a JSON file, JSON itself, or one setting, such as " +
      "parser.network.units=128; later ones win over earlier ones",
  ).argParser((source, before: readonly string[] = []) => [...before, source]);
}

/** Returns the settings that flags of a command line gave, as a file of settings has them. */
export function flagValues(command: Command, table: OptionTable<object>): object {
  return flagSettings(table).reduce((values, { path, fact }) => {
    const value: unknown = command.getOptionValue(new Option(fact.flag).attributeName());
    if (value === undefined) return values;
    return mergeOptions(
      table,
      values,
      path.reduceRight((inner, name) => ({ [name]: inner }), value) as object,
    );
  }, {});
}

function flagSettings(table: OptionTable<object>, at: readonly string[] = []): FlagSetting[] {
  return table.flatMap((fact): FlagSetting[] => {
    const path = [...at, fact.name];
    const { flag, options, flags } = fact;
    if (options !== undefined) return flags === false ? [] : flagSettings(options, path);
    return flag === undefined ? [] : [{ path, fact: { ...fact, flag } }];
  });
}

function flagOption(fact: FlagSetting["fact"], help: string): Option {
  const option = new Option(fact.flag, help);
  return option.isBoolean() ? option : option.argParser((text) => settingValue(fact, text));
}

/** Returns the default of a setting in words, with the presets that have another one. */
export function defaultText(fact: Fact, path: readonly string[], presets: Presets): string {
  const standard = fact.defaultHelp ?? (fact.default === undefined ? "none" : valueText(fact.default));
  const others = Object.entries(presets).flatMap(([name, preset]) => {
    const value = path.reduce<unknown>((group, key) => (group as Record<string, unknown>)?.[key], preset);
    return value === undefined ? [] : [`${name}: ${valueText(value)}`];
  });
  return [standard, ...others].join("; ");
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const NUMBER = /^-?(?:\d*\.)?\d+(?:e-?\d+)?$/i;

/**
 * Returns the value that a text stands for, as the check of a setting accepts it: true or false, the text itself, a
 * number, or a list of texts or numbers.
 */
export function settingValue({ check, options }: Fact, text: string): unknown {
  const number = NUMBER.test(text) ? [Number(text)] : [];
  const truth = text === "true" || text === "false" ? [text === "true"] : [];
  const items = text.split(",").map((item) => item.trim());
  const numbers = items.every((item) => NUMBER.test(item)) ? [items.map(Number)] : [];
  const names = options === undefined ? "" : `: ${options.map(({ name }) => name).join(", ")}`;
  let expected = expectedBy(check) + names;
  for (const value of [...truth, text, ...number, items, ...numbers]) {
    try {
      check(value, "");
      return value;
    } catch (error) {
      if (!(error instanceof ArcwiseError)) throw error;
      // What is wrong with an item says more than that a list was expected.
      if (Array.isArray(value) && error.at !== "" && error.expected !== undefined) expected = error.expected;
    }
  }
  throw new InvalidArgumentError(`Expected ${expected}.`);
}
