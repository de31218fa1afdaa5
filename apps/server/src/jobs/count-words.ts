import type { Row } from "@arcwise/conllu";

/** Returns the number of words among rows. */
export function countWords(rows: readonly Row[]): number {
  let words = 0;
  for (const { kind } of rows) if (kind === "word") words++;
  return words;
}
