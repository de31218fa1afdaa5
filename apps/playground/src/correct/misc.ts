/* Items of the columns FEATS and MISC, and the white space that attributes of MISC state. */

/** Attributes that say what is between tokens, by the part of the spacing that a function concerns. */
const SPACING = {
  before: new Set(["SpacesBefore"]),
  after: new Set(["SpaceAfter", "SpacesAfter"]),
  all: new Set(["SpaceAfter", "SpacesAfter", "SpacesBefore", "SpacesInToken"]),
} as const;
type SpacingPart = keyof typeof SPACING;
/** Offsets into the text that was tokenised, which hold for the original tokens only. */
const OFFSETS = "TokenRange";

/** Returns the items of a column. */
export function itemsOf(column: string): string[] {
  return column === "_" || column === "" ? [] : column.split("|");
}

function columnOf(items: readonly string[]): string {
  return items.join("|") || "_";
}

function nameOf(item: string): string {
  return item.split("=", 1)[0]!;
}

/** Returns the value of a feature or an attribute; undefined if it is absent. */
export function itemValue(column: string, name: string): string | undefined {
  return itemsOf(column)
    .find((item) => item.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/** Returns FEATS with another value of a feature, sorted as Universal Dependencies asks; "" removes the feature. */
export function withFeature(feats: string, name: string, value: string): string {
  const items = itemsOf(feats).filter((item) => nameOf(item) !== name);
  if (value !== "") items.push(`${name}=${value}`);
  const key = (item: string) => item.toLowerCase();
  return columnOf(items.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)));
}

/** Returns MISC with another value of an attribute in its place, or at the end; "" removes the attribute. */
export function withAttribute(misc: string, name: string, value: string): string {
  const items = itemsOf(misc);
  const at = items.findIndex((item) => nameOf(item) === name);
  const added = value === "" ? [] : [`${name}=${value}`];
  items.splice(at < 0 ? items.length : at, 1, ...added);
  return columnOf(items);
}

/** Returns the attributes of MISC that state spacing. */
export function spacingOf(misc: string, part: SpacingPart): string[] {
  return itemsOf(misc).filter((item) => SPACING[part].has(nameOf(item)));
}

/** Returns MISC with other spacing, in the place of the old spacing; offsets into the text are left out. */
export function withSpacing(misc: string, part: SpacingPart, spacing: readonly string[]): string {
  const items = itemsOf(misc).filter((item) => nameOf(item) !== OFFSETS);
  const others = items.filter((item) => !SPACING[part].has(nameOf(item)));
  const at = items.findIndex((item) => SPACING[part].has(nameOf(item)));
  others.splice(at < 0 ? others.length : at, 0, ...spacing);
  return columnOf(others);
}

/** Returns where a token is in the text that was tokenised: start and end; undefined if MISC does not say so. */
function rangeOf(misc: string): readonly [number, number] | undefined {
  const [, start, end] = /^(\d+):(\d+)$/.exec(itemValue(misc, OFFSETS) ?? "") ?? [];
  return start === undefined ? undefined : [Number(start), Number(end)];
}

/** Returns the place of tokens from the first to the last as an attribute; undefined if one of them does not state it. */
export function joinedRange(first: string, last: string): string | undefined {
  const [start, end] = [rangeOf(first), rangeOf(last)];
  return start && end && `${OFFSETS}=${start[0]}:${end[1]}`;
}

/** Returns the places of the parts of a token as attributes; none if the parts do not spell as many characters. */
export function splitRange(misc: string, forms: readonly string[]): readonly string[] {
  const range = rangeOf(misc);
  const lengths = forms.map((form) => [...form].length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (range === undefined || range[1] - range[0] !== total) return [];
  const startOf = (i: number) => lengths.slice(0, i).reduce((sum, length) => sum + length, range[0]);
  return lengths.map((_, i) => `${OFFSETS}=${startOf(i)}:${startOf(i + 1)}`);
}

/** Returns MISC with the attributes of other columns that it does not have, and another place in the text. */
export function mergedMisc(misc: string, others: readonly string[], range: string | undefined): string {
  const items = itemsOf(misc).filter((item) => nameOf(item) !== OFFSETS);
  const names = new Set([OFFSETS, ...items.map(nameOf)]);
  for (const item of others.flatMap(itemsOf)) {
    if (!names.has(nameOf(item))) items.push(item);
    names.add(nameOf(item));
  }
  return columnOf(range === undefined ? items : [...items, range]);
}

/** Returns the attributes of MISC columns of before that columns of after do not have, but for spacing and places. */
export function lostItems(before: readonly string[], after: readonly string[]): string[] {
  const left = after.flatMap(itemsOf);
  return before.flatMap(itemsOf).filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !SPACING.all.has(nameOf(item)) && nameOf(item) !== OFFSETS;
  });
}

/** The attribute of a token that the next one follows without a space. */
export const NO_SPACE: readonly string[] = ["SpaceAfter=No"];

/** Returns whether white space follows a token. */
export function isSpaceAfter(misc: string): boolean {
  return !itemsOf(misc).includes(NO_SPACE[0]!);
}
