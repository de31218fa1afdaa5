import type { Word } from "@arcwise/core";

/** Relations whose labels take the lemma of a marker, with the relations of those markers. */
export const MARKED_RELATIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["obl", ["case"]],
  ["nmod", ["case"]],
  ["advcl", ["mark", "case"]],
  ["acl", ["mark", "case"]],
  ["conj", ["cc"]],
]);

/** A tree or graph whose labels take the lemmas of markers. */
interface MarkedWords {
  /** Returns the words below a word by one of some relations, subtypes included, in the order of the sentence. */
  children(position: number, ...relations: readonly string[]): readonly number[];
  /** Returns the lemma of a word as labels spell it. */
  lemma(position: number): string;
}

/**
 * Returns the marker whose lemma a label takes: the last of several ("out of", "for ... to"), unless one is "with" or
 * "than" that marks a clause; else the adverb "when" or "where" that introduces an adverbial clause.
 */
export function markerOf(words: MarkedWords, position: number, relation: string): number | undefined {
  const kinds = MARKED_RELATIONS.get(relation)!;
  const find = (kind: string, lemmas: RegExp) =>
    words.children(position, kind).find((child) => lemmas.test(words.lemma(child)));
  const outer = kinds.includes("mark") ? find("mark", /^(?:with|than)$/) : undefined;
  const marker = outer ?? words.children(position, ...kinds).at(-1);
  return relation === "advcl" ? (marker ?? find("advmod", /^(?:when|where)$/)) : marker;
}

/**
 * Returns a label with the lemmas of a marker and of the rest of its fixed expression or coordination ("and/or"), joined
 * by underscores. Labels consist of letters: markers such as "-" and "&" are left out.
 */
export function withMarker(words: MarkedWords, relation: string, position: number): string {
  const parts = [position, ...words.children(position, "fixed", "conj")];
  const marker = parts.map((part) => words.lemma(part)).join("_");
  return /^[\p{L}\p{M}]+(?:_[\p{L}\p{M}]+)*$/u.test(marker) ? `${relation}:${marker}` : relation;
}

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
