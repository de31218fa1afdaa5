import type { Arcs, DecoderWith } from "@arcwise/core";
import { exp, log } from "@arcwise/core/arithmetic";
import type { EncodedSentence } from "@arcwise/core/features";
import type { PartModel } from "@arcwise/learn";
import { goldSums } from "../decoding/gold-sums.ts";
import type { ArcScorer } from "../scoring/arcs/arc-scorer.ts";
import { type EncodedTree, type LabelFilter, TAGS } from "../scoring/arcs/label-filter.ts";

/** A sentence whose parts are listed. */
export interface PartExample {
  readonly sentence: EncodedSentence;
  readonly arcs: Arcs;
  readonly gold: EncodedTree;
}

/**
 * Labelled trees as sets of parts: a part is a candidate arc with one of its allowed labels, arc after arc,
 * labels ascending. Marginals are over the decoder's trees, with several roots where the gold tree has
 * several.
 *
 * Scores cost what scoring the arcs costs, marginals O(n³ + parts), features O(parts with an amount ·
 * templates).
 */
export function labelledArcParts(
  examples: readonly PartExample[],
  scorer: ArcScorer,
  filter: LabelFilter,
  decoder: DecoderWith<"marginals">,
): PartModel {
  const sums = goldSums(decoder);
  let arcScores = new Float64Array(0);

  /** Index of the allowed labels of an arc in the filter. */
  function pairOf({ sentence, arcs }: PartExample, a: number): number {
    return sentence.tag[arcs.head[a]!] * TAGS + sentence.tag[arcs.modifier[a]!];
  }

  function labelsOf(example: PartExample, a: number): number {
    const pair = pairOf(example, a);
    return filter.start[pair + 1] - filter.start[pair];
  }

  function count(example: number): number {
    const of = examples[example];
    let parts = 0;
    for (let a = 0; a < of.arcs.head.length; a++) parts += labelsOf(of, a);
    return parts;
  }

  function gold(example: number, into: Float64Array): void {
    const of = examples[example];
    const { arcs } = of;
    const { heads, labels } = of.gold;
    let part = 0;
    for (let a = 0; a < arcs.head.length; a++) {
      const m = arcs.modifier[a];
      const from = filter.start[pairOf(of, a)];
      const to = from + labelsOf(of, a);
      const label = heads[m] === arcs.head[a] ? labels[m] : -1;
      for (let l = from; l < to; l++) into[part++] = filter.list[l] === label ? 1 : 0;
    }
  }

  function marginals(example: number, potentials: Float64Array, into: Float64Array): number {
    const of = examples[example];
    const arcCount = of.arcs.head.length;
    if (arcScores.length !== arcCount) arcScores = new Float64Array(arcCount);
    let part = 0;
    for (let a = 0; a < arcCount; a++) {
      const end = part + labelsOf(of, a);
      arcScores[a] = logSumExp(potentials, part, end);
      part = end;
    }
    const { logPartition, arcs: arcMarginals } = sums(of.arcs, arcScores, of.gold.heads);
    part = 0;
    for (let a = 0; a < arcCount; a++) {
      const end = part + labelsOf(of, a);
      const shift = arcScores[a];
      const probability = arcMarginals[a];
      for (; part < end; part++) into[part] = probability * exp(potentials[part] - shift);
    }
    return logPartition;
  }

  return {
    count,
    gold,
    marginals,
    scores(example, weights, into) {
      const { sentence, arcs } = examples[example];
      const table = { values: weights, first: 0, scale: 1 };
      const { scores, start, logShares } = scorer.sum(sentence, arcs, table);
      for (let a = 0; a < arcs.head.length; a++) {
        // The score of an arc with all its labels is the logarithm of their sum; a label has a share of it.
        for (let l = start[a]; l < start[a + 1]; l++) into[l] = scores[a] + logShares[l];
      }
    },
    addFeatures(example, amounts, into) {
      const of = examples[example];
      const { sentence, arcs } = of;
      const features = scorer.features(sentence);
      let part = 0;
      for (let a = 0; a < arcs.head.length; a++) {
        const [h, m] = [arcs.head[a], arcs.modifier[a]!];
        const from = filter.start[pairOf(of, a)];
        const first = part;
        part += labelsOf(of, a);
        let total = 0;
        for (let k = first; k < part; k++) {
          const amount = amounts[k];
          if (amount === 0) continue;
          total += amount;
          features.addLabelFeatures(h, m, filter.list[from + k - first], amount, into);
        }
        if (total !== 0) features.addFeatures(h, m, -1, total, into);
      }
    },
  };
}

function logSumExp(values: Float64Array, from: number, to: number): number {
  let best = -Infinity;
  for (let k = from; k < to; k++) best = Math.max(best, values[k]);
  if (best === -Infinity) return best;
  let sum = 0;
  for (let k = from; k < to; k++) sum += exp(values[k] - best);
  return best + log(sum);
}
