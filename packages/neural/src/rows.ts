import type { Matrix, RoundedRows } from "./matrices.ts";

/** Returns the part of a matrix from one of its rows on. */
export function rowFrom({ at, row: width, column, integers }: Matrix, row: number): Matrix {
  return { at: at + row * width, row: width, column, integers: integers && integersFrom(integers, row) };
}

function integersFrom({ rows, scales, inner }: RoundedRows, row: number): RoundedRows {
  return { rows: rows + 2 * row * inner, scales: scales + 4 * row, inner };
}

/** Returns the part of a matrix from one of its columns on. */
export function columnFrom({ at, row, column: width }: Matrix, column: number): Matrix {
  return { at: at + column * width, row, column: width };
}

/** Returns a matrix of the same shape at an offset larger by `distance`: the gradients of parameters. */
export function moved({ at, row, column }: Matrix, distance: number): Matrix {
  return { at: at + distance, row, column };
}

/** Copies the first `columns` entries of `rows` rows. */
export function copyRows(
  values: Float32Array,
  into: Matrix,
  from: Matrix,
  rows: number,
  columns: number,
): void {
  for (let r = 0; r < rows; r++) {
    const source = from.at + r * from.row;
    values.copyWithin(into.at + r * into.row, source, source + columns);
  }
}

/** Adds the first `columns` entries of `rows` rows. */
export function addRows(
  values: Float32Array,
  into: Matrix,
  from: Matrix,
  rows: number,
  columns: number,
): void {
  for (let r = 0; r < rows; r++) {
    const [at, source] = [into.at + r * into.row, from.at + r * from.row];
    for (let k = 0; k < columns; k++) values[at + k] += values[source + k];
  }
}

/** Copies one row to each row of a matrix. O(rows · columns). */
export function fillRows(
  values: Float32Array,
  into: Matrix,
  row: Matrix,
  rows: number,
  columns: number,
): void {
  if (into.row !== columns) {
    for (let r = 0; r < rows; r++) values.copyWithin(into.at + r * into.row, row.at, row.at + columns);
    return;
  }
  // Rows that follow each other are doubled: a copy takes longer to begin than to move a row.
  const length = rows * columns;
  if (rows > 0) values.copyWithin(into.at, row.at, row.at + columns);
  for (let done = columns; done < length; done *= 2) {
    values.copyWithin(into.at + done, into.at, into.at + Math.min(done, length - done));
  }
}

/** Adds the sum of all rows of a matrix to one row. */
export function addColumnSums(
  values: Float32Array,
  into: Matrix,
  of: Matrix,
  rows: number,
  columns: number,
): void {
  for (let r = 0; r < rows; r++) {
    const from = of.at + r * of.row;
    for (let k = 0; k < columns; k++) values[into.at + k] += values[from + k];
  }
}
