/** Maximum rank of a tensor. */
export const MAX_RANK = 1000;

/** The options of a tensor, checked and complete. */
export interface TensorPlan {
  readonly rank: number;
  /** Initialisation of its weights. */
  readonly start: "svd" | "random";
  /** The word vectors; undefined without vectors. */
  readonly vectors: VectorsDescription | undefined;
}

/** Word vectors in the description of a model: how many numbers each has, and a hash of all. */
export interface VectorsDescription {
  readonly words: number;
  readonly dimension: number;
  readonly hash: number;
  /** See `WordVectors`. */
  readonly beginnings?: number;
}
