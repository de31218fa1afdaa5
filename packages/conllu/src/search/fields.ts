import { invalidArgument } from "@arcwise/core/errors";
import { callback, checkArgument, list, optional, shaped, string } from "@arcwise/core/options";
import type { ConlluSentence, WordRow } from "../types.ts";
import { type PatternConstant, SEARCH_COLUMNS } from "./pattern.ts";
import type { SearchMatch, SearchPattern } from "./search.ts";
import { columnValue } from "./search-tree.ts";

/** Accepts patterns that `compilePattern` returns. */
export const patternCheck = shaped<SearchPattern>("a compiled pattern", {
  names: list(string),
  relationNames: list(string),
  constants: list(
    shaped<PatternConstant>("a value of a column", {
      column: string,
      value: string,
      name: optional(string),
    }),
  ),
  matches: callback,
});

/**
 * Returns a value of a match in a sentence; undefined if the word lacks it or is not matched. O(n).
 *
 * @example
 * const lemma: MatchField = compileField(compilePattern("{upos:VERB}=v"), "v.lemma");
 */
export type MatchField = (sentence: ConlluSentence, match: SearchMatch) => string | undefined;

/**
 * Compiles a field of the matches of a pattern: `v.lemma` and `v.feats.Tense` are values of the word that is named
 * `v`, `r` is the label of the relation that is named `r`.
 *
 * @throws ArcwiseError with code `invalid-argument` when the pattern has no such name, or words no such column
 *
 * @example
 * const pattern = compilePattern("{upos:VERB}=v >obj {}");
 * const lemma = compileField(pattern, "v.lemma");
 * for (const match of pattern.matches(sentence)) console.log(lemma(sentence, match));
 */
export function compileField(pattern: SearchPattern, field: string): MatchField {
  checkArgument(string, field, "compileField: field");
  checkArgument(patternCheck, pattern, "compileField: pattern");
  const [name = "", column, item, ...rest] = field.split(".");
  if (column === undefined && pattern.relationNames.includes(name))
    return (_, { relations }) => own(relations, name);
  const found = column === undefined ? undefined : SEARCH_COLUMNS.get(column);
  const hasItems = found === "feats" || found === "misc";
  const isValid =
    found !== undefined && rest.length === 0 && (item === undefined || (hasItems && item !== ""));
  if (!isValid || !pattern.names.includes(name)) throw unknownField(pattern, field);
  return (sentence, { names }) => {
    const position = own(names, name);
    const row = position === undefined ? undefined : wordAt(sentence, position);
    return row === undefined ? undefined : columnValue(row, found, item);
  };
}

/** Returns a member of a record, whose names are words of the pattern: `constructor` is one like any other. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the word at a position. */
export function wordAt({ rows }: ConlluSentence, position: number): WordRow | undefined {
  return rows.find((row): row is WordRow => row.kind === "word" && row.id === position);
}

function unknownField({ names, relationNames }: SearchPattern, field: string): Error {
  const nodes = names.length === 0 ? "no node" : names.join(", ");
  const relations = relationNames.length === 0 ? "no relation" : relationNames.join(", ");
  const expected = `NODE.COLUMN, NODE.feats.NAME or RELATION (the pattern names ${nodes}; ${relations})`;
  return invalidArgument("field", expected, JSON.stringify(field));
}
