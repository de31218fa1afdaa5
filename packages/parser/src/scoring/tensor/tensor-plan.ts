/** Maximum rank of a tensor. */
export const MAX_RANK = 1000;

/** The options of a tensor, checked and complete. */
export interface TensorPlan {
  readonly rank: number;
  /** Initialisation of its weights. */
  readonly start: "svd" | "random";
  /** Number, dimension and hash of the word vectors; undefined without vectors. */
  readonly vectors: { readonly words: number; readonly dimension: number; readonly hash: number } | undefined;
}
