/** Maximum rank of a tensor. */
export const MAX_RANK = 1000;

/** Word vectors in the description of a model: how many numbers each has, and a hash of all. */
export interface VectorsDescription {
  readonly words: number;
  readonly dimension: number;
  readonly hash: number;
  /** See `WordVectors`. */
  readonly beginnings?: number | undefined;
}
