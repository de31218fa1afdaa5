import { ArcwiseError } from "@arcwise/core/errors";
import {
  anyOf,
  type Check,
  flag,
  integer,
  list,
  oneOf,
  optional,
  record,
  refuse,
  satisfying,
  string,
} from "@arcwise/core/options";
import { number } from "../rows.ts";
import type { Columns, ConlluSentence, Row } from "../types.ts";
import { writeSentence } from "../write.ts";
import { spellItems } from "./attributes.ts";
import { addSpaceAfter, type CompactSentenceJson, idAndText } from "./compact-json.ts";
import { type ColumnsJson, spellEdges } from "./json.ts";
import { type SentenceView, viewSentence } from "./sentence-view.ts";

/**
 * Returns the sentence that `SentenceView.toJSON` wrote. Only `words` with `id` and `form` are required:
 * without `comments`, `id` and `text` make the comments; words without a token in `tokens` are tokens. Offsets of
 * tokens and words follow from the text, and are not read. A token without `spaceAfter` gets `SpaceAfter=No` if the
 * text has no white space after it. O(n log n).
 *
 * @throws ArcwiseError (`invalid-data`) when the value has other members or types than `SentenceJson`
 * @throws ConlluError when IDs are not in order, or CoNLL-U cannot represent a value
 *
 * @example
 * const sentence = sentenceFromJson(JSON.parse('{"words":[{"id":1,"form":"Dogs","head":0}]}'));
 * sentence.toConllu(); // "1\tDogs\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
 */
export function sentenceFromJson(json: unknown): SentenceView {
  checkJson(json);
  const { tokens = [], words, emptyNodes = [], comments = idAndText(json), start, offsets } = json;
  const ranges = tokens.flatMap(({ id, form, ...columns }): PlacedRow[] => {
    const [first, last] = numbers(id, "-");
    if (last === undefined) return [];
    return [{ at: first, rank: 0, row: { kind: "range", first, last, ...columnsOf(form, columns) } }];
  });
  const placedWords = words.map(({ id, form, head = -1, ...columns }): PlacedRow => {
    return { at: id, rank: 1, row: { kind: "word", id, ...columnsOf(form, columns), head } };
  });
  const nodes = emptyNodes.map(({ id, form = "_", ...columns }): PlacedRow => {
    const [after, index = 0] = numbers(id, ".");
    return { at: after, rank: 1 + index, row: { kind: "empty", after, index, ...columnsOf(form, columns) } };
  });
  const rows = [...ranges, ...placedWords, ...nodes].sort((a, b) => a.at - b.at || a.rank - b.rank);
  const sentence: ConlluSentence = {
    comments: [...comments],
    rows: rows.map(({ row }) => row),
    line: 0,
    start,
    offsets,
  };
  const spaced = tokens.filter((token) => "spaceAfter" in token).map(({ id }) => id);
  if (json.text !== undefined) addSpaceAfter(sentence.rows, json.text, new Set(spaced));
  // Writing checks the order of IDs and the text of columns.
  writeSentence(sentence);
  return viewSentence(sentence);
}

/** A row and where it comes: ranges before their first word, empty nodes after their word. */
interface PlacedRow {
  readonly at: number;
  readonly rank: number;
  readonly row: Row;
}

/** The members that `sentenceFromJson` reads. */
type ReadableJson = Pick<CompactSentenceJson, "words"> & Partial<CompactSentenceJson>;

function columnsOf(form: string, { feats, deps, misc, ...texts }: ColumnsJson): Columns {
  const { lemma = "_", upos = "_", xpos = "_", deprel = "_" } = texts;
  const items = (value: ColumnsJson["misc"]) => (typeof value === "string" ? value : spellItems(value ?? {}));
  const edges = typeof deps === "string" ? deps : spellEdges(deps ?? []);
  return {
    form,
    lemma,
    upos,
    xpos,
    feats: items(feats) || "_",
    deprel,
    deps: edges || "_",
    misc: items(misc) || "_",
  };
}

/** Returns the two numbers of an ID such as `3-4`, or the only number of another ID; -1 for other text. */
function numbers(id: string, separator: string): [number, number?] {
  const at = id.indexOf(separator);
  return at < 0 ? [number(id)] : [number(id, 0, at), number(id, at + 1)];
}

function checkJson(json: unknown): asserts json is ReadableJson {
  try {
    sentenceCheck(json, "sentence");
  } catch (error) {
    if (!(error instanceof ArcwiseError)) throw error;
    const { message, at, expected, found } = error;
    throw new ArcwiseError("invalid-data", message, { at, expected, found, cause: error });
  }
}

const idCheck = (separator: string, isRequired: boolean): Check =>
  satisfying(`an ID${isRequired ? ` with "${separator}"` : ""}`, (value) => {
    if (typeof value !== "string") return false;
    const parts = numbers(value, separator);
    return parts.every((part) => part! >= 0) && (parts.length === 2 || !isRequired);
  });

/** A text without a bar, which separates items in a column. */
const itemCheck: Check = satisfying(
  'a text without "|"',
  (value) => typeof value === "string" && !value.includes("|"),
);
const nothing: Check = satisfying("null", (value) => value === null);

/** Checks items by name. */
function itemsCheck(valueCheck: Check): Check {
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(at, "an object", value);
    for (const [name, item] of Object.entries(value)) {
      if (/[=|]/.test(name)) refuse(at, 'names without "=" and "|"', name);
      valueCheck(item, `${at}.${name}`);
    }
  };
}

const columnChecks = {
  lemma: optional(string),
  upos: optional(string),
  xpos: optional(string),
  feats: optional(anyOf(string, itemsCheck(itemCheck))),
  deprel: optional(string),
  deps: optional(
    anyOf(string, list(record({ head: anyOf(integer(0), idCheck(".", true)), deprel: itemCheck }))),
  ),
  misc: optional(anyOf(string, itemsCheck(anyOf(nothing, itemCheck)))),
};
const offset = optional(integer(0));

const sentenceCheck: Check = record({
  id: optional(string),
  text: optional(string),
  start: offset,
  offsets: optional(oneOf("code-points")),
  comments: optional(list(string)),
  tokens: optional(
    list(
      record({
        id: idCheck("-", false),
        form: string,
        words: optional(list(integer(1))),
        ...columnChecks,
        start: offset,
        end: offset,
        spaceAfter: optional(flag),
      }),
    ),
  ),
  words: list(
    record({
      id: integer(1),
      form: string,
      ...columnChecks,
      head: optional(integer(0)),
      start: offset,
      end: offset,
    }),
  ),
  emptyNodes: optional(list(record({ id: idCheck(".", true), form: optional(string), ...columnChecks }))),
});
