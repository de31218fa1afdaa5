import type { Sentence } from "@arcwise/core";

/** The columns of words besides their form that models are trained with. */
export const INPUT_COLUMNS = ["upos", "xpos", "feats", "lemma"] as const;
/** A column of the input that models use besides forms. */
export type InputColumn = (typeof INPUT_COLUMNS)[number];

/** For each column, the share of words that have it, from 0 to 1. */
export type ColumnShares = Readonly<Record<InputColumn, number>>;

/** Counts the words that have each column. O(words). */
export function columnShares(sentences: Iterable<Sentence>): ColumnShares {
  const counts = { upos: 0, xpos: 0, feats: 0, lemma: 0 };
  let words = 0;
  for (const sentence of sentences) {
    for (const word of sentence) {
      words++;
      for (const column of INPUT_COLUMNS) if ((word[column] ?? "") !== "") counts[column]++;
    }
  }
  const share = (count: number) => (words === 0 ? 0 : Math.round((10_000 * count) / words) / 10_000);
  const shares = INPUT_COLUMNS.map((column) => [column, share(counts[column])] as const);
  return Object.fromEntries(shares) as ColumnShares;
}
