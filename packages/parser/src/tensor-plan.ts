/** Largest rank of a tensor. */
export const MOST_RANK = 1000;

/** What a tensor shall be, checked and complete. */
export interface TensorPlan {
  readonly rank: number;
  /** How its weights begin. */
  readonly start: "svd" | "random";
}
