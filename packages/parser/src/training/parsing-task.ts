import {
  type Arcs,
  type Decoder,
  type DecoderWith,
  hasCapability,
  requireCapability,
  type SparseVector,
} from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { PartModel, Update, WeightVector } from "@arcwise/learn";
import { countErrors, decodeSentence } from "../decoding/decode.ts";
import { treeLikelihood } from "../decoding/tree-likelihood.ts";
import type { Costs } from "../scoring/arcs/arc-scorer.ts";
import type { EncodedTree } from "../scoring/arcs/label-filter.ts";
import { type Dimensions, totalDimension, trainingWeights } from "../scoring/model-weights.ts";
import type { Scorers } from "../scoring/scorers.ts";
import { type ScoredSentence, SentenceScorer } from "../scoring/sentence-scorer.ts";
import { type CountedTask, HEADS_AND_LABELS, RunningMean } from "./counted-task.ts";
import { addDifference } from "./tree-difference.ts";
import { labelledArcParts } from "./tree-parts.ts";

/** A sentence prepared for training: its words as codes, its candidate arcs, its gold tree. */
export interface PreparedExample {
  readonly sentence: EncodedSentence;
  readonly arcs: Arcs;
  readonly gold: EncodedTree;
}

/** Parsing as a structured task, which counts words with a wrong head or label. */
export type ParsingTask = CountedTask<EncodedTree>;

/** Entries of gradients up to this are omitted: most arcs and labels have almost no probability. */
const NEGLIGIBLE = 1e-3;
/** Costs of a wrong head, and of a wrong label on a right head. */
const COSTS = { head: 1, label: 0.5 };

/**
 * Labelled parsing as a structured task. Outputs are trees. It has `kBest` when the decoder ranks trees, and
 * `expectations` and `parts` when the decoder sums over trees (and no parts but arcs are scored).
 *
 * @param negligible entries of the gradient up to this are omitted from `expectations`
 */
export function parsingTask(
  examples: readonly PreparedExample[],
  scorers: Scorers,
  decoder: Decoder,
  dimensions: Dimensions,
  negligible = NEGLIGIBLE,
): ParsingTask {
  // Candidates are given with each sentence.
  const scorer = new SentenceScorer(scorers, () => {
    throw new RangeError("candidates of training sentences are found before");
  });
  const errors = new RunningMean();
  const onlyArcs = scorers.parts.kinds.length === 0 && scorers.global === undefined;
  const summing = onlyArcs && hasCapability(decoder, "marginals") ? decoder : undefined;
  const likelihood = summing && treeLikelihood(scorers.arcs, summing, negligible);
  const parts = summing && partsOf(examples, scorers, summing);

  function score(example: number, values: WeightVector, costAugmented: boolean): ScoredSentence {
    const { sentence, arcs, gold } = examples[example];
    const augmented: Costs | undefined = costAugmented ? { gold, ...COSTS } : undefined;
    return scorer.score(sentence, trainingWeights(values, dimensions), { arcs, costs: augmented });
  }

  function kBest(example: number, weights: WeightVector, k: number, costAugmented: boolean): EncodedTree[] {
    const ranking = requireCapability(decoder, "kBest");
    const scored = score(example, weights, costAugmented);
    const trees: EncodedTree[] = [];
    for (const { heads } of ranking.kBest(scored.problem)) {
      trees.push(scored.labelled(heads));
      if (trees.length === k) break;
    }
    return trees;
  }

  function expectations(example: number, weights: WeightVector, into: SparseVector): Update {
    const { sentence, arcs, gold } = examples[example];
    const shares = scorer.sum(sentence, trainingWeights(weights, dimensions), { arcs });
    const found = likelihood!(shares, gold, into);
    errors.add(found.heads + found.labels, shares.arcs.n);
    return { loss: found.loss, cost: COSTS.head * found.heads + COSTS.label * found.labels };
  }

  return {
    ...(hasCapability(decoder, "kBest") ? { kBest } : {}),
    ...(likelihood ? { expectations } : {}),
    ...(parts ? { parts } : {}),
    takeFigures: (reset) => ({ error: { share: errors.take(reset), of: HEADS_AND_LABELS } }),
    size: examples.length,
    dimension: totalDimension(dimensions),
    decode(example, weights, costAugmented) {
      return decodeSentence(score(example, weights, costAugmented), decoder);
    },
    difference(example, predicted, into) {
      const { gold, sentence } = examples[example];
      errors.add(countErrors(gold, predicted).labelled, sentence.n);
      addDifference(scorers, dimensions, sentence, gold, predicted, into);
      return costOf(gold, predicted);
    },
  };
}

/** Returns the parts of trees; undefined without a filter of labels. */
function partsOf(
  examples: readonly PreparedExample[],
  { arcs }: Scorers,
  decoder: DecoderWith<"marginals">,
): PartModel | undefined {
  if (arcs.filter === undefined) return undefined;
  return labelledArcParts(examples, arcs, arcs.filter, decoder);
}

/** The cost of a tree: of wrong heads, and of wrong labels on right ones. */
function costOf(gold: EncodedTree, { heads, labels }: EncodedTree): number {
  let cost = 0;
  for (let m = 1; m < heads.length; m++) {
    if (heads[m] !== gold.heads[m]) cost += COSTS.head;
    else if (labels[m] !== gold.labels[m]) cost += COSTS.label;
  }
  return cost;
}
