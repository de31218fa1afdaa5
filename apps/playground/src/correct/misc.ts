/* Attributes of the MISC column, and the white space that they state. */

/** Attributes that say what is between tokens. */
const SPACING = ["SpaceAfter", "SpacesAfter", "SpacesBefore", "SpacesInToken"] as const;
const AFTER: ReadonlySet<string> = new Set(["SpaceAfter", "SpacesAfter"]);
const BEFORE: ReadonlySet<string> = new Set(["SpacesBefore"]);
const ALL: ReadonlySet<string> = new Set(SPACING);
/** Offsets into the text that was tokenised, which hold for the original tokens only. */
const OFFSETS = "TokenRange";

/** Which attributes of the spacing a function concerns. */
export type SpacingPart = "before" | "after" | "all";

function namesOf(part: SpacingPart): ReadonlySet<string> {
  return part === "all" ? ALL : part === "after" ? AFTER : BEFORE;
}

function itemsOf(misc: string): string[] {
  return misc === "_" ? [] : misc.split("|");
}

function nameOf(item: string): string {
  return item.split("=", 1)[0]!;
}

/** Returns the attributes of MISC that state spacing. */
export function spacingOf(misc: string, part: SpacingPart): string[] {
  return itemsOf(misc).filter((item) => namesOf(part).has(nameOf(item)));
}

/** Returns MISC with other spacing, in the place of the old spacing; offsets into the text are left out. */
export function withSpacing(misc: string, part: SpacingPart, spacing: readonly string[]): string {
  const items = itemsOf(misc).filter((item) => nameOf(item) !== OFFSETS);
  const others = items.filter((item) => !namesOf(part).has(nameOf(item)));
  const at = items.findIndex((item) => namesOf(part).has(nameOf(item)));
  const place = at < 0 ? others.length : Math.min(at, others.length);
  return [...others.slice(0, place), ...spacing, ...others.slice(place)].join("|") || "_";
}

/** Returns where a token is in the text that was tokenised: start and end; undefined if MISC does not say so. */
function rangeOf(misc: string): readonly [number, number] | undefined {
  const item = itemsOf(misc).find((one) => nameOf(one) === OFFSETS);
  const [, start, end] = /^TokenRange=(\d+):(\d+)$/.exec(item ?? "") ?? [];
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
  return [...items, ...(range === undefined ? [] : [range])].join("|") || "_";
}

/** Returns the attributes of MISC columns of before that columns of after do not have, but for spacing and places. */
export function lostItems(before: readonly string[], after: readonly string[]): string[] {
  const left = after.flatMap(itemsOf);
  return before.flatMap(itemsOf).filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !ALL.has(nameOf(item)) && nameOf(item) !== OFFSETS;
  });
}

/** The attribute of a token that the next one follows without a space. */
export const NO_SPACE: readonly string[] = ["SpaceAfter=No"];

/** Returns whether white space follows a token. */
export function isSpaceAfter(misc: string): boolean {
  return !itemsOf(misc).includes(NO_SPACE[0]!);
}
