/* Checks of arguments of the public functions. */
import { anyOf, type Check, checkArgument, iterable, satisfying, string } from "@arcwise/core/options";
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
const SENTENCE: Check = satisfying("a sentence with comments and rows", isSentence);
const SENTENCES: Check = iterable("sentences");
const SENTENCE_OR_SENTENCES: Check = anyOf(SENTENCE, SENTENCES);

function isSentence(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { comments, rows } = value as { readonly comments?: unknown; readonly rows?: unknown };
  return Array.isArray(comments) && Array.isArray(rows);
}

/** @throws ArcwiseError `invalid-argument` when a value is no string */
export function requireText(value: string, where: string): void {
  checkArgument(string, value, `${where}: text`);
}

/** @throws ArcwiseError `invalid-argument` when a value is no source */
export function requireSource(value: Source, where: string): void {
  checkArgument(SOURCE, value, `${where}: source`);
}

/** @throws ArcwiseError `invalid-argument` when a value is no sentence */
export function requireSentence(value: object, where: string): void {
  if (!isSentence(value)) checkArgument(SENTENCE, value, `${where}: sentence`);
}

/** @throws ArcwiseError `invalid-argument` when a value is no iterable */
export function requireSentences(value: Iterable<object>, where: string): void {
  checkArgument(SENTENCES, value, `${where}: sentences`);
}

/** Returns sentences, of which one may be given by itself. @throws ArcwiseError `invalid-argument` for others */
export function sentencesOf(
  value: ConlluSentence | Iterable<ConlluSentence>,
  where: string,
): Iterable<ConlluSentence> {
  // The view of a sentence is iterable, too: it has words.
  if (isSentence(value)) return [value as ConlluSentence];
  checkArgument(SENTENCE_OR_SENTENCES, value, `${where}: sentences`);
  return value as Iterable<ConlluSentence>;
}
