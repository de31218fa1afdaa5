import type { SparseVector } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import type { StructuredTask, Update, WeightVector } from "@arcwise/learn";
import type { SenseInput, SenseScorer } from "./graph-senses.ts";

/** A sentence to learn senses from: its gold edges are the arguments. */
export interface SenseExample extends SenseInput {
  readonly predicates: readonly { readonly position: number; readonly sense: string }[];
}

/**
 * Returns the task to learn the senses of the predicates that have several candidates; an output is the index
 * of the sense of each, and costs 1 a wrong one.
 */
export function senseTask(
  examples: readonly SenseExample[],
  scorer: SenseScorer,
  dimension: number,
): StructuredTask<number[]> {
  const ambiguous = examples.map((example) => {
    scorer.prepare(example);
    return example.predicates.flatMap(({ position, sense }) => {
      const candidates = scorer.candidates(position);
      return candidates.length > 1 ? [{ position, gold: candidates.indexOf(sense) }] : [];
    });
  });
  const kept = [...examples.keys()].filter((i) => ambiguous[i].length > 0);

  function prepare(example: number) {
    scorer.prepare(examples[kept[example]!]);
    return ambiguous[kept[example]!];
  }

  function expectations(example: number, weights: WeightVector, into: SparseVector): Update {
    let loss = 0;
    let cost = 0;
    for (const { position, gold } of prepare(example)) {
      const shares = softmax(scorer.scores(position, { values: weights, scale: 1 }));
      loss -= log(Math.max(shares[gold], Number.MIN_VALUE));
      cost += 1 - shares[gold];
      scorer.addFeatures(
        position,
        shares.map((share, k) => (k === gold ? 1 : 0) - share),
        into,
      );
    }
    return { loss, cost };
  }

  return {
    size: kept.length,
    dimension,
    decode: (example, weights, costAugmented) =>
      prepare(example).map(({ position, gold }) => {
        const scores = scorer.scores(position, { values: weights, scale: 1 });
        if (costAugmented) scores[gold] -= 1;
        return scores.indexOf(scores.reduce((a, b) => Math.max(a, b)));
      }),
    difference: (example, output, into) => {
      const wrong = prepare(example).flatMap((at, k) =>
        output[k] === at.gold ? [] : [{ ...at, chosen: output[k] }],
      );
      for (const { position, gold, chosen } of wrong) {
        const amounts = scorer.candidates(position).map((_, k) => (k === gold ? 1 : k === chosen ? -1 : 0));
        scorer.addFeatures(position, amounts, into);
      }
      return wrong.length;
    },
    expectations,
  };
}

/** Turns scores into probabilities, in place. */
function softmax(scores: Float64Array): Float64Array {
  const best = scores.reduce((a, b) => Math.max(a, b));
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    scores[k] = exp(scores[k] - best);
    sum += scores[k];
  }
  for (let k = 0; k < scores.length; k++) scores[k] /= sum;
  return scores;
}
