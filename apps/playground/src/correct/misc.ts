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

/** The attribute of a token that the next one follows without a space. */
export const NO_SPACE: readonly string[] = ["SpaceAfter=No"];

/** Returns whether white space follows a token. */
export function isSpaceAfter(misc: string): boolean {
  return !itemsOf(misc).includes(NO_SPACE[0]!);
}
