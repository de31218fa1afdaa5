import type { WeightTable } from "@arcwise/core/features";

/** Two trees of a sentence: features are those of the one that the other has not. */
export interface TreePair {
  readonly heads: Int32Array;
  readonly than: Int32Array;
}

/** Where the weights of features begin in a vector, and by how much each of them changes. */
export type FeatureChange = Pick<WeightTable, "first" | "scale">;
