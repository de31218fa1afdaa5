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
 * hundred dimensions (Mu and Viswanath 2018). Vectors of zeros stay so. What `quantizeVectors` refuses is
 * returned as it is. O(numbers · directions).
 */
export function centredVectors(vectors: WordVectors): WordVectors {
  const { dimension, words, values } = vectors;
  if (values.length !== words.length * dimension || !values.every(Number.isFinite)) return vectors;
  const all = Array.from({ length: words.length }, (_, i) =>
    Float64Array.from(values.subarray(i * dimension, (i + 1) * dimension)),
  );
  const rows = all.filter((row) => row.some((value) => value !== 0));
  for (const row of rows) scale(row, 1 / length(row));
  const mean = new Float64Array(dimension);
  for (const row of rows) add(mean, row, 1 / rows.length);
  for (const row of rows) add(row, mean, -1);
  for (let k = 0; k < Math.round(dimension / DIMENSIONS); k++) {
    const direction = strongest(rows, dimension, k);
    if (direction) for (const row of rows) add(row, direction, -product(row, direction));
  }
  const centred = new Float32Array(values.length);
  for (const [i, row] of all.entries()) centred.set(row, i * dimension);
  return { dimension, words, values: centred };
}

/**
 * Returns the direction of length 1 in which rows vary most, by the power method; undefined when all are 0.
 */
function strongest(
  rows: readonly Float64Array[],
  dimension: number,
  stream: number,
): Float64Array | undefined {
  const numbers = random(BEGINNING).fork(stream);
  let direction = Float64Array.from({ length: dimension }, () => numbers.normal());
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(dimension);
    for (const row of rows) add(next, row, product(row, direction));
    const size = length(next);
    if (size === 0) return undefined;
    scale(next, 1 / size);
    direction = next;
  }
  return direction;
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!;
  return sum;
}

function length(vector: Float64Array): number {
  return Math.sqrt(product(vector, vector));
}

function scale(vector: Float64Array, factor: number): void {
  for (let d = 0; d < vector.length; d++) vector[d]! *= factor;
}

/** Adds a multiple of a vector. */
function add(into: Float64Array, vector: Float64Array, factor: number): void {
  for (let d = 0; d < into.length; d++) into[d]! += factor * vector[d]!;
}
