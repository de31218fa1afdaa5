import type { SparseVector } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { type Dimensions, firstGlobal } from "../scoring/model-weights.ts";
import type { Scorers } from "../scoring/scorers.ts";

/** Adds the features of gold trees less the features of predicted ones to the vectors of learners. */
export class TreeDifference {
  readonly #scorers: Scorers;
  readonly #dimensions: Dimensions;

  constructor(scorers: Scorers, dimensions: Dimensions) {
    this.#scorers = scorers;
    this.#dimensions = dimensions;
  }

  /**
   * Adds the features of a gold tree less the features of a predicted one; common features are skipped.
   * O(n · templates).
   */
  add(sentence: EncodedSentence, gold: EncodedTree, predicted: EncodedTree, into: SparseVector): void {
    this.#addArcs(sentence, gold, predicted, into);
    const { parts, global } = this.#scorers;
    const right = { heads: gold.heads, than: predicted.heads };
    const wrong = { heads: predicted.heads, than: gold.heads };
    const first = this.#dimensions.arcs;
    parts.addFeatures(sentence, right, { first, scale: 1 }, into);
    parts.addFeatures(sentence, wrong, { first, scale: -1 }, into);
    const trees = firstGlobal(this.#dimensions);
    global?.addFeatures(sentence, right, { first: trees, scale: 1 }, into);
    global?.addFeatures(sentence, wrong, { first: trees, scale: -1 }, into);
  }

  #addArcs(sentence: EncodedSentence, gold: EncodedTree, predicted: EncodedTree, into: SparseVector): void {
    const { heads, labels } = predicted;
    const arcs = this.#scorers.arcs.features(sentence);
    for (let m = 1; m <= sentence.n; m++) {
      const h = heads[m];
      const rightHead = gold.heads[m];
      const right = gold.labels[m];
      if (h !== rightHead) {
        arcs.addFeatures(rightHead, m, right, 1, into);
        arcs.addFeatures(h, m, labels[m], -1, into);
      } else if (labels[m] !== right) {
        arcs.addLabelFeatures(h, m, right, 1, into);
        arcs.addLabelFeatures(h, m, labels[m], -1, into);
      }
    }
  }
}
