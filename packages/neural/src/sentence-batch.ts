import type { MatrixMemory } from "./matrices.ts";
import type { Matrix } from "./matrix.ts";
import { copyRows, rowFrom } from "./rows.ts";

/**
 * A batch of sequences as rows of matrices: the first positions of all sequences, then the second ones of
 * those that have one, and so on. Longer sequences come first, so that one step of a recurrent layer is a
 * block of rows.
 */
export interface SentenceBatch {
  /** Number of positions of each sequence, descending. */
  readonly lengths: readonly number[];
  /**
   * First row of each position; the last entry is the number of rows. Position t of sequence s is row
   * `start[t] + s`.
   */
  readonly start: Int32Array;
}

/** Lays out sequences of the given lengths. @throws RangeError unless lengths descend and are at least 1 */
export function sentenceBatch(lengths: readonly number[]): SentenceBatch {
  for (const [s, length] of lengths.entries()) {
    if (length < 1 || (s > 0 && length > lengths[s - 1]))
      throw new RangeError(`expected lengths in descending order, each at least 1, got ${lengths}`);
  }
  const longest = lengths[0] ?? 0;
  const start = new Int32Array(longest + 1);
  let active = lengths.length;
  for (let t = 0; t < longest; t++) {
    while (lengths[active - 1] <= t) active--;
    start[t + 1] = start[t] + active;
  }
  return { lengths, start };
}

/** Returns the number of rows. */
export function rowsOf({ start }: SentenceBatch): number {
  return start.at(-1)!;
}

/** Copies the rows of sequence s of a batch into a matrix of their own. O(length · columns). */
export function gatherSentence(memory: MatrixMemory, batch: SentenceBatch, from: Matrix, s: number): Matrix {
  const length = batch.lengths[s];
  const into = memory.unsetMatrix(length, from.row);
  memory.gatherRows(into, from, from.row, sequenceRows(batch, s));
  return into;
}

/** Returns the rows of the positions of sequence s. */
export function sequenceRows({ lengths, start }: SentenceBatch, s: number): Int32Array {
  const rows = new Int32Array(lengths[s]);
  for (let t = 0; t < rows.length; t++) rows[t] = start[t] + s;
  return rows;
}

/** Copies the rows of a matrix over the rows of sequence s of a batch: the inverse of `gatherSentence`. */
export function scatterSentence(
  values: Float32Array,
  batch: SentenceBatch,
  into: Matrix,
  from: Matrix,
  s: number,
): void {
  for (let t = 0; t < batch.lengths[s]; t++) {
    copyRows(values, rowFrom(into, batch.start[t] + s), rowFrom(from, t), 1, from.row);
  }
}

/** The rows of one position of all sequences that have it. */
export interface BatchStep {
  /** First row of the position, and number of rows. */
  readonly row: number;
  readonly active: number;
  /** First row of the position read before, and number of sequences that have one: they come first. */
  readonly previous: number;
  readonly continued: number;
}

/**
 * Returns the positions of a batch in the order in which a recurrent layer reads them. O(longest sequence).
 */
export function stepsOf(batch: SentenceBatch, backward: boolean): BatchStep[] {
  const numbers = stepNumbers(batch, backward);
  return Array.from({ length: numbers.length / 4 }, (_, t) => {
    const [row, previous, continued, active] = numbers.subarray(4 * t);
    return { row, active, previous, continued };
  });
}

/**
 * Returns the numbers of the steps of `stepsOf`: for each its first row, the first row of the position read before, the
 * number of sequences that have one, and the number of all. O(longest sequence).
 */
export function stepNumbers({ start }: SentenceBatch, backward: boolean): Int32Array {
  const longest = start.length - 1;
  const numbers = new Int32Array(4 * longest);
  for (let t = 0; t < longest; t++) {
    const [row, end] = [start[t], start[t + 1]];
    const at = 4 * (backward ? longest - 1 - t : t);
    numbers[at] = row;
    if (backward) {
      numbers[at + 1] = end;
      numbers[at + 2] = t + 1 < longest ? start[t + 2] - end : 0;
    } else if (t > 0) {
      numbers[at + 1] = start[t - 1];
      numbers[at + 2] = end - row;
    }
    numbers[at + 3] = end - row;
  }
  return numbers;
}
