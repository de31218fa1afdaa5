import type { Arcs } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { ModelWeights } from "./model-weights.ts";

/** Scores sentences beside their sparse features: a tensor, a network. */
export interface ScoreTerm {
  /**
   * Reads a sentence. What is returned stays right when other sentences are read: their memory may be shared,
   * at the cost of reading a sentence anew with each turn.
   *
   * @param weights of the model, for terms whose weights are learned with the sparse ones
   */
  read(sentence: EncodedSentence, weights: ModelWeights): SentenceTerm;
}

/** What a term knows of one sentence. */
export interface SentenceTerm {
  /**
   * The candidates that the term leaves: all, unless it prunes. There is a tree among them if there was one.
   */
  restrict(candidates: Arcs): Arcs;
  /** Adds the score of each arc, which holds for all its labels. */
  addArcScores(arcs: Arcs, scores: Float64Array): void;
  /**
   * Scores of all labels of each word, given its head: of label l of word m at `labels m + l`. Undefined: the
   * term has no say in labels.
   */
  labelScores(heads: Int32Array): Float64Array | undefined;
}

/**
 * A term whose arc scores were computed before, for a sentence that is scored many times over the same arcs.
 */
export function rememberedTerm(term: SentenceTerm, arcs: Arcs): SentenceTerm {
  const remembered = new Float64Array(arcs.head.length);
  term.addArcScores(arcs, remembered);
  return {
    restrict: (candidates) => candidates,
    addArcScores(_, scores) {
      for (let a = 0; a < remembered.length; a++) scores[a]! += remembered[a]!;
    },
    labelScores: (heads) => term.labelScores(heads),
  };
}
