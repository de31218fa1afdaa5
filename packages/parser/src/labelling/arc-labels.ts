import type { EncodedSentence, WeightTable } from "@arcwise/core/features";
import type { ArcScorer } from "../scoring/arcs/arc-scorer.ts";
import { type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";

/** The scorer of arcs of a model with labels, and its weights. */
export interface ArcLabelModel {
  readonly scorer: ArcScorer;
  readonly filter: LabelFilter;
  readonly table: WeightTable;
}

/**
 * Returns the best label of each arc of a tree, by the sum of the scores of its sparse features and of other
 * scores. Labels of different arcs do not depend on each other. O(n · templates · labels).
 *
 * @param heads the tree
 * @param others score of label l on the arc of word m at `m labels + l`
 */
export function bestArcLabels(
  { scorer, filter, table }: ArcLabelModel,
  sentence: EncodedSentence,
  heads: Int32Array,
  others: Float64Array,
): Int32Array {
  const features = scorer.features(sentence);
  const count = others.length / heads.length;
  const scores = new Float64Array(count);
  const best = new Int32Array(heads.length).fill(-1);
  for (let m = 1; m < heads.length; m++) {
    const pair = sentence.tag[heads[m]!]! * TAGS + sentence.tag[m]!;
    const allowed = filter.list.subarray(filter.start[pair]!, filter.start[pair + 1]!);
    if (allowed.length > 1) features.scoreLabels(heads[m]!, m, allowed, table, scores);
    let bestScore = -Infinity;
    for (let l = 0; l < allowed.length; l++) {
      const score = scores[l]! + others[m * count + allowed[l]!]!;
      if (score <= bestScore) continue;
      bestScore = score;
      best[m] = allowed[l]!;
    }
  }
  return best;
}
