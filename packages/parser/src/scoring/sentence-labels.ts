/** The labels of the arcs of one sentence, allowed or not, with their scores. */
export interface SentenceLabels {
  /** Returns the labels that an arc has as a rule. */
  usual(h: number, m: number): Int32Array;
  /**
   * Scores some labels on an arc: `scores[l]` becomes the score of `labels[l]` alone. Returns the score of the arc
   * without a label.
   */
  scoreLabels(h: number, m: number, labels: Int32Array, scores: Float64Array): number;
  /** Prepares the arcs of words of a tree, which takes less time than one by one. */
  prepare(heads: Int32Array, words: readonly number[]): void;
}

/** The scores of candidate arcs with their labels summed out, and the logarithm of the share of a label in an arc. */
export interface SummedArcs {
  readonly scores: Float64Array;
  /** Returns the logarithm of the share of a label among the labels of an arc; -Infinity if it is not usual. */
  logShare(h: number, m: number, label: number): number;
}
