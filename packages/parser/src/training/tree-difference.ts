import type { SparseVector } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { SentenceArcs } from "../scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { type Dimensions, firstGlobal } from "../scoring/model-weights.ts";
import type { Scorers } from "../scoring/scorers.ts";

/**
 * Adds the features of a gold tree less the features of a predicted one to the vector of a learner; common features are
 * skipped. O(n · templates).
 */
export function addDifference(
  { arcs, parts, global }: Scorers,
  dimensions: Dimensions,
  sentence: EncodedSentence,
  gold: EncodedTree,
  predicted: EncodedTree,
  into: SparseVector,
): void {
  addArcs(arcs.features(sentence), gold, predicted, into);
  const right = { heads: gold.heads, than: predicted.heads };
  const wrong = { heads: predicted.heads, than: gold.heads };
  const first = dimensions.arcs;
  parts.addFeatures(sentence, right, { first, scale: 1 }, into);
  parts.addFeatures(sentence, wrong, { first, scale: -1 }, into);
  const trees = firstGlobal(dimensions);
  global?.addFeatures(sentence, right, { first: trees, scale: 1 }, into);
  global?.addFeatures(sentence, wrong, { first: trees, scale: -1 }, into);
}

function addArcs(
  features: SentenceArcs,
  gold: EncodedTree,
  { heads, labels }: EncodedTree,
  into: SparseVector,
): void {
  for (let m = 1; m < heads.length; m++) {
    const h = heads[m];
    const rightHead = gold.heads[m];
    const right = gold.labels[m];
    if (h !== rightHead) {
      features.addFeatures(rightHead, m, right, 1, into);
      features.addFeatures(h, m, labels[m], -1, into);
    } else if (labels[m] !== right) {
      features.addLabelFeatures(h, m, right, 1, into);
      features.addLabelFeatures(h, m, labels[m], -1, into);
    }
  }
}
