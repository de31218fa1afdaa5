/**
 * Checks for the headers of files. A check made of these functions specifies everything that a header may
 * contain: a field that is missing, of another type, out of its range or unknown is a `ModelError` with its
 * path. Code that reads an accepted header needs no checks of its own.
 */
import { ArcwiseError } from "../errors/arcwise-error.ts";
import { describeValue } from "../errors/describe.ts";
import { ModelError } from "./model-error.ts";
import { SCALE_RANGE } from "./quantize.ts";

/** A check of values, with the type of the values that it accepts. */
export interface Check<out Value = unknown> {
  /** Checks a value. @param at the path of the value, for messages. @throws ModelError when it is not as expected */
  (value: unknown, at: string): void;
  /** Never there: it keeps the type. */
  readonly accepts?: Value;
}

/** Returns the path of a member of a value; programs may give any path. */
export function pathOf(at: string, name: string): string {
  return typeof at === "string" && at !== "" ? `${at}.${name}` : name;
}

/** Characters that cannot be part of a column. */
const BREAKS = /[\t\n\r]/;
/** Default maximum number of entries of a list. */
const MAX_ITEMS = 2 ** 24;

/** Refuses a value of a header. @throws ModelError always */
export function refuse(at: string, expected: string, value: unknown): never {
  const found = describeValue(value);
  const place = typeof at === "string" && at !== "" ? `${at}: ` : "";
  throw new ModelError(`${place}expected ${expected}, found ${found}`, {
    at,
    expected,
    found,
  });
}

/**
 * Checks values that a training is about to learn by the check of its model file, so that what is trained can
 * be saved and loaded.
 *
 * @throws ArcwiseError `invalid-data` when they are not as expected
 */
export function checkLearned(check: Check, value: unknown, at: string): void {
  try {
    check(value, at);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, expected, found } = error;
    throw new ArcwiseError("invalid-data", message, { at: error.at ?? at, expected, found });
  }
}

/** Accepts strings. */
export const string: Check<string> = (value, at) => {
  if (typeof value !== "string") refuse(at, "a text", value);
};

/** A string without tabs and line ends: it can be written into a column. */
export const field: Check<string> = (value, at) => {
  string(value, at);
  if (BREAKS.test(value as string)) refuse(at, "a text without tabs and line ends", value);
};

/** Accepts `true` and `false`. */
export const flag: Check<boolean> = (value, at) => {
  if (typeof value !== "boolean") refuse(at, "true or false", value);
};

/** An integer of a range. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Check<number> {
  return (value, at) => {
    if (!(Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)) {
      refuse(at, `an integer ${range(min, max)}`, value);
    }
  };
}

/** A number of a range. */
export function number(min: number, max = Infinity): Check<number> {
  return (value, at) => {
    if (!(typeof value === "number" && value >= min && value <= max)) {
      refuse(at, `a number ${range(min, max)}`, value);
    }
  };
}

function range(min: number, max: number): string {
  return max >= Number.MAX_SAFE_INTEGER && min > -Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
}

/** The weight that a byte of 1 stands for. Sums of bytes times it, and numbers divided by it, are finite. */
export const scale: Check<number> = number(SCALE_RANGE.min, SCALE_RANGE.max);

/** One of the given strings, numbers or booleans. */
export function oneOf<const Value extends string | number | boolean>(
  ...values: readonly Value[]
): Check<Value> {
  return (value, at) => {
    if (!values.includes(value as Value))
      refuse(at, values.map((one) => describeValue(one)).join(" or "), value);
  };
}

export interface ListOptions {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Whether items must be distinct. */
  readonly distinct?: boolean | undefined;
}

/** A list whose items all pass one check. */
export function list<Item>(
  check: Check<Item>,
  { min = 0, max = MAX_ITEMS, distinct = false }: ListOptions = {},
): Check<readonly Item[]> {
  return (value, at) => {
    if (!Array.isArray(value)) refuse(at, "a list", value);
    if (value.length < min || value.length > max) refuse(at, `a list of ${min} to ${max}`, value);
    checkItems(value, check, at);
    if (!distinct) return;
    const seen = new Set<unknown>();
    for (const [i, item] of value.entries()) {
      if (seen.has(item)) refuse(`${at}[${i}]`, "each item once", item);
      seen.add(item);
    }
  };
}

