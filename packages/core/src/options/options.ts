import { ModelError } from "../container/model-error.ts";
import { type Check, refuse } from "../container/schema.ts";
import { ArcwiseError } from "../errors/arcwise-error.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { suggestion } from "./suggest.ts";

/** The facts of an option. */
export interface OptionFacts {
  /** Checks a value. `undefined` means that no value is given, and is not checked. */
  readonly check: Check;
  /** One sentence: what the option does, with its unit. */
  readonly help: string;
  readonly default?: unknown;
  /** A value must be given. */
  readonly required?: true | undefined;
  /** A heading of the reference page and of the help. */
  readonly group?: string | undefined;
  /** The stage of a training that reads the option. */
  readonly stage?: string | undefined;
}

/** An option of a table. */
export interface Option extends OptionFacts {
  readonly name: string;
}

/** Facts of all options of `T`, by name. */
export type OptionDefinitions<T extends object> = { readonly [Name in keyof T]-?: OptionFacts };

/** Options of `T` with the defaults of their definitions. */
export type CompleteOptions<T extends object, D> = {
  readonly [Name in keyof T]-?: Name extends keyof D
    ? D[Name] extends { readonly default: unknown }
      ? Exclude<T[Name], undefined>
      : T[Name]
    : never;
};

/** A table of options in the order of their definition. `checkOptions` returns `Complete`. */
export interface OptionTable<Complete extends object> extends ReadonlyArray<Option> {
  /** Never there: it keeps the type. */
  readonly complete?: Complete;
}

/** What `checkOptions` returns for a table. */
export type CheckedOptions<Table> = Table extends OptionTable<infer Complete> ? Complete : never;

/**
 * Defines the table of the options of a function: `defineOptions<T>()({ name: facts, ... })`. A table that
 * lacks an option of `T`, or has another one, does not compile.
 */
export function defineOptions<T extends object>() {
  return <const D extends OptionDefinitions<T>>(
    definitions: D & { readonly [Name in Exclude<keyof D, keyof T>]: never },
  ): OptionTable<CompleteOptions<T, D>> =>
    Object.entries<OptionFacts>(definitions).map(([name, facts]) => ({ name, ...facts }));
}

/** Returns a table with the options of both. */
export function joinOptions<A extends object, B extends object>(
  a: OptionTable<A>,
  b: OptionTable<B>,
): OptionTable<A & B> {
  return [...a, ...b];
}

/**
 * Checks the options of a call. O(options).
 *
 * @param where the name of the function, for messages
 * @returns the options with their defaults
 * @throws ArcwiseError `unknown-option`, or `invalid-option` with `at`, `expected` and `found`
 */
export function checkOptions<Complete extends object>(
  table: OptionTable<Complete>,
  value: unknown,
  where: string,
): Complete {
  return refusedAs("invalid-option", where, () => {
    checkTable(table, value, "");
    const given = (value ?? {}) as Readonly<Record<string, unknown>>;
    return Object.fromEntries(table.map((option) => [option.name, given[option.name] ?? option.default]));
  }) as Complete;
}

/** A check of an option whose value is itself options of a table. */
export function optionsOf(table: OptionTable<object>): Check {
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

function checkTable(table: OptionTable<object>, value: unknown, at: string): void {
  if (value === undefined) value = {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(at, "options", value);
  const names = table.map(({ name }) => name);
  const prefix = at === "" ? "" : `${at}.`;
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    const path = prefix + name;
    throw new ArcwiseError("unknown-option", `unknown option "${path}"${suggestion(name, names)}`, {
      at: path,
    });
  }
  const given = value as Readonly<Record<string, unknown>>;
  for (const { name, check, required } of table) {
    if (given[name] !== undefined || required) check(given[name], prefix + name);
  }
}

/** Runs checks. A refusal becomes an error with a code whose message begins with a place. */
function refusedAs<T>(code: ErrorCode, where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ArcwiseError)) throw error;
    const { message, at, expected, found } = error;
    throw new ArcwiseError(error instanceof ModelError ? code : error.code, `${where}: ${message}`, {
      at,
      expected,
      found,
    });
  }
}
