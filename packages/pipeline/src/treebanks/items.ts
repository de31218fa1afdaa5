/** Returns the items `Name=Value` of FEATS or MISC by name; of a repeated name, the first one. */
export function itemsOf(column: string): ReadonlyMap<string, string> {
  const items = new Map<string, string>();
  if (column === "_") return items;
  for (const item of column.split("|")) {
    const equals = item.indexOf("=");
    const name = equals < 0 ? item : item.slice(0, equals);
    if (!items.has(name)) items.set(name, equals < 0 ? "" : item.slice(equals + 1));
  }
  return items;
}

/** Returns a column with an item in place of the items of its name; without a value, without the item. */
export function withItem(column: string, name: string, value?: string): string {
  const others = column === "_" ? [] : column.split("|").filter((item) => item.split("=")[0] !== name);
  const items = value === undefined ? others : [...others, `${name}=${value}`];
  return items.length === 0 ? "_" : items.join("|");
}
