/** Words of a sentence that are read together. */
export interface Window {
  /** The first word that is read. */
  readonly first: number;
  /** The word after the last one that is read. */
  readonly end: number;
  /** The first of the words whose vectors are taken from this window. */
  readonly ownFirst: number;
  /** The word after the last of these. */
  readonly ownEnd: number;
}

/**
 * Cuts a sentence into windows of at most `capacity` pieces, which overlap by half. A word belongs to the window in whose
 * middle it is most. A sentence that fits is one window. O(words).
 *
 * @param lengths pieces per word, each at least 1 and at most a quarter of the capacity, rounded up
 */
export function windowsOf(lengths: readonly number[], capacity: number): Window[] {
  const starts = [0];
  for (const length of lengths) starts.push(starts.at(-1)! + length);
  const total = starts.at(-1)!;
  const words = lengths.length;
  if (words === 0) return [];
  const steps = Math.ceil(Math.max(0, total - capacity) / (capacity / 2));
  const ranges: Range[] = [];
  let [first, end] = [0, 0];
  for (let step = 0; step <= steps; step++) {
    const from = steps === 0 ? 0 : Math.ceil((step * (total - capacity)) / steps);
    while (starts[first]! < from) first++;
    while (end < words && starts[end + 1]! - starts[first]! <= capacity) end++;
    ranges.push({ first, end, middle: starts[first]! + starts[end]! });
  }
  return withOwners(ranges, starts);
}

/** Words that are read together, and twice the middle of their pieces. */
interface Range {
  readonly first: number;
  readonly end: number;
  readonly middle: number;
}

/** Adds the words that belong to each window. */
function withOwners(ranges: readonly Range[], starts: readonly number[]): Window[] {
  const windows: Window[] = [];
  let own = 0;
  for (const [i, { first, end, middle }] of ranges.entries()) {
    const next = ranges[i + 1];
    const ownFirst = own;
    const isNearer = (word: number) => {
      if (next === undefined || word < next.first) return true;
      const place = starts[word]! + starts[word + 1]!;
      return Math.abs(place - middle) <= Math.abs(place - next.middle);
    };
    while (own < end && isNearer(own)) own++;
    windows.push({ first, end, ownFirst, ownEnd: own });
  }
  return windows;
}

/**
 * Groups sequences into batches, the longest first: batches of at most `limit` pieces with their padding, or of one
 * sequence. Sequences of one length stay in order. O(n log n).
 */
export function batchesOf<T extends { readonly length: number }>(
  sequences: readonly T[],
  limit: number,
): T[][] {
  const batches: T[][] = [];
  let batch: T[] = [];
  for (const sequence of sequences.toSorted((a, b) => b.length - a.length)) {
    const longest = (batch[0] ?? sequence).length;
    if (batch.length > 0 && (batch.length + 1) * longest > limit) {
      batches.push(batch);
      batch = [];
    }
    batch.push(sequence);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
