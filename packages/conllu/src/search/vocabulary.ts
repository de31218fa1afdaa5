import { checkArgument, nearest } from "@arcwise/core/options";
import { requireSentence } from "../sentence-check.ts";
import type { ConlluSentence, WordRow } from "../types.ts";
import { patternCheck } from "./fields.ts";
import type { PatternConstant, SearchColumn } from "./pattern.ts";
import type { SearchPattern } from "./search.ts";
import { columnValue } from "./search-tree.ts";

/** A value of a pattern that no word of the sentences has, and what they have instead. */
export interface MissingValue extends PatternConstant {
  /** A column that has this value. */
  readonly elsewhere?: SearchColumn | undefined;
  /** The value that is nearest, as a typing error, or that continues it: `nsubj:pass` for `nsubj`. */
  readonly similar?: string | undefined;
}

/** The values of columns that a pattern names, collected from sentences. */
export interface SearchVocabulary {
  /** Adds the values of a sentence. O(n) for each value that the pattern names. */
  add(sentence: ConlluSentence): void;
  /** Returns the values of the pattern that no word had, each once, in the order of the pattern. */
  missing(): readonly MissingValue[];
  /** Returns a sentence on each of the missing values, for people. */
  notes(): readonly string[];
}

/** Columns with few values, where unknown values are misspelt rather than rare. */
const CLOSED: ReadonlySet<SearchColumn> = new Set(["upos", "xpos", "feats", "deprel"]);
/** Columns where a tag may be that is looked for in another one. */
const TAGS: readonly SearchColumn[] = ["upos", "xpos", "deprel"];
/** Number of values of a column that are kept: as many as any tag set has. */
const MAX_VALUES = 10_000;

/**
 * Returns a collector of the tags, features and relations that a pattern names, to find those that a treebank does
 * not have.
 */
export function searchVocabulary(pattern: SearchPattern): SearchVocabulary {
  checkArgument(patternCheck, pattern, "searchVocabulary: pattern");
  return vocabularyOf(pattern.constants);
}

/** Returns the collector of constants of a pattern, as `searchVocabulary` does. */
export function vocabularyOf(constants: readonly PatternConstant[]): SearchVocabulary {
  const wanted = constants.filter(({ column }) => CLOSED.has(column));
  const keys = new Map<string, Field>();
  for (const { column, name } of wanted) {
    for (const one of [column, ...(name === undefined ? TAGS : [])]) {
      keys.set(keyOf({ column: one, name }), { column: one, name, values: new Set() });
    }
  }
  const missing = (): MissingValue[] => {
    const distinct = new Map(wanted.map((one) => [JSON.stringify(one), one]));
    return [...distinct.values()].flatMap((one): MissingValue[] => {
      const { values } = keys.get(keyOf(one))!;
      if (values.has(one.value) || values.size >= MAX_VALUES) return [];
      const elsewhere = TAGS.find(
        (column) => one.name === undefined && keys.get(keyOf({ column }))!.values.has(one.value),
      );
      const continued = [...values].find((value) => value.startsWith(`${one.value}:`));
      return [{ ...one, elsewhere, similar: continued ?? nearest(one.value, values) }];
    });
  };
  return {
    add(sentence) {
      requireSentence(sentence, "add");
      for (const row of sentence.rows)
        if (row.kind === "word") for (const field of keys.values()) addValue(field, row);
    },
    missing,
    notes: () => missing().map(noteOf),
  };
}

/** Columns whose names are not words. */
const NAMES: Readonly<Record<string, string>> = { deprel: "the relation", feats: "the features" };

/** Returns what sentences have in place of a value that a pattern names. */
function noteOf({ column, name, value, elsewhere, similar }: MissingValue): string {
  const nameOf = (one: string) => NAMES[one] ?? one;
  const what = name === undefined ? nameOf(column) : `${column} ${name}`;
  const advice =
    elsewhere !== undefined
      ? `; ${nameOf(elsewhere)} has it: {${elsewhere}:${value}}`
      : similar?.startsWith(`${value}:`)
        ? `; there is ${similar}, which /${value}(:.*)?/ finds as well`
        : similar === undefined
          ? ""
          : `; did you mean ${similar}?`;
  return `no word has ${what} ${value}${advice}`;
}

interface Field {
  readonly column: SearchColumn;
  readonly name?: string | undefined;
  readonly values: Set<string>;
}

function keyOf({ column, name }: Pick<PatternConstant, "column" | "name">): string {
  return name === undefined ? column : `${column} ${name}`;
}

function addValue({ column, name, values }: Field, row: WordRow): void {
  const value = columnValue(row, column, name);
  if (value !== undefined && values.size < MAX_VALUES) values.add(value);
}
