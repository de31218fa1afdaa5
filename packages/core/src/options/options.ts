import { ModelError } from "../container/model-error.ts";
import { type Check, either, pathOf, refuse } from "../container/schema.ts";
import { ArcwiseError } from "../errors/arcwise-error.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { suggestion } from "./suggest.ts";

interface CommonFacts {
  /** One sentence: what the option does, with its unit. */
  readonly help: string;
  readonly default?: unknown;
  /** The default in words, where it depends on other options or on data. */
  readonly defaultHelp?: string | undefined;
  /** A value must be given. */
  readonly required?: true | undefined;
  /** A heading of the reference page and of the help. */
  readonly group?: string | undefined;
  /** The stage of a training that reads the option. */
  readonly stage?: string | undefined;
  /** The value is code or data of a program, which a file of settings cannot contain. */
  readonly programmatic?: true | undefined;
  /** Checks the value of a file of settings where a program may give others: names of modules, not modules. */
  readonly fileCheck?: Check | undefined;
  /** The flag of commands that gives the value: `--order <n>`. Without one, only files of settings have it. */
  readonly flag?: string | undefined;
}

/** The facts of an option whose value is checked as a whole. */
interface ValueFacts extends CommonFacts {
  /** Checks a value. `undefined` means that no value is given, and is not checked. */
  readonly check: Check;
  readonly options?: undefined;
}

/** The facts of an option whose value is options of another table. Default: all defaults of that table. */
interface GroupFacts extends CommonFacts {
  readonly options: OptionTable<object>;
  /** `false` is a value as well: it switches off what the options are of. */
  readonly off?: true | undefined;
  readonly default?: false | undefined;
  /** `false`: commands have no flags for its options. */
  readonly flags?: false | undefined;
}

/** The facts of an option. */
type OptionFacts = ValueFacts | GroupFacts;

/** An option of a table. */
export interface Option extends CommonFacts {
  readonly name: string;
  readonly check: Check;
  /** The table that its value consists of, if it is options. */
  readonly options?: OptionTable<object> | undefined;
  readonly off?: true | undefined;
  readonly flags?: false | undefined;
}

/** A table of options in the order of their definition, with the type of the definitions. */
export interface OptionTable<out Definitions extends object> extends ReadonlyArray<Option> {
  /** Never there: it keeps the type. */
  readonly definitions?: Definitions;
}

/** The type of the values of an option. */
type ValueOf<Facts> = Facts extends { readonly options: infer Table }
  ? OptionsOf<Table> | Off<Facts>
  : Facts extends { readonly check: Check<infer Value> }
    ? Value
    : never;

type Off<Facts> = Facts extends { readonly off: true } ? false : never;

type RequiredNames<D> = {
  [Name in keyof D]: D[Name] extends { readonly required: true } ? Name : never;
}[keyof D];

type OptionalOptions<D> = { readonly [Name in keyof D]?: ValueOf<D[Name]> | undefined };
type RequiredOptions<D> = { readonly [Name in keyof D]: ValueOf<D[Name]> };

/**
 * The options of a table as a caller gives them: all but those that are `required` may be missing. Members have the
 * documentation of the definitions.
 */
export type OptionsOf<Table> =
  Table extends OptionTable<infer D>
    ? [RequiredNames<D>] extends [never]
      ? OptionalOptions<D>
      : RequiredOptions<Pick<D, RequiredNames<D>>> & OptionalOptions<Omit<D, RequiredNames<D>>>
    : never;

/** The options of a table with their defaults, as `checkOptions` returns them. */
export type Complete<Table> =
  Table extends OptionTable<infer D> ? { readonly [Name in keyof D]: CompleteValue<D[Name]> } : never;

type CompleteValue<Facts> = Facts extends { readonly options: infer Table }
  ? Complete<Table> | Off<Facts>
  : Facts extends { readonly default: unknown } | { readonly required: true }
    ? ValueOf<Facts>
    : ValueOf<Facts> | undefined;

/** Facts of options by name. */
type OptionDefinitions = { readonly [name: string]: OptionFacts };

/**
 * Defines the table of the options of a function: `defineOptions({ name: facts, ... })`. `OptionsOf` returns the type of
 * the options.
 */
export function defineOptions<const D extends OptionDefinitions>(definitions: D): OptionTable<D> {
  return Object.entries(definitions).map(([name, facts]) =>
    facts.options === undefined
      ? { name, ...facts }
      : { name, ...facts, check: groupCheck(facts.options, facts.off) },
  );
}

function groupCheck(table: OptionTable<object>, off: true | undefined): Check {
  return off ? either(false, optionsOf(table)) : optionsOf(table);
}

