import type { Random } from "@arcwise/core";
import type { MatrixMemory } from "../matrices.ts";
import type { Matrix } from "../matrix.ts";

/**
 * Sets entries to 0 at random and divides the others by the share that is kept (Srivastava et al. 2014).
 * O(length).
 *
 * @param length number of entries of the matrix, which are contiguous
 * @param rate probability that an entry is dropped, below 1
 * @returns the factors: gradients are multiplied by them in the backward pass
 */
export function dropout(
  memory: MatrixMemory,
  entries: Matrix,
  length: number,
  rate: number,
  stream: Random,
): Matrix {
  const factors = memory.matrix(1, length);
  const { values } = memory;
  const bound = rate * 2 ** 32;
  const scale = 1 / (1 - rate);
  for (let i = 0; i < length; i++) values[factors.at + i] = stream.uint32() < bound ? 0 : scale;
  multiplyInPlace(values, entries, factors, length);
  return factors;
}

/** Multiplies entries by factors: the backward pass of `dropout`. O(length). */
export function multiplyInPlace(
  values: Float32Array,
  entries: Matrix,
  factors: Matrix,
  length: number,
): void {
  for (let i = 0; i < length; i++) values[entries.at + i] *= values[factors.at + i];
}
