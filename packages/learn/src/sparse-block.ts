import type { SparseVector } from "@arcwise/core";

/** An immutable sparse vector in minimal memory. */
export interface SparseBlock {
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

export const EMPTY_BLOCK: SparseBlock = { indices: new Int32Array(0), values: new Float64Array(0) };

/** Returns `scale` times a sparse vector, without entries that are 0. */
export function blockOf(vector: SparseVector, scale = 1): SparseBlock {
  let count = 0;
  for (let k = 0; k < vector.size; k++) if (vector.values[k] !== 0) count++;
  const indices = new Int32Array(count);
  const values = new Float64Array(count);
  let entry = 0;
  for (let k = 0; k < vector.size; k++) {
    if (vector.values[k] === 0) continue;
    indices[entry] = vector.indices[k];
    values[entry++] = scale * vector.values[k];
  }
  return { indices, values };
}

/** Adds `scale` times a block to a sparse vector. */
export function addBlock(into: SparseVector, { indices, values }: SparseBlock, scale: number): void {
  for (let k = 0; k < indices.length; k++) into.add(indices[k], scale * values[k]);
}

/** Returns the inner product with a dense vector. */
export function dotBlock({ indices, values }: SparseBlock, dense: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < indices.length; k++) sum += values[k] * dense[indices[k]];
  return sum;
}

/** Adds a block to a dense vector, rounding to its precision. */
export function addToDense(into: Float32Array, { indices, values }: SparseBlock): void {
  for (let k = 0; k < indices.length; k++) into[indices[k]] += values[k];
}
