import { type Arcs, arcIndex, type SparseVector } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import { createInsideOutside, createMatrixTree, type TreeSums } from "@arcwise/decode-mst";
import type { ArcScorer, Weights } from "../scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { TreeFamily } from "./decoders.ts";

/** What the log-linear model of labelled trees makes of a gold tree. */
export interface GoldLikelihood {
  /** -log p(gold tree with its labels). */
  readonly loss: number;
  /** Expected number of words with a wrong head, and of those with the right head but a wrong label. */
  readonly heads: number;
  readonly labels: number;
}

/**
 * The log-linear model of labelled trees, projective ones or any, by the scores of their arcs: p(tree) is in proportion to
 * the product over its arcs of exp(score of arc and label). Summing the labels out of each arc leaves a model of
 * arcs alone, whose marginals come from the matrix-tree theorem or from inside-outside; the probability of an arc
 * with a label is that of the arc times the label's share of the arc's sum.
 */
export class TreeLikelihood {
  readonly #scorer: ArcScorer;
  readonly #negligible: number;
  readonly #singleRoot: TreeSums;
  readonly #severalRoots: TreeSums;
  #marginals = new Float64Array(0);

  /**
   * @param family the trees that have a probability
   * @param negligible slopes up to this are left out of gradients
   */
  constructor(scorer: ArcScorer, family: TreeFamily, negligible: number) {
    const sums = family === "any" ? createMatrixTree : createInsideOutside;
    this.#scorer = scorer;
    this.#negligible = negligible;
    this.#singleRoot = sums();
    this.#severalRoots = sums({ singleRoot: false });
  }

  /**
   * Adds the gradient of log p(gold) to `into`. The gold tree has to be among the trees of the model: its arcs among
   * the candidates with allowed labels; projective if all of them are. Several roots are summed over when it
   * has several.
   *
   * Cost: O(n³) with a small constant, and O(arcs · templates · allowed labels).
   */
  addGradient(
    sentence: EncodedSentence,
    arcs: Arcs,
    gold: EncodedTree,
    weights: Weights,
    into: SparseVector,
  ): GoldLikelihood {
    const scorer = this.#scorer;
    const count = arcs.head.length;
    scorer.sum(sentence, arcs, weights, 1);
    if (this.#marginals.length < count) this.#marginals = new Float64Array(2 * count);
    const marginals = this.#marginals;
    const sums = rootsOf(gold.heads) > 1 ? this.#severalRoots : this.#singleRoot;
    let loss = sums.marginals(arcs, scorer.scores.slice(0, count), marginals);
    let heads = 0;
    let labels = 0;
    for (let m = 1; m <= sentence.n; m++) {
      const a = arcIndex(arcs, gold.heads[m]!, m);
      const logShare = scorer.logShare(a, gold.labels[m]!);
      loss -= scorer.scores[a]! + logShare;
      heads += 1 - marginals[a]!;
      labels += marginals[a]! * (1 - Math.exp(logShare));
    }
    scorer.tensor?.clear();
    for (let a = 0; a < count; a++) {
      const h = arcs.head[a]!;
      const m = arcs.modifier[a]!;
      const label = gold.heads[m] === h ? gold.labels[m]! : -2;
      scorer.addSurprise(a, h, m, marginals[a]!, label, this.#negligible, into);
      const surprise = (label === -2 ? 0 : 1) - marginals[a]!;
      if (Math.abs(surprise) > this.#negligible) scorer.tensor?.addArc(h, m, surprise);
    }
    scorer.tensor?.addFeatures(into);
    return { loss: Math.max(0, loss), heads: Math.max(0, heads), labels: Math.max(0, labels) };
  }
}

function rootsOf(heads: Int32Array): number {
  let roots = 0;
  for (let m = 1; m < heads.length; m++) if (heads[m] === 0) roots++;
  return roots;
}
