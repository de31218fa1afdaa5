import { checkArgument, oneOf, string } from "./options/index.ts";

const FORM = oneOf("NFC", "NFKC");
/** Marks of a cluster that are normalised. */
const MAX_MARKS = 30;
const LONG_RUN = /\p{M}{31}/u;
const LONG_RUNS = /(\p{M}{30})\p{M}+/gu;

/**
 * Returns a text in normal form C or KC, except that marks after the thirtieth of a run stay as they are: `normalize` sorts
 * the marks of a run in quadratic time. O(length). No language has such runs.
 *
 * @throws ArcwiseError `invalid-argument`
 *
 * @example normalizeText("e\u0301"); // "é"
 *
 * Source: Stream-Safe Text Format, Unicode Standard Annex 15, section 13.
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" = "NFC"): string {
  checkArgument(string, text, "normalizeText: text");
  checkArgument(FORM, form, "normalizeText: form");
  if (text.length <= MAX_MARKS || !LONG_RUN.test(text)) return text.normalize(form);
  const parts: string[] = [];
  let from = 0;
  for (const { 0: run, 1: marks, index } of text.matchAll(LONG_RUNS)) {
    const end = index + marks!.length;
    parts.push(text.slice(from, end).normalize(form), run.slice(marks!.length));
    from = index + run.length;
  }
  return parts.join("") + text.slice(from).normalize(form);
}
