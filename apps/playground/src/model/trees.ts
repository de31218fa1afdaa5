/** A tree as plain data: heads and labels by position, of which entry 0 is the root. */
export interface PlainTree {
  readonly heads: Int32Array;
  readonly labels: readonly string[];
  readonly score: number;
}

/** A tree of another decoder on the scores of the parser, with the decoder's bound of all scores. */
export interface OtherTree extends PlainTree {
  readonly bound: number;
}

/** Candidate arcs and their probabilities, as `withProbabilities` of @arcwise/draw takes them. */
export interface PlainProbabilities {
  readonly arcs: { readonly head: Int32Array; readonly modifier: Int32Array };
  readonly arcProbabilities: Float64Array;
}

/** The k best trees of a sentence, best first, and the probability of each candidate arc. */
export interface Ranking {
  readonly trees: readonly PlainTree[];
  readonly probabilities: PlainProbabilities;
}
