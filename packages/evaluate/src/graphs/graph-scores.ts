import type { DependencyGraph } from "@arcwise/core";
import { checkArgument, checkOptions, oneOf } from "@arcwise/core/options";
import type { SentenceCounts } from "../attachment.ts";
import { requirePairs } from "../pairs.ts";
import { ratio } from "../scoring.ts";
import {
  common,
  GRAPH_SCORING,
  type GraphItems,
  type GraphScoringOptions,
  graphItems,
} from "./graph-items.ts";
import { checkGraphPair, type GraphPair } from "./graph-pairs.ts";

/** Precision, recall and F1 of items: fractions from 0 to 1; 0 when the denominator is 0. */
export interface ItemScore {
  readonly correct: number;
  readonly gold: number;
  readonly predicted: number;
  /** `correct / predicted`. */
  readonly precision: number;
  /** `correct / gold`. */
  readonly recall: number;
  /** Harmonic mean of precision and recall. */
  readonly f1: number;
}

/** The score of edges, and the share of sentences in which all edges are right. */
export interface EdgeScore extends ItemScore {
  readonly exactMatch: number;
}

/** Scores of graphs; all but the counts are fractions from 0 to 1. */
export interface GraphScores {
  readonly sentences: number;
  /** Edges with their labels. */
  readonly labelled: EdgeScore;
  /** Pairs of head and modifier, regardless of their labels. */
  readonly unlabelled: EdgeScore;
  readonly tops: ItemScore;
  /** Words that are predicates, regardless of their senses. */
  readonly predicates: ItemScore;
  /** Predicates with the right sense. */
  readonly senses: ItemScore;
  /**
   * Share of the predicates found that have the right sense. Where predicates are given, this is sense
   * accuracy.
   */
  readonly senseAccuracy: number;
}

/**
 * Returns the scores of graphs over gold tokens, micro-averaged over items. Exact match counts every
 * sentence, including those without edges. `options` determine whether tops and senses are among the items of
 * `labelled` and `unlabelled`. O(edges).
 *
 * @throws ArcwiseError `invalid-argument` when a pair has graphs of different sizes, or a graph is invalid; `unknown-option`,
 * `invalid-option`
 *
 * Oepen et al. 2014, SemEval 2014 task 8 (tops); Hajič et al. 2009, The CoNLL-2009 shared task (senses).
 *
 * @example
 * import { parseSdp } from "@arcwise/conllu";
 * import { graphClasses, graphScores, sdpPairs } from "@arcwise/evaluate";
 *
 * const gold = parseSdp(`#1
 * 1	Cats	cat	NNS	-	-	_	ARG1
 * 2	sleep	sleep	VBP	+	+	sleep.01	_
 *
 * `);
 * const parsed = parseSdp(`#1
 * 1	Cats	cat	NNS	-	-	_	ARG2
 * 2	sleep	sleep	VBP	+	+	sleep.01	_
 *
 * `);
 * const pairs = sdpPairs(gold, parsed);
 * const { labelled, unlabelled } = graphScores(pairs);
 * console.log(labelled.f1, unlabelled.f1); // 0 1
 * console.log(graphScores(pairs, { tops: true, senses: true }).labelled.f1.toFixed(2)); // 0.67
 * console.log(graphClasses(pairs).label.map((row) => `${row.key} ${row.labelled.f1}`).join(", ")); // ARG1 0, ARG2 0
 */
export function graphScores(pairs: readonly GraphPair[], options?: GraphScoringOptions): GraphScores {
  requirePairs(pairs, "graphScores");
  const scoring = checkOptions(GRAPH_SCORING, options, "graphScores");
  const tallies = {
    labelled: new ItemTally(),
    unlabelled: new ItemTally(),
    tops: new ItemTally(),
    predicates: new ItemTally(),
    senses: new ItemTally(),
  };
  for (const [index, pair] of pairs.entries()) {
    checkGraphPair(pair, index);
    const gold = graphItems(pair.gold, scoring);
    const predicted = graphItems(pair.predicted, scoring);
    tallies.labelled.add(gold.labelled, predicted.labelled);
    tallies.unlabelled.add(gold.unlabelled, predicted.unlabelled);
    tallies.tops.add(topsOf(pair.gold), topsOf(pair.predicted));
    const goldPredicates = predicatesOf(pair.gold);
    const ownPredicates = predicatesOf(pair.predicted);
    tallies.predicates.add(goldPredicates.unlabelled, ownPredicates.unlabelled);
    tallies.senses.add(goldPredicates.labelled, ownPredicates.labelled);
  }
  const { labelled, unlabelled, tops, predicates, senses } = tallies;
  return {
    sentences: pairs.length,
    labelled: labelled.edgeScore(pairs.length),
    unlabelled: unlabelled.edgeScore(pairs.length),
    tops: tops.score(),
    predicates: predicates.score(),
    senses: senses.score(),
    senseAccuracy: ratio(senses.correct, predicates.correct),
  };
}

function topsOf({ tops }: DependencyGraph): ReadonlySet<string> {
  return new Set(tops.map(String));
}

function predicatesOf({ n, predicates }: DependencyGraph): GraphItems {
  return graphItems({ n, edges: [], tops: [], predicates }, { senses: true });
}

/** Counts of items, summed over sentences. */
class ItemTally {
  correct = 0;
  #gold = 0;
  #predicted = 0;
  #exact = 0;

  add(gold: ReadonlySet<string>, predicted: ReadonlySet<string>): void {
    const correct = common(gold, predicted);
    this.correct += correct;
    this.#gold += gold.size;
    this.#predicted += predicted.size;
    if (correct === gold.size && correct === predicted.size) this.#exact++;
  }

  score(): ItemScore {
    const { correct } = this;
    const [gold, predicted] = [this.#gold, this.#predicted];
    return {
      correct,
      gold,
      predicted,
      precision: ratio(correct, predicted),
      recall: ratio(correct, gold),
      f1: ratio(2 * correct, gold + predicted),
    };
  }

  edgeScore(sentences: number): EdgeScore {
    return { ...this.score(), exactMatch: ratio(this.#exact, sentences) };
  }
}

const METRIC = oneOf("labelled", "unlabelled");

/**
 * Returns counts from which `pairedBootstrap` computes F1: for each sentence, twice the number of right
 * items, and the number of items of both graphs. O(edges).
 *
 * @throws ArcwiseError `invalid-argument` when a pair has graphs of different sizes, or a graph is invalid; `unknown-option`,
 * `invalid-option`
 */
export function graphCounts(
  pairs: readonly GraphPair[],
  metric: "labelled" | "unlabelled",
  options?: GraphScoringOptions,
): SentenceCounts {
  requirePairs(pairs, "graphCounts");
  checkArgument(METRIC, metric, "graphCounts: metric");
  const scoring = checkOptions(GRAPH_SCORING, options, "graphCounts");
  const correct = new Float64Array(pairs.length);
  const total = new Float64Array(pairs.length);
  for (const [index, pair] of pairs.entries()) {
    checkGraphPair(pair, index);
    const gold = graphItems(pair.gold, scoring)[metric];
    const predicted = graphItems(pair.predicted, scoring)[metric];
    correct[index] = 2 * common(gold, predicted);
    total[index] = gold.size + predicted.size;
  }
  return { correct, total };
}
