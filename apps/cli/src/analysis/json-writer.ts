import type { SentenceWriter } from "./sentence-writer.ts";

/** Texts around and between the values of a file: a list that is valid JSON, a value per line; or lines alone. */
const LAYOUTS = {
  json: { start: "[", before: ["\n", ",\n"], after: "", end: "\n]\n" },
  jsonl: { start: "", before: ["", ""], after: "\n", end: "" },
} as const;

/**
 * Returns a writer of one list in JSON, or of a line of JSON for each value.
 *
 * @param valuesOf returns the values of a sentence
 */
export function jsonWriter<Sentence>(
  format: keyof typeof LAYOUTS,
  valuesOf: (sentence: Sentence) => readonly unknown[],
): SentenceWriter<Sentence> {
  const { start, before, after, end } = LAYOUTS[format];
  let count = 0;
  const textOf = (value: unknown) => `${before[count++ === 0 ? 0 : 1]}${JSON.stringify(value)}${after}`;
  return { start, sentence: (sentence) => valuesOf(sentence).map(textOf).join(""), end: () => end };
}
