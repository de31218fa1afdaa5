import type { Word } from "@arcwise/core";

/** Relations whose labels take the lemma of a marker, with the relations of those markers. */
export const MARKED_RELATIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["obl", ["case"]],
  ["nmod", ["case"]],
  ["advcl", ["mark", "case"]],
  ["acl", ["mark", "case"]],
  ["conj", ["cc"]],
]);

/** English markers whose lemma does not consist of letters, spelt out. */
const SPELT: ReadonlyMap<string, string> = new Map([
  ["vs.", "versus"],
  ["v.", "versus"],
]);

/** Returns the lemma of a marker as labels spell it; the form for participles such as "including". */
export function lemmaOf({ form, lemma, xpos }: Word): string {
  if (xpos === "SYM" && form === "/") return "slash";
  const text = (xpos === "VBG" || xpos === "VBN" || !lemma ? form : lemma).toLowerCase();
  return SPELT.get(text) ?? text;
}

/** Returns a label with a marker. Labels consist of letters: markers such as "-" and "&" are left out. */
export function withMarker(relation: string, marker: string): string {
  return /^[\p{L}\p{M}]+(?:_[\p{L}\p{M}]+)*$/u.test(marker) ? `${relation}:${marker}` : relation;
}
