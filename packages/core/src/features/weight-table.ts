/**
 * Weights in training (32 bits, or 64 for batch learners) and in parsing (bytes, to be multiplied by a
 * scale).
 */
export type Weights = Float32Array | Float64Array | Int8Array;

/** A table of weights within a vector that may hold others as well. */
export interface WeightTable {
  readonly values: Weights;
  /** Offset of the table in `values`. */
  readonly first: number;
  /** Factor of each weight: for quantised weights, what a byte of 1 is worth. */
  readonly scale: number;
}
