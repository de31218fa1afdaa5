/** A matrix in a `MatrixMemory`: the entry in row i and column j is `values[at + i row + j column]`. */
export interface Matrix {
  /** Offset of the first entry. */
  readonly at: number;
  /** Distance from a row to the next. */
  readonly row: number;
  /** Distance from a column to the next: 1, except in the view of a matrix as its transpose. */
  readonly column: number;
  /** The rows as integers: see `MatrixMemory.withIntegers`. */
  readonly integers?: RoundedRows | undefined;
}

/** Rows that were rounded to integers, for products with weights that were. */
export interface RoundedRows {
  /** Addresses of the integers of the first row and of its scale, in bytes. */
  readonly rows: number;
  readonly scales: number;
  /** Number of columns. */
  readonly inner: number;
}

/** A matrix of 8-bit integers in a `MatrixMemory`, with a scale for each row. */
export interface ByteMatrix {
  /** Offset of the first integers, four of which take the place of an entry. */
  readonly at: number;
  /** Offset of the scales. */
  readonly scales: number;
  /** Length of a row: a multiple of `LANES`. */
  readonly columns: number;
}

/** Returns a matrix stored by rows at an offset, with `columns` columns. */
export function matrix(at: number, columns: number): Matrix {
  // All matrices have the same members in the same order, which keeps code that reads them fast.
  return { at, row: columns, column: 1, integers: undefined };
}

/** Returns the transpose of a matrix: another view of the same entries. */
export function transposed({ at, row, column }: Matrix): Matrix {
  return { at, row: column, column: row, integers: undefined };
}

/**
 * Number of lanes of a vector: rows begin at multiples of it, and `multiply` computes this many columns at a
 * time.
 */
export const LANES = 4;

/** Returns the next multiple of `LANES`. */
export function padded(columns: number): number {
  return Math.ceil(columns / LANES) * LANES;
}
