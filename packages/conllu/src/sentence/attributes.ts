/** Morphological features by name: `feats.Number` is `"Plur"`, or undefined. */
export type Features = Readonly<Record<string, string | undefined>>;

/** Attributes of MISC by name. An attribute without a value, such as `Flag` in `Flag|Gloss=dog`, is null. */
export type Attributes = Readonly<Record<string, string | null | undefined>>;

/** Returns the features of a FEATS column; what has no `=` has the empty value. */
export function readFeatures(column: string): Features {
  return readItems(column, "");
}

/** Returns the attributes of a MISC column. */
export function readAttributes(column: string): Attributes {
  return readItems(column, null);
}

/** Returns items `Name=Value` by name; of a repeated name, the first one. */
function readItems<Absent>(column: string, absent: Absent): Readonly<Record<string, string | Absent>> {
  if (column === "_") return {};
  const items = new Map<string, string | Absent>();
  for (const item of column.split("|")) {
    const equals = item.indexOf("=");
    const name = equals < 0 ? item : item.slice(0, equals);
    if (!items.has(name)) items.set(name, equals < 0 ? absent : item.slice(equals + 1));
  }
  return Object.fromEntries(items);
}

/** Returns the column of items by name. */
export function spellItems(items: Attributes): string {
  return Object.entries(items)
    .map(([name, value]) => (typeof value === "string" ? `${name}=${value}` : name))
    .join("|");
}
