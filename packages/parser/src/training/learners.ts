import { projectivize } from "@arcwise/core";
import { crf, kBestMira, mira, type OnlineLearner, perceptron } from "@arcwise/learn";
import { familyOf } from "../decoding/decoders.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";

const AGGRESSIVENESS = 0.1;
const K_BEST = { k: 5, aggressiveness: 0.1 };
/** The penalty is per sentence: what the mean log-loss of a sentence is weighed against. */
const CRF = { rate: 0.02, l2: 1e-3, damping: 0.1 };

/** How the weights of the learners of a name are found. */
const LEARNERS: Readonly<Record<string, (dimension: number) => OnlineLearner>> = {
  mira: (dimension) => mira(dimension, { aggressiveness: AGGRESSIVENESS }),
  perceptron: (dimension) => perceptron(dimension),
  "kbest-mira": (dimension) => kBestMira(dimension, K_BEST),
  crf: (dimension) => crf(dimension, CRF),
};

/** A learner by name. */
export function createLearner(name: string, dimension: number): OnlineLearner {
  return LEARNERS[name]!(dimension);
}

/**
 * @throws RangeError when no learner has the name, or when it cannot learn a model of the order with the trees of
 *   the decoder: "kbest-mira" needs a ranking of them, "crf" sums over them, which there are for order 1
 */
export function checkLearner(name: string, decoder: string, order: number): void {
  if (!Object.hasOwn(LEARNERS, name)) {
    throw new RangeError(`no learner is named "${name}"; there are ${Object.keys(LEARNERS).join(", ")}`);
  }
  const family = familyOf({ name: decoder });
  if (name === "kbest-mira" && (family === undefined || (family === "any" && order > 1))) {
    throw new RangeError(
      `the learner "kbest-mira" needs the k best trees, which there are not of "${decoder}" with order ${order}`,
    );
  }
  if (name === "crf" && (family === undefined || order > 1)) {
    throw new RangeError(
      `the learner "crf" needs sums over trees and order 1; got the decoder "${decoder}" and order ${order}`,
    );
  }
}

/**
 * The tree that a learner is shown as gold. A log-linear model of projective trees gives no probability to others,
 * so it is shown their arcs lifted until none crosses another; all else is shown the tree itself.
 */
export function goldFor(learner: string, decoder: string, gold: EncodedTree): EncodedTree {
  if (learner !== "crf" || familyOf({ name: decoder }) !== "projective") return gold;
  const { heads } = projectivize({ heads: gold.heads, labels: Array.from(gold.heads, () => "") });
  return { heads, labels: gold.labels };
}
