/* Checks of arguments of the public functions. */
import { type Check, checkArgument, iterable, refuse, satisfying, string } from "@arcwise/core/options";
import type { Source } from "./source.ts";
import type { ConlluSentence } from "./types.ts";

const SOURCE: Check = satisfying(
  "a string, bytes (Uint8Array), or an iterable, async iterable or stream of them",
  (value) => {
    if (typeof value !== "object" || value === null) return typeof value === "string";
    if (ArrayBuffer.isView(value)) return value instanceof Uint8Array;
    return Symbol.asyncIterator in value || Symbol.iterator in value || "getReader" in value;
  },
);
const SENTENCES: Check = iterable("sentences");

/** The numbers that rows of each kind have. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  word: ["id", "head"],
  range: ["first", "last"],
  empty: ["after", "index"],
};

/** Accepts sentences: comments and rows with all their columns. O(comments + rows). */
export const sentenceCheck: Check = (value, at) => {
  if (!isObject(value) || !Array.isArray(value.comments) || !Array.isArray(value.rows))
    refuse(at, "a sentence with comments and rows", value);
  const { comments, rows } = value as { readonly comments: unknown[]; readonly rows: unknown[] };
  const prefix = at === "" ? "" : `${at}.`;
  for (let i = 0; i < comments.length; i++)
    if (typeof comments[i] !== "string") refuse(`${prefix}comments[${i}]`, "a text", comments[i]);
  for (let i = 0; i < rows.length; i++)
    if (!isRow(rows[i])) refuse(`${prefix}rows[${i}]`, "a row with all its columns", rows[i]);
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Whether a value has the members of a row. The columns are named one by one: each row of each sentence is asked. */
function isRow(row: unknown): boolean {
  if (!isObject(row) || typeof row.kind !== "string" || !Object.hasOwn(NUMBERS, row.kind)) return false;
  return (
    typeof row.form === "string" &&
    typeof row.lemma === "string" &&
    typeof row.upos === "string" &&
    typeof row.xpos === "string" &&
    typeof row.feats === "string" &&
    typeof row.deprel === "string" &&
    typeof row.deps === "string" &&
    typeof row.misc === "string" &&
    NUMBERS[row.kind]!.every((name) => typeof row[name] === "number")
  );
}

/** @throws ArcwiseError `invalid-argument` when a value is not a string */
export function requireText(value: string, where: string): void {
  checkArgument(string, value, `${where}: text`);
}

/** @throws ArcwiseError `invalid-argument` when a value is not a source */
export function requireSource(value: Source, where: string): void {
  checkArgument(SOURCE, value, `${where}: source`);
}

/** @throws ArcwiseError `invalid-argument` when a value is not a sentence. O(rows) */
export function requireSentence(value: object, where: string): void {
  checkArgument(sentenceCheck, value, `${where}: sentence`);
}

/** @throws ArcwiseError `invalid-argument` when a value is not an iterable */
export function requireSentences(value: Iterable<object>, where: string): void {
  checkArgument(SENTENCES, value, `${where}: sentences`);
}

/** Returns sentences, of which one may be given by itself. @throws ArcwiseError `invalid-argument` for others */
export function sentencesOf(
  value: ConlluSentence | Iterable<ConlluSentence>,
  where: string,
): Iterable<ConlluSentence> {
  // The view of a sentence is iterable, too: it has words.
  if (isObject(value) && "rows" in value) {
    requireSentence(value, where);
    return [value as ConlluSentence];
  }
  requireSentences(value as Iterable<ConlluSentence>, where);
  return value as Iterable<ConlluSentence>;
}
