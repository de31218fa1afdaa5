import type { Arcs } from "@arcwise/core";

/** Scores of the arcs and labels of one sentence in addition to its sparse features: the output of a network. */
export interface SentenceTerm {
  /**
   * Returns the candidates that the term keeps: all, unless it prunes. They contain a tree if the given ones
   * do.
   */
  restrict(candidates: Arcs): Arcs;
  /** Adds the score of each arc, which is the same for all its labels. */
  addArcScores(arcs: Arcs, scores: Float64Array): void;
  /**
   * Returns the scores of all labels of words, given their heads: of label l of word m at `labels m + l`.
   * Undefined: the term does not score labels.
   *
   * @param words the words whose labels are scored; default: all
   */
  labelScores(heads: Int32Array, words?: readonly number[]): Float64Array | undefined;
}

/**
 * Keeps the scores of arcs of a term, and nothing else of it, for a sentence that is scored many times over
 * the same arcs.
 */
export function rememberedTerm(term: SentenceTerm, arcs: Arcs): SentenceTerm {
  const remembered = new Float64Array(arcs.head.length);
  term.addArcScores(arcs, remembered);
  return {
    restrict: (candidates) => candidates,
    addArcScores(_, scores) {
      for (let a = 0; a < remembered.length; a++) scores[a] += remembered[a];
    },
    labelScores: () => undefined,
  };
}
