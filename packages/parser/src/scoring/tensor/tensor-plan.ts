/** Largest rank of a tensor. */
export const MOST_RANK = 1000;

/** What a tensor shall be, checked and complete. */
export interface TensorPlan {
  readonly rank: number;
  /** How its weights begin. */
  readonly start: "svd" | "random";
  /** The word vectors that are used, if any, by their number, dimension and hash. */
  readonly vectors?: { readonly words: number; readonly dimension: number; readonly hash: number };
}
