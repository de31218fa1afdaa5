/** Weights in training (32 bits, or 64 for batch learners) and in parsing (bytes with a scale). */
export type Weights = Float32Array | Float64Array | Int8Array;

/** A table of weights within a larger vector. */
export interface WeightTable {
  readonly values: Weights;
  /** Offset of the table in `values`. */
  readonly first: number;
  /** Factor of each weight: for quantised weights, the weight that a byte of 1 stands for. */
  readonly scale: number;
}
