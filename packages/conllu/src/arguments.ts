/* Checks of arguments of the public functions. */
import { type Check, checkArgument, iterable, satisfying, string } from "@arcwise/core/options";
import { requireSentence } from "./sentence-check.ts";
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

/** @throws ArcwiseError `invalid-argument` when a value is not a string */
export function requireText(value: string, where: string): void {
  checkArgument(string, value, `${where}: text`);
}

/** @throws ArcwiseError `invalid-argument` when a value is not a source */
export function requireSource(value: Source, where: string): void {
  checkArgument(SOURCE, value, `${where}: source`);
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
  // The view of a sentence is also iterable: it has words.
  if (typeof value === "object" && value !== null && "rows" in value) {
    requireSentence(value, where);
    return [value as ConlluSentence];
  }
  requireSentences(value as Iterable<ConlluSentence>, where);
  return value as Iterable<ConlluSentence>;
}
