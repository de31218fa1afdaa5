/** Maximum rank of a tensor. */
export const MAX_RANK = 1000;

/** The tensor to train, checked and complete. */
export interface TensorPlan {
  readonly rank: number;
  /** How its weights begin. */
  readonly start: "svd" | "random";
  /** Number, dimension and hash of the word vectors; undefined without any. */
  readonly vectors: { readonly words: number; readonly dimension: number; readonly hash: number } | undefined;
}
