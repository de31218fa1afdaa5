import type { Matrix } from "./matrices.ts";

/** Returns the part of a matrix from one of its rows on. */
export function rowFrom(of: Matrix, row: number): Matrix {
  return { ...of, at: of.at + row * of.row };
}

/** Returns the part of a matrix from one of its columns on. */
export function columnFrom(of: Matrix, column: number): Matrix {
  return { ...of, at: of.at + column * of.column };
}

/** Returns a matrix of the same shape at an offset larger by `distance`: the gradients of parameters. */
export function moved(of: Matrix, distance: number): Matrix {
  return { ...of, at: of.at + distance };
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
