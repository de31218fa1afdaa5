import { random } from "@arcwise/core";
import type { WordVectors } from "./word-vectors.ts";

/** Dimensions for each direction that is removed. */
const DIMENSIONS = 100;
/** Steps of the power method: the direction need not be exact. */
const STEPS = 30;
/** Identifies the stream of random numbers that directions begin from. */
const BEGINNING = 0xd12;

/**
 * Returns vectors without what most of them have in common, which hides what distinguishes words: scaled to
 * length 1, less their mean, and less their components in the directions of most variance, one for every
 * hundred dimensions (Mu and Viswanath 2018). Vectors of zeros stay zeros. Vectors that
 * `quantizeVectors` refuses are returned unchanged. O(numbers · directions).
 */
export function centredVectors(vectors: WordVectors): WordVectors {
  const { dimension, words, values } = vectors;
  if (values.length !== words.length * dimension || !values.every(Number.isFinite)) return vectors;
  const rows = rowsOf(vectors);
  const { numbers, count } = rows;
  const mean = new Float64Array(dimension);
  for (let r = 0; r < count; r++) scaleRow(rows, r, 1 / Math.sqrt(squares(rows, r)));
  for (let r = 0; r < count; r++) addRow(mean, rows, r, 1 / count);
  for (let r = 0; r < count; r++) addToRow(rows, r, mean, -1);
  for (let k = 0; k < Math.round(dimension / DIMENSIONS); k++) {
    const direction = strongest(rows, k);
    if (direction === undefined) continue;
    for (let r = 0; r < count; r++) addToRow(rows, r, direction, -product(rows, r, direction));
  }
  const centred = new Float32Array(values.length);
  rows.words.forEach((word, r) => {
    centred.set(numbers.subarray(r * dimension, (r + 1) * dimension), word * dimension);
  });
  return { ...vectors, values: centred };
}

/** Vectors that are not zero, in sequence. */
interface Rows {
  readonly dimension: number;
  readonly count: number;
  readonly numbers: Float64Array;
  /** The word of each row. */
  readonly words: Int32Array;
}

function rowsOf({ dimension, words, values }: WordVectors): Rows {
  const kept = Int32Array.from(words, (_, i) => i).filter((i) => {
    for (let d = 0; d < dimension; d++) if (values[i * dimension + d] !== 0) return true;
    return false;
  });
  const numbers = new Float64Array(kept.length * dimension);
  kept.forEach((word, r) => {
    for (let d = 0; d < dimension; d++) numbers[r * dimension + d] = values[word * dimension + d];
  });
  return { dimension, count: kept.length, numbers, words: kept };
}

/**
 * Returns the direction of length 1 in which rows vary most, by the power method; undefined when all are 0.
 */
function strongest(rows: Rows, stream: number): Float64Array | undefined {
  const normal = random(BEGINNING).fork(stream);
  let direction = Float64Array.from({ length: rows.dimension }, () => normal.normal());
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(rows.dimension);
    for (let r = 0; r < rows.count; r++) addRow(next, rows, r, product(rows, r, direction));
    const size = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
    if (size === 0) return undefined;
    direction = next.map((value) => value * (1 / size));
  }
  return direction;
}

function product({ dimension, numbers }: Rows, row: number, vector: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < dimension; d++) sum += numbers[row * dimension + d] * vector[d];
  return sum;
}

function squares({ dimension, numbers }: Rows, row: number): number {
  let sum = 0;
  for (let d = 0; d < dimension; d++) sum += numbers[row * dimension + d] * numbers[row * dimension + d];
  return sum;
}

function scaleRow({ dimension, numbers }: Rows, row: number, factor: number): void {
  for (let d = 0; d < dimension; d++) numbers[row * dimension + d] *= factor;
}

/** Adds a multiple of a row to a vector. */
function addRow(into: Float64Array, { dimension, numbers }: Rows, row: number, factor: number): void {
  for (let d = 0; d < dimension; d++) into[d] += factor * numbers[row * dimension + d];
}

/** Adds a multiple of a vector to a row. */
function addToRow({ dimension, numbers }: Rows, row: number, vector: Float64Array, factor: number): void {
  for (let d = 0; d < dimension; d++) numbers[row * dimension + d] += factor * vector[d];
}
