import { ArcwiseError, describeValue } from "@arcwise/core/errors";
import { nearest } from "@arcwise/core/options";
import { badRequest, beyondMaximum } from "../failures.ts";

/** A JSON Schema of OpenAPI 3.1, as far as fields need it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** A field of a request: a member of its JSON, or a parameter of its query. */
export interface Field<Value = unknown> {
  readonly help: string;
  readonly schema: Schema;
  /** Returns the value of a field. */
  read(value: unknown, at: string): Value;
  /** Whether a query cannot have it. */
  readonly isBodyOnly?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
}

/** The fields of requests by name. */
export type FieldTable = Readonly<Record<string, Field>>;

/** The values of fields. */
export type FieldsOf<Table extends FieldTable> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]["read"]> | undefined;
};

/** Returns the field of a text. */
export function text(help: string, example?: string): Field<string> {
  return {
    help,
    schema: { type: "string", ...(example === undefined ? {} : { examples: [example] }) },
    read: (value, at) => (typeof value === "string" ? value : refuse(at, "a string", value)),
  };
}

/** Returns the field of a choice. */
export function choice<const Name extends string>(help: string, names: readonly Name[]): Field<Name> {
  return {
    help,
    schema: { type: "string", enum: names },
    read: (value, at) => {
      const found = names.find((name) => name === value);
      return found ?? refuse(at, `one of ${names.join(", ")}`, value);
    },
  };
}

/** The values of a switch. */
const ON: readonly unknown[] = [true, "true", "1", ""];
const OFF: readonly unknown[] = [false, "false", "0"];

/** Returns the field of a switch: `true`, `1` and an empty text of a query switch it on. */
export function toggle(help: string): Field<boolean> {
  return {
    help,
    schema: { type: "boolean", default: false },
    read: (value, at) =>
      ON.includes(value) || (OFF.includes(value) ? false : refuse(at, "true or false", value)),
  };
}

/** Returns the field of an integer; a query has it in digits. @param unit of the maximum */
export function count(help: string, minimum: number, maximum = Infinity, unit = ""): Field<number> {
  const range =
    maximum === Infinity ? `an integer >= ${minimum}` : `an integer from ${minimum} to ${maximum}`;
  return {
    help,
    schema: { type: "integer", minimum, ...(maximum === Infinity ? {} : { maximum }) },
    read: (value, at) => {
      const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
      if (Number.isInteger(number) && (number as number) > maximum)
        throw beyondMaximum(at, maximum, unit, number as number);
      const isValid = Number.isSafeInteger(number) && (number as number) >= minimum;
      return isValid ? (number as number) : refuse(at, range, value);
    },
  };
}

/** Returns the field of a list. */
export function listOf<Item>(
  { help, schema, read }: Field<Item>,
  expected = "a list",
): Field<readonly Item[]> {
  return {
    help,
    schema: { type: "array", items: schema },
    read: (value, at) =>
      Array.isArray(value) ? value.map((item, i) => read(item, `${at}[${i}]`)) : refuse(at, expected, value),
  };
}

/** Returns the field of an object, of which one member is required. */
export function object<Value>(help: string, members: FieldTable, required: string): Field<Value> {
  const names = Object.keys(members);
  return {
    help,
    schema: {
      ...{ type: "object", required: [required], additionalProperties: false },
      properties: Object.fromEntries(names.map((name) => [name, members[name]!.schema])),
    },
    read(value, at) {
      if (typeof value !== "object" || value === null) return refuse(at, "an object", value);
      const found: Record<string, unknown> = {};
      for (const [name, member] of Object.entries(value)) {
        if (!Object.hasOwn(members, name)) refuse(at, `members ${names.join(", ")}`, name);
        found[name] = members[name]!.read(member, `${at}.${name}`);
      }
      if (found[required] === undefined) refuse(`${at}.${required}`, "a value", undefined);
      return found as Value;
    },
  };
}

/** Characters of a name that a message shows: the name may be as long as a request. */
export const MAX_SHOWN = 100;

/** Reads the fields of a request. */
export function readFields<Table extends FieldTable>(table: Table, given: object): FieldsOf<Table> {
  const names = Object.keys(table);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(table, name)) {
      const at = name.slice(0, MAX_SHOWN);
      const near = nearest(at, names);
      const advice = near === undefined ? "" : ` (did you mean ${near}?)`;
      throw new ArcwiseError("unknown-option", `unknown field ${JSON.stringify(at)}${advice}`, { at });
    }
    if (value !== undefined && value !== null) fields[name] = table[name]!.read(value, name);
  }
  return fields as FieldsOf<Table>;
}

/** @throws ArcwiseError `invalid-option` */
export function refuse(at: string, expected: string, found: unknown): never {
  const shown = describeValue(found);
  const message = `${at}: expected ${expected}, found ${shown}`;
  throw new ArcwiseError("invalid-option", message, { at, expected, found: shown });
}

/** Reads a text as a JSON object. */
export function jsonObject(source: string, what: string): object {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw badRequest(`${what}: expected JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw badRequest(`${what}: expected an object of JSON, found ${describeValue(value)}`);
}
