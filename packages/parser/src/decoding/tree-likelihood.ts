import { arcIndex, type DecoderWith, type SparseVector } from "@arcwise/core";
import { exp } from "@arcwise/core/arithmetic";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import type { LabelShares } from "../scoring/arcs/label-shares.ts";
import type { Scorers } from "../scoring/scorers.ts";
import { goldSums } from "./gold-sums.ts";

/** The likelihood of a gold tree in the log-linear model of labelled trees. */
export interface GoldLikelihood {
  /** -log p(gold tree with its labels). */
  readonly loss: number;
  /** Expected numbers of words with a wrong head, and of words with the right head but a wrong label. */
  readonly heads: number;
  readonly labels: number;
}

/**
 * Returns a function that adds the gradient of log p(gold) by the weights of arcs to `into`, in the log-linear model of
 * labelled trees over the trees that a decoder chooses from: p(tree) is proportional to the product over its arcs of
 * exp(score of arc and label). Summing out the labels of each arc leaves a model of arcs, whose marginals are the
 * decoder's; the probability of an arc with a label is the probability of the arc times the label's share of the arc's sum.
 *
 * The gold tree must be one of the trees of the model: its arcs among the candidates with allowed labels; projective if
 * all of them are. When it has several roots, trees with several roots are included. Scores of the candidate arcs have
 * their labels summed out.
 *
 * Cost: O(n³) with a small constant, and O(arcs · templates · allowed labels).
 *
 * @param decoder chooses from the trees that have a probability
 * @param negligible gradients up to this are omitted
 */
export function treeLikelihood(
  scorer: Scorers["arcs"],
  decoder: DecoderWith<"marginals">,
  negligible: number,
): (shares: LabelShares, gold: EncodedTree, into: SparseVector) => GoldLikelihood {
  const sums = goldSums(decoder);
  return (shares, gold, into) => {
    const { arcs, scores } = shares;
    const { logPartition, arcs: marginals } = sums(arcs, scores, gold.heads);
    let loss = logPartition;
    let heads = 0;
    let labels = 0;
    for (let m = 1; m <= arcs.n; m++) {
      const a = arcIndex(arcs, gold.heads[m], m);
      const logShare = shares.logShare(a, gold.labels[m]);
      loss -= scores[a] + logShare;
      heads += 1 - marginals[a];
      labels += marginals[a] * (1 - exp(logShare));
    }
    scorer.addGradient(shares, marginals, gold, negligible, into);
    return { loss: Math.max(0, loss), heads: Math.max(0, heads), labels: Math.max(0, labels) };
  };
}
