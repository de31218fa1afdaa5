import fc from "fast-check";

export type Path = readonly (string | number)[];

/** A change of one value of a JSON value, as in JSON Patch (RFC 6902), or of it by a little. */
export interface JsonEdit {
  readonly op: "replace" | "add" | "remove" | "nudge";
  readonly path: Path;
  /** The new value; of "nudge", which of the changes of the present one. */
  readonly value?: unknown;
}

/** Values that checks may miss. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 2, 0.5, 1e300, -1e300, 5e-324, 1e-40, 2 ** 31, 2 ** 53],
  ...["", "x", "__proto__", "constructor", "h.upos m.upos", "h.Case", "a\tb", "a\nb", "\ud800"],
  ...[[], [1], [""], [[]], {}, { a: 1 }, { length: 3 }, { length: 2 ** 31 }],
];
const KEYS: readonly string[] = ["__proto__", "constructor", "toString", "length", "more", "then", "bits"];
/** Number of elements of a list that are changed: the first ones represent the others. */
const MAX_ELEMENTS = 4;

/** Yields the paths to all values within a value, for lists to the first elements only. */
export function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  const keys = Object.keys(value);
  for (const key of Array.isArray(value) ? keys.slice(0, MAX_ELEMENTS) : keys) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** Returns an arbitrary of edits of the values at some paths. Each value of the two upper levels has the same weight. */
export function jsonEdits(paths: readonly Path[]): fc.Arbitrary<readonly JsonEdit[]> {
  const groups = new Map<string, Path[]>();
  for (const one of paths) {
    const key = one.slice(0, 2).join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const path = fc.oneof(...Array.from(groups.values(), (group) => fc.constantFrom(...group)));
  const value = fc.constantFrom(...VALUES);
  const op = <Op extends JsonEdit["op"]>(name: Op) => fc.constant(name);
  const inner = fc.tuple(path, fc.constantFrom(...KEYS)).map(([outer, key]) => [...outer, key]);
  const edit = fc.oneof(
    { weight: 4, arbitrary: fc.record({ op: op("replace"), path, value }) },
    { weight: 1, arbitrary: fc.record({ op: op("remove"), path }) },
    { weight: 1, arbitrary: fc.record({ op: op("add"), path: inner, value }) },
    { weight: 2, arbitrary: fc.record({ op: op("nudge"), path, value: fc.nat(4) }) },
  );
  return fc.array(edit, { minLength: 1, maxLength: 3 });
}

/** Returns a copy of a value with edits, without those whose place is not there. */
export function editJson(value: unknown, list: readonly JsonEdit[]): unknown {
  const root = { root: structuredClone(value) };
  for (const { op, path, value } of list) {
    const keys = ["root", ...path];
    const key = keys.pop()!;
    const holder = keys.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], root);
    if (typeof holder !== "object" || holder === null) continue;
    change(holder as Record<string, unknown>, String(key), { op, value });
  }
  return root.root;
}

function change(
  holder: Record<string, unknown>,
  key: string,
  { op, value }: Pick<JsonEdit, "op" | "value">,
): void {
  const index = Array.isArray(holder) ? Number(key) : Number.NaN;
  if (Array.isArray(holder) && !(index >= 0)) return;
  if (op === "remove" && Array.isArray(holder)) holder.splice(index, 1);
  else if (op === "remove") delete holder[key];
  else if (op === "add" && Array.isArray(holder)) holder.splice(index, 0, value);
  else {
    const next = op === "nudge" ? nudged(holder[key], value as number) : structuredClone(value);
    // An assignment would not define `__proto__`.
    Object.defineProperty(holder, key, { value: next, enumerable: true, configurable: true, writable: true });
  }
}

/** Returns a slightly changed value. */
function nudged(value: unknown, which: number): unknown {
  if (typeof value === "number") return [value + 1, value - 1, -value, value * 1e30, value / 3][which];
  if (typeof value === "string")
    return [`${value} ${value}`, value.slice(1), value.toUpperCase(), value, ""][which];
  if (Array.isArray(value))
    return [[...value, ...value], value.toReversed(), value.slice(1), value.slice(0, -1), []][which];
  return value;
}
