import type { WeightTable } from "@arcwise/core/features";

/** Two trees of a sentence: the features of the first that the second does not have are added. */
export interface TreePair {
  readonly heads: Int32Array;
  readonly than: Int32Array;
}

/** Offset of the weights of features in a vector, and the value to add to each of them. */
export type FeatureChange = Pick<WeightTable, "first" | "scale">;
