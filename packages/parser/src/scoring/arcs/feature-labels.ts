import type { EncodedSentence, WeightTable } from "@arcwise/core/features";
import type { SentenceLabels } from "../sentence-labels.ts";
import type { ArcScorer } from "./arc-scorer.ts";
import { type LabelFilter, labelsOfArc } from "./label-filter.ts";

/** Returns the labels of the arcs of a sentence, scored by sparse features. O(1). */
export function featureLabels(
  scorer: ArcScorer,
  filter: LabelFilter,
  table: WeightTable,
  sentence: EncodedSentence,
): SentenceLabels {
  const features = scorer.features(sentence);
  return {
    usual: (h, m) => labelsOfArc(filter, sentence, h, m),
    scoreLabels: (h, m, labels, scores) => features.scoreLabels(h, m, labels, table, scores),
    prepare() {},
  };
}
