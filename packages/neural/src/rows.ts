import type { Matrix, RoundedRows } from "./matrix.ts";

/** Returns the part of a matrix from one of its rows on. */
export function rowFrom({ at, row: width, column, integers }: Matrix, row: number): Matrix {
  return { at: at + row * width, row: width, column, integers: integers && integersFrom(integers, row) };
}

function integersFrom({ rows, scales, inner }: RoundedRows, row: number): RoundedRows {
  return { rows: rows + 2 * row * inner, scales: scales + 4 * row, inner };
}

/** Returns the part of a matrix from one of its columns on. */
export function columnFrom({ at, row, column: width }: Matrix, column: number): Matrix {
  return { at: at + column * width, row, column: width, integers: undefined };
}

/** Returns a matrix of the same shape at an offset larger by `distance`: the gradients of parameters. */
export function moved({ at, row, column }: Matrix, distance: number): Matrix {
  return { at: at + distance, row, column, integers: undefined };
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
