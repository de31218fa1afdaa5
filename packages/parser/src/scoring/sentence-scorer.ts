import { type Arcs, addCost, arcIndex, type Decoder, type ParsingProblem } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { Costs, ScoredArcs } from "./arcs/arc-scorer.ts";
import type { EncodedTree } from "./arcs/label-filter.ts";
import type { LabelShares } from "./arcs/label-shares.ts";
import type { ModelWeights } from "./model-weights.ts";
import { limitParts, type PartReduction } from "./parts/part-limit.ts";
import type { SentenceTerm } from "./score-term.ts";
import type { Scorers } from "./scorers.ts";

/** The constraints on one sentence. */
export interface SentenceConstraints {
  /** Returns the candidates that the constraints allow. */
  restrict(candidates: Arcs): Arcs;
  /** Gives the arcs of words with constrained labels their best allowed label, and its score. */
  chooseLabels(arcs: Arcs, scored: ScoredArcs): void;
  /** Gives these arcs the logarithm of the sum over their allowed labels of exp(score). */
  sumLabels(arcs: Arcs, scores: Float64Array): void;
}

/** Options of scoring one sentence. */
export interface ScoringOptions {
  /** Costs that make scores cost-augmented. */
  readonly costs?: Costs | undefined;
  readonly constraints?: SentenceConstraints | undefined;
  /** Candidate arcs; default: those that the pruner and the terms keep. */
  readonly arcs?: Arcs | undefined;
  /** Scores besides sparse features. Default: none. */
  readonly terms?: readonly SentenceTerm[] | undefined;
  /**
   * Scores at most `MAX_PARTS` parts, with candidates that contain a tree of this family; default: all parts.
   */
  readonly limitFor?: Decoder["trees"] | undefined;
}

/** The contents of a scored sentence. */
interface ScoredParts {
  readonly sentence: EncodedSentence;
  readonly problem: ParsingProblem;
  /** The label of the score of each arc; empty if scores have their labels summed out. */
  readonly labels: Int32Array;
  /** Returns the labels of a tree, if the scores of arcs have their labels summed out. */
  readonly labelsOf?: ((heads: Int32Array) => Int32Array) | undefined;
  readonly terms: readonly SentenceTerm[];
  /**
   * Candidates and kinds of parts that were omitted because there are too many parts; undefined if none
   * were.
   */
  readonly reduction: PartReduction | undefined;
}

/** A sentence with its scored candidates. It owns its memory: scoring other sentences does not change it. */
export type ScoredSentence = ReturnType<typeof scoredSentence>;

/** Returns a sentence with its scored candidates. */
export function scoredSentence(parts: ScoredParts) {
  const { problem, terms, labelsOf } = parts;
  return {
    ...parts,
    /**
     * Returns a tree over the candidates with the best label of each of its arcs. O(n log n); by a network O(n units
     * labels).
     */
    labelled(heads: Int32Array): EncodedTree {
      if (labelsOf !== undefined) return { heads, labels: labelsOf(heads) };
      const { arcs } = problem;
      const labels = new Int32Array(arcs.n + 1).fill(-1);
      for (let m = 1; m <= arcs.n; m++) labels[m] = parts.labels[arcIndex(arcs, heads[m], m)];
      return { heads, labels };
    },
    /**
     * Returns the scores of the labels of words given their heads, summed over the terms that score labels;
     * undefined if none does.
     *
     * @param words the words whose labels are scored; default: all
     */
    labelScores(heads: Int32Array, words?: readonly number[]): Float64Array | undefined {
      let sum: Float64Array | undefined;
      for (const term of terms) {
        const scores = term.labelScores(heads, words);
        sum = sum === undefined || scores === undefined ? (sum ?? scores) : sum.map((s, i) => s + scores[i]);
      }
      return sum;
    },
  };
}

/** Returns a scored sentence with other scores of its arcs. */
export function withArcScores(scored: ScoredSentence, arcScores: Float64Array): ScoredSentence {
  return scoredSentence({ ...scored, problem: { ...scored.problem, arcScores } });
}

/**
 * Scores sentences: the only path from a sentence to the problem of a decoder, in training and in parsing.
 * Candidates are pruned, restricted by terms and constraints, and scored with their best labels; then terms
 * add their scores.
 */
export class SentenceScorer {
  readonly scorers: Scorers;
  readonly #candidates: (sentence: EncodedSentence) => Arcs;

  /** @param candidates returns the arcs that a pruner keeps of a sentence */
  constructor(scorers: Scorers, candidates: (sentence: EncodedSentence) => Arcs) {
    this.scorers = scorers;
    this.#candidates = candidates;
  }

  /** Returns the candidates of a sentence that pruner and terms keep. */
  candidates(sentence: EncodedSentence, terms: readonly SentenceTerm[]): Arcs {
    return terms.reduce((arcs, term) => term.restrict(arcs), this.#candidates(sentence));
  }

  /**
   * Scores a sentence. Cost: O(n²) for the pruner with a small constant, and O(candidates · templates ·
   * labels).
   */
  score(sentence: EncodedSentence, weights: ModelWeights, options: ScoringOptions = {}): ScoredSentence {
    const { costs, constraints, terms = [] } = options;
    const likely = options.arcs ?? this.candidates(sentence, terms);
    const arcs = constraints ? constraints.restrict(likely) : likely;
    const scored = this.scorers.arcs.score(sentence, arcs, weights.arcs, costs);
    constraints?.chooseLabels(arcs, scored);
    for (const term of terms) term.addArcScores(arcs, scored.scores);
    const { parts } = this.scorers;
    const { scores, labels: best } = scored;
    const all = { arcs, scores, labels: best, kinds: parts.kinds, reduction: undefined };
    const limited = options.limitFor ? limitParts(all, parts.kinds, options.limitFor) : all;
    const problem = {
      arcs: limited.arcs,
      arcScores: limited.scores,
      parts: parts.score(sentence, limited.arcs, weights.parts, limited.kinds),
      global: weights.trees && this.scorers.global?.scorer(sentence, weights.trees),
    };
    const { labels, reduction } = limited;
    const asked = costs ? addCost(problem, costs.gold.heads, costs.head) : problem;
    return scoredSentence({ sentence, problem: asked, labels, terms, reduction });
  }

  /** Scores arcs of a sentence with their labels summed out. Cost: O(arcs · templates · labels). */
  sum(
    sentence: EncodedSentence,
    weights: ModelWeights,
    { arcs: given, constraints, terms = [] }: Pick<ScoringOptions, "arcs" | "constraints" | "terms">,
  ): LabelShares {
    const arcs = given ?? this.candidates(sentence, terms);
    const shares = this.scorers.arcs.sum(sentence, arcs, weights.arcs);
    constraints?.sumLabels(arcs, shares.scores);
    for (const term of terms) term.addArcScores(arcs, shares.scores);
    return shares;
  }
}
