/** Inputs of a product are rounded to integers up to this absolute value, a row at a time. */
export const MAX_INPUT = 2 ** 13 - 1;
/** Maximum absolute value of a weight, which has 16 bits. */
const MAX_WEIGHT = 2 ** 15 - 1;
const MAX_SUM = 2 ** 31 - 1;
/** Columns of a panel of weights: the columns of a tile of the kernel `multiplyIntegers`. */
const PANEL = 8;

/** Weights that are rounded to integers, with offsets in the memory. */
export interface IntegerWeights {
  readonly columns: number;
  /** Number of rows. */
  readonly inner: number;
  /**
   * Pairs of 16-bit integers, rows 2k and 2k + 1 in each column, in panels of `PANEL` columns, the last one of what
   * remains: all pairs of a panel follow each other, by k.
   */
  readonly pairs: number;
  /** The factor of the integers of each column. */
  readonly scales: number;
}

/** A matrix of weights: `inner` rows of `columns` columns, the first at an offset, `row` entries apart. */
export interface FloatWeights {
  readonly at: number;
  readonly row: number;
  readonly columns: number;
  readonly inner: number;
}

/** Where integers and scales are written to: views of the same memory. */
export interface IntegerPlaces {
  /** `inner` · `columns` integers. */
  readonly pairs: Int16Array;
  /** `columns` scales. */
  readonly scales: Float32Array;
}

/**
 * Rounds weights to integers with a scale for each column: as fine as sums of products with inputs up to
 * `MAX_INPUT` stay in 32 bits. O(inner · columns).
 */
export function roundWeights(
  values: Float32Array,
  { at, row, columns, inner }: FloatWeights,
  { pairs, scales }: IntegerPlaces,
): void {
  // Rounding moves each of the weights of a column by at most a half.
  const maxColumn = MAX_SUM / MAX_INPUT - inner;
  for (let j = 0; j < columns; j++) {
    let [largest, total] = [0, 0];
    for (let k = 0; k < inner; k++) {
      const size = Math.abs(values[at + k * row + j]);
      largest = Math.max(largest, size);
      total += size;
    }
    const scale = Math.max(largest / MAX_WEIGHT, total / maxColumn);
    scales[j] = scale;
    const first = j - (j % PANEL);
    const width = Math.min(PANEL, columns - first);
    for (let k = 0; k < inner; k++) {
      const place = first * inner + ((k >> 1) * width + j - first) * 2 + (k & 1);
      pairs[place] = scale > 0 ? Math.round(values[at + k * row + j] / scale) : 0;
    }
  }
}
