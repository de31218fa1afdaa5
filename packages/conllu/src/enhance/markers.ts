import type { Word } from "@arcwise/core";

/** Relations whose labels take the lemma of a marker, and the relations of those markers. */
export const MARKED_RELATIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["obl", ["case"]],
  ["nmod", ["case"]],
  ["advcl", ["mark", "case"]],
  ["acl", ["mark", "case"]],
  ["conj", ["cc"]],
]);

/** Lemmas of English markers that are no letters. */
const SPELT: Readonly<Record<string, string>> = { "vs.": "versus", "v.": "versus" };

/** Returns the lemma as labels have it: participles such as "including" are markers in their own form. */
export function lemmaOf({ form, lemma, xpos }: Word): string {
  if (xpos === "SYM" && form === "/") return "slash";
  const text = (xpos === "VBG" || xpos === "VBN" || !lemma ? form : lemma).toLowerCase();
  return SPELT[text] ?? text;
}

/** Returns a label with a marker. Labels hold letters alone: markers such as "-" and "&" stay out of them. */
export function withMarker(relation: string, marker: string): string {
  return /^[\p{L}\p{M}]+(?:_[\p{L}\p{M}]+)*$/u.test(marker) ? `${relation}:${marker}` : relation;
}
