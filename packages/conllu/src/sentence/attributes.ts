/** Morphological features by name: `feats.Number` is `"Plur"`, or undefined. */
export type Features = Readonly<Record<string, string | undefined>>;

/** Attributes of MISC by name. An attribute without a value, such as `Flag` in `Flag|Gloss=dog`, is null. */
export type Attributes = Readonly<Record<string, string | null | undefined>>;

/** Items by name, and whether the column can be written back from them. */
export interface NamedItems<Absent> {
  readonly items: Readonly<Record<string, string | Absent>>;
  readonly isReversible: boolean;
}

/** Returns the features of a FEATS column; what has no `=` has the empty value. */
export function readFeatures(column: string): NamedItems<string> {
  return readItems(column, "");
}

/** Returns the attributes of a MISC column. */
export function readAttributes(column: string): NamedItems<null> {
  return readItems(column, null);
}

/** Returns items `Name=Value` by name; of a repeated name, the first one. */
function readItems<Absent extends string | null>(column: string, absent: Absent): NamedItems<Absent> {
  const items: Record<string, string | Absent> = {};
  if (column === "_") return { items, isReversible: true };
  let isReversible = true;
  for (let from = 0; from <= column.length; ) {
    const bar = column.indexOf("|", from);
    const end = bar < 0 ? column.length : bar;
    const equals = column.indexOf("=", from);
    const hasValue = equals >= 0 && equals < end;
    const name = column.slice(from, hasValue ? equals : end);
    // A name that is an index would come before all others.
    if (Object.hasOwn(items, name) || isIndex(name)) isReversible = false;
    if (!hasValue && absent !== null) isReversible = false;
    if (!Object.hasOwn(items, name)) define(items, name, hasValue ? column.slice(equals + 1, end) : absent);
    from = end + 1;
  }
  return { items, isReversible };
}

function define<T>(items: Record<string, T>, name: string, value: T): void {
  if (name !== "__proto__") items[name] = value;
  else Object.defineProperty(items, name, { value, enumerable: true, configurable: true, writable: true });
}

function isIndex(name: string): boolean {
  return name.charCodeAt(0) <= 57 && String(Number(name)) === name;
}

/** Returns the column of items by name. */
export function spellItems(items: Attributes): string {
  return Object.entries(items)
    .map(([name, value]) => (typeof value === "string" ? `${name}=${value}` : name))
    .join("|");
}