/** Returns the options of a table that a file of settings may contain, with the checks of their values there. */
export function fileOptions<Table extends OptionTable<object>>(table: Table): Table {
  const options = table.flatMap((option): Option[] => {
    if (option.programmatic) return [];
    if (option.options === undefined) return [{ ...option, check: option.fileCheck ?? option.check }];
    const inner = fileOptions(option.options);
    return [{ ...option, options: inner, check: groupCheck(inner, option.off) }];
  });
  return options as readonly Option[] as Table;
}

/** Returns a table with the options of both. */
export function joinOptions<A extends object, B extends object>(
  a: OptionTable<A>,
  b: OptionTable<B>,
): OptionTable<A & B> {
  return [...a, ...b];
}

/** Returns a table without some of its options. */
export function omitOptions<D extends object, const Name extends keyof D & string>(
  table: OptionTable<D>,
  ...names: readonly Name[]
): OptionTable<Omit<D, Name>> {
  return table.filter(({ name }) => !names.includes(name as Name));
}

/**
 * Checks the options of a call. O(options).
 *
 * @param where the name of the function, for messages
 * @returns the options with their defaults
 * @throws ArcwiseError `unknown-option`, or `invalid-option` with `at`, `expected` and `found`
 */
export function checkOptions<Table extends OptionTable<object>>(
  table: Table,
  value: unknown,
  where: string,
): Complete<Table> {
  refusedAs("invalid-option", where, () => checkTable(table, value, ""));
  return complete(table, value) as Complete<Table>;
}

function complete(table: OptionTable<object>, value: unknown): object {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    table.map(({ name, options, default: standard }) => {
      const own = given[name] ?? standard;
      return [name, options === undefined || own === false ? own : complete(options, own)];
    }),
  );
}

/**
 * Returns the options of `base` with the values of `over` in place of theirs. Groups of options are merged, unless
 * one of both is `false`. O(options).
 */
export function mergeOptions<T extends object>(table: OptionTable<object>, base: T, over: T): T {
  const before = base as Readonly<Record<string, unknown>>;
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const inner = table.find((option) => option.name === name)?.options;
    const old = before[name];
    merged[name] = inner && isGroup(old) && isGroup(value) ? mergeOptions(inner, old, value) : value;
  }
  return merged as T;
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A check of an option whose value is itself options of a table. */
export function optionsOf<Table extends OptionTable<object>>(table: Table): Check<OptionsOf<Table>> {
  return (value, at) => checkTable(table, value, at);
}

/**
 * Checks an argument.
 *
 * @param where the names of the function and the argument, for messages
 * @throws ArcwiseError `invalid-argument` with `expected` and `found`
 */
export function checkArgument(check: Check, value: unknown, where: string): void {
  refusedAs("invalid-argument", where, () => check(value, ""));
}

/**
 * Checks data from elsewhere: an order of a queue, the contents of a blob.
 *
 * @param what the data, for messages
 * @throws ArcwiseError `invalid-data` with `at`, `expected` and `found`
 */
export function checkReceived(check: Check, value: unknown, what: string): void {
  refusedAs("invalid-data", undefined, () => check(value, what));
}

/** Returns whether data from elsewhere is what a check accepts. It may be anything, also an object that throws. */
export function isReceived<Received>(check: Check, value: unknown): value is Received {
  try {
    check(value, "");
    return true;
  } catch {
    return false;
  }
}

function checkTable(table: OptionTable<object>, value: unknown, at: string): void {
  if (value === undefined) value = {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(at, "options", value);
  const names = table.map(({ name }) => name);
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    const path = pathOf(at, name);
    throw new ArcwiseError("unknown-option", `unknown option "${path}"${suggestion(name, names)}`, {
      at: path,
    });
  }
  const given = value as Readonly<Record<string, unknown>>;
  for (const { name, check, required } of table) {
    if (given[name] !== undefined || required) check(given[name], pathOf(at, name));
  }
}

/** Returns what a check expects, in words, as its messages do. */
export function expectedBy(check: Check): string {
  try {
    check(Symbol("no value"), "");
  } catch (error) {
    if (error instanceof ArcwiseError && error.expected !== undefined) return error.expected;
  }
  return "any value";
}

/** Runs checks. A refusal becomes an error with a code whose message begins with a place, if one is given. */
function refusedAs<T>(code: ErrorCode, where: string | undefined, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ArcwiseError)) throw error;
    const { message, at, expected, found } = error;
    const placed = where === undefined ? message : `${where}: ${message}`;
    throw new ArcwiseError(error instanceof ModelError ? code : error.code, placed, {
      at,
      expected,
      found,
    });
  }
}
