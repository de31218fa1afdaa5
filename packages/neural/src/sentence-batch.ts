/**
 * Sentences that a network reads together, and where their positions lie as rows of matrices: the first positions of all
 * sentences, then the second ones of those that have one, and so on. Longer sentences come first, so that what a recurrent
 * network does at one step is a block of rows.
 */
export interface SentenceBatch {
  /** Lengths of the sentences, the root counted: none is longer than the one before it. */
  readonly lengths: readonly number[];
  /** Where the rows of each position begin, and behind the last one the number of rows. */
  readonly start: Int32Array;
}

/** @throws RangeError when a sentence is longer than the one before it, or has no position */
export function sentenceBatch(lengths: readonly number[]): SentenceBatch {
  for (const [s, length] of lengths.entries()) {
    if (length < 1 || (s > 0 && length > lengths[s - 1]!))
      throw new RangeError(`expected lengths in descending order, each at least 1, got ${lengths}`);
  }
  const longest = lengths[0] ?? 0;
  const start = new Int32Array(longest + 1);
  let active = lengths.length;
  for (let t = 0; t < longest; t++) {
    while (lengths[active - 1]! <= t) active--;
    start[t + 1] = start[t]! + active;
  }
  return { lengths, start };
}

/** Number of rows. */
export function rowsOf({ start }: SentenceBatch): number {
  return start.at(-1)!;
}
