import { type Arcs, arcIndex, type Decoder } from "@arcwise/core";
import type { EncodedSentence } from "@arcwise/core/features";
import type { StructuredTask } from "@arcwise/learn";
import type { ArcScorer, Costs } from "./arc-scorer.ts";
import type { EncodedTree } from "./label-filter.ts";

/** A sentence ready for training: its words as codes, its candidate arcs, its gold tree. */
export interface PreparedExample {
  readonly sentence: EncodedSentence;
  readonly arcs: Arcs;
  readonly gold: EncodedTree;
}

/** Costs of mistakes in cost-augmented decoding. */
export interface CostWeights {
  readonly head: number;
  readonly label: number;
}

/** First-order labelled parsing as a structured task. Outputs are trees. */
export function parsingTask(
  examples: readonly PreparedExample[],
  scorer: ArcScorer,
  decoder: Decoder,
  dimension: number,
  costs: CostWeights,
): StructuredTask<EncodedTree> {
  return {
    size: examples.length,
    dimension,
    decode(example, weights, costAugmented) {
      const { sentence, arcs, gold } = examples[example]!;
      const augment: Costs | undefined = costAugmented ? { gold, ...costs } : undefined;
      scorer.score(sentence, arcs, weights, 1, augment);
      return decodeArcs(scorer, arcs, decoder);
    },
    difference(example, { heads, labels }, into) {
      const { sentence, gold } = examples[example]!;
      let cost = 0;
      for (let m = 1; m <= sentence.n; m++) {
        const right = gold.labels[m]!;
        if (heads[m] !== gold.heads[m]) {
          cost += costs.head;
          scorer.addFeatures(gold.heads[m]!, m, right, 1, into);
          scorer.addFeatures(heads[m]!, m, labels[m]!, -1, into);
        } else if (labels[m] !== right) {
          cost += costs.label;
          scorer.addLabelFeatures(heads[m]!, m, right, 1, into);
          scorer.addLabelFeatures(heads[m]!, m, labels[m]!, -1, into);
        }
      }
      return cost;
    },
  };
}

/** The best tree over arcs that were just scored, with the labels that the scores were for. */
export function decodeArcs(
  scorer: ArcScorer,
  arcs: Arcs,
  decoder: Decoder,
): EncodedTree & { score: number; bound: number } {
  const { heads, score, bound } = decoder.decode({
    arcs,
    arcScores: scorer.scores.slice(0, arcs.head.length),
    parts: [],
  });
  const labels = new Int32Array(arcs.n + 1).fill(-1);
  for (let m = 1; m <= arcs.n; m++) labels[m] = scorer.labels[arcIndex(arcs, heads[m]!, m)]!;
  return { heads, labels, score, bound };
}

/** Words with a wrong head, and with a wrong head or label. */
export function countErrors(gold: EncodedTree, predicted: EncodedTree): { heads: number; labelled: number } {
  let heads = 0;
  let labelled = 0;
  for (let m = 1; m < gold.heads.length; m++) {
    if (gold.heads[m] !== predicted.heads[m]) heads++;
    if (gold.heads[m] !== predicted.heads[m] || gold.labels[m] !== predicted.labels[m]) labelled++;
  }
  return { heads, labelled };
}
