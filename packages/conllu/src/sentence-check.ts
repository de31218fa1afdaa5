/* Checks of sentences, where a program gives them. */
import { type Check, checkArgument, iterable, pathOf, refuse } from "@arcwise/core/options";
import type { ConlluSentence } from "./types.ts";

/** Accepts sentences: comments and rows with all their columns. O(comments + rows). */
export const sentenceCheck: Check<ConlluSentence> = (value, at) => checkSentence(value, at, isRow);

function checkSentence(value: unknown, at: string, test: (row: unknown) => boolean): void {
  if (!isObject(value) || !Array.isArray(value.comments) || !Array.isArray(value.rows))
    refuse(at, "a sentence with comments and rows", value);
  const { comments, rows } = value as { readonly comments: unknown[]; readonly rows: unknown[] };
  for (const name of ["line", "start"])
    if (value[name] !== undefined && typeof value[name] !== "number")
      refuse(pathOf(at, name), "a number", value[name]);
  for (let i = 0; i < comments.length; i++)
    if (typeof comments[i] !== "string") refuse(pathOf(at, `comments[${i}]`), "a text", comments[i]);
  for (let i = 0; i < rows.length; i++)
    if (!test(rows[i])) refuse(pathOf(at, `rows[${i}]`), "a row with all its columns", rows[i]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Whether a value has the members of a row. The columns are named one by one: the check is run on each row of each sentence. */
function isRow(row: unknown): boolean {
  return (
    isObject(row) &&
    typeof row.form === "string" &&
    typeof row.lemma === "string" &&
    typeof row.upos === "string" &&
    typeof row.xpos === "string" &&
    typeof row.feats === "string" &&
    typeof row.deprel === "string" &&
    typeof row.deps === "string" &&
    typeof row.misc === "string" &&
    hasIds(row)
  );
}

/** Whether a row has a known kind and its ids. */
function hasIds(row: Readonly<Record<string, unknown>>): boolean {
  const { kind } = row;
  // The rules of the format refuse other heads, with the line of the sentence.
  if (kind === "word")
    return Number.isSafeInteger(row.id) && (typeof row.head === "number" || row.head === null);
  if (kind === "range") return Number.isSafeInteger(row.first) && Number.isSafeInteger(row.last);
  return kind === "empty" && Number.isSafeInteger(row.after) && Number.isSafeInteger(row.index);
}

/** @throws ArcwiseError `invalid-argument` when a value is not a sentence. O(rows) */
export function requireSentence(value: object, where: string): void {
  checkArgument(sentenceCheck, value, `${where}: sentence`);
}

/** Accepts iterables of sentences. */
export const sentencesCheck = iterable<ConlluSentence>("sentences");

/** Returns sentences; a single sentence becomes a list. */
export function sentencesOf(
  value: ConlluSentence | Iterable<ConlluSentence>,
  where: string,
): Iterable<ConlluSentence> {
  // The view of a sentence is also iterable: it has words.
  if (typeof value === "object" && value !== null && "rows" in value) {
    requireSentence(value, where);
    return [value];
  }
  checkArgument(sentencesCheck, value, `${where}: sentences`);
  return value;
}

/**
 * Returns a check of sentences of another format: comments, and rows with an ID and the given columns. Heads are numbers,
 * other columns texts, and the column `list`, if it is given, a list of texts. The check takes O(rows).
 */
export function formatCheck(columns: readonly string[], list?: string): Check {
  const isFormatRow = (row: unknown): boolean =>
    isObject(row) &&
    Number.isSafeInteger(row.id) &&
    columns.every((name) =>
      isHeadColumn(name) ? Number.isSafeInteger(row[name]) : typeof row[name] === "string",
    ) &&
    (list === undefined || isTexts(row[list]));
  return (value, at) => checkSentence(value, at, isFormatRow);
}

/** Whether a column of another format has a head. */
function isHeadColumn(name: string): boolean {
  return name === "head" || name === "phead";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
