import type { SparseVector } from "@arcwise/core";
import type { ChainExample } from "./chain-example.ts";
import type { ChainScorer } from "./chain-scorer.ts";

/**
 * Adds the features of the first `length` gold labels minus the features of other labels. O(length).
 *
 * @returns the number of labels that differ
 */
export function addDifference(
  scorer: ChainScorer,
  { prepared, labels: gold }: ChainExample,
  labels: Int32Array,
  length: number,
  into: SparseVector,
): number {
  const added = { into, scale: 1 };
  const subtracted = { into, scale: -1 };
  let cost = 0;
  let since = 3;
  for (let i = 0; i < length; i++) {
    if (labels[i] === gold[i]) since++;
    else {
      since = 0;
      cost++;
    }
    // K-grams are the same where the last labels are.
    if (since >= scorer.extractor.order) continue;
    const from = since === 0 ? 1 : since + 1;
    scorer.addFeatures(prepared, i, gold, added, from);
    scorer.addFeatures(prepared, i, labels, subtracted, from);
  }
  return cost;
}