/** Checks items. The name of an item is made only when its check fails: lists may be long. */
function checkItems(items: readonly unknown[], check: Check, at: string): void {
  let i = 0;
  try {
    for (; i < items.length; i++) check(items[i], at);
  } catch (error) {
    check(items[i], `${at}[${i}]`);
    throw error;
  }
}

/**
 * Accepts objects whose members pass checks; other members are not looked at.
 *
 * @param expected what such an object is, for messages
 */
export function shaped<Value extends object>(
  expected: string,
  members: { readonly [Name in keyof Value]?: Check },
): Check<Value> {
  const checks = Object.entries<Check | undefined>(members) as [name: keyof Value & string, check: Check][];
  return (value, at) => {
    if (typeof value !== "object" || value === null) refuse(at, expected, value);
    for (const [name, check] of checks) {
      const member = (value as Value)[name];
      try {
        check(member, at);
      } catch (error) {
        check(member, pathOf(at, name));
        throw error;
      }
    }
  };
}

/** An object with exactly these fields; those that are `optional` may be missing. */
export function record<T extends object>(checks: { readonly [Field in keyof T]-?: Check }): Check<T> {
  const fields = Object.entries<Check>(checks);
  const known = new Set(fields.map(([name]) => name));
  return (value, at) => {
    for (const name of Object.keys(objectOf(value, at))) {
      if (!known.has(name)) throw new ModelError(`${at}: has an unknown field ${describeValue(name)}`);
    }
    const found = value as Readonly<Record<string, unknown>>;
    for (const [name, check] of fields) {
      check(Object.hasOwn(found, name) ? found[name] : undefined, pathOf(at, name));
    }
  };
}

/** An object whose keys are among the keys of `checks`, each of which may be missing. */
export function partial(checks: Readonly<Record<string, Check>>): Check {
  return record(Object.fromEntries(Object.entries(checks).map(([key, check]) => [key, optional(check)])));
}

/** A field that may be missing. */
export function optional<Value>(check: Check<Value>): Check<Value | undefined> {
  return (value, at) => {
    if (value !== undefined) check(value, at);
  };
}

/** A constant, or what a check accepts. */
export function either<const Constant extends boolean, Value>(
  constant: Constant,
  check: Check<Value>,
): Check<Constant | Value> {
  return (value, at) => {
    if (value !== constant) check(value, at);
  };
}

/** A string that `read` accepts without a RangeError, such as a template. */
export function readable(read: (text: string) => unknown): Check<string> {
  return (value, at) => {
    string(value, at);
    try {
      read(value as string);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new ModelError(`${at}: ${error.message}`, { at, cause: error });
    }
  };
}

/** Maximum depth of nested facts. */
const MAX_FACT_DEPTH = 3;

/** Facts for people: an object of scalars, lists of scalars, and objects of these. */
export const facts: Check = (value, at) => factsOf(value, at, MAX_FACT_DEPTH);

function factsOf(value: unknown, at: string, depth: number): void {
  for (const [name, fact] of Object.entries(objectOf(value, at))) {
    const items = Array.isArray(fact) ? fact : [fact];
    for (const item of items) {
      if (typeof item !== "object" || item === null) continue;
      if (Array.isArray(fact) || depth === 1) refuse(`${at}.${name}`, "a fact", item);
      factsOf(item, `${at}.${name}`, depth - 1);
    }
  }
}

function objectOf(value: unknown, at: string): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  return refuse(at, "an object", value);
}

/** Maximum depth of the objects of a header. */
const MAX_DEPTH = 16;

/**
 * Checks that a JSON value is not nested deeply and has no key `__proto__`. O(size), without recursion, since
 * the value may be anything.
 */
export function plain(value: unknown, at: string): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new ModelError(`${at}: is nested more than ${MAX_DEPTH} deep`);
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      if (!Array.isArray(item) && Object.hasOwn(item, "__proto__")) {
        throw new ModelError(`${at}: has an unknown field "__proto__"`);
      }
      for (const inner of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof inner === "object" && inner !== null) next.push(inner);
      }
    }
    level = next;
  }
}
