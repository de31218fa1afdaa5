import type { SentenceRights } from "../results/results.ts";
import type { ComparisonResult, TrainingScores } from "./compare-trees.ts";
import { decoderDifferences } from "./decoder-differences.ts";

/**
 * Puts comparisons of the same decoders on the same sentences together, one comparison per model. O(pairs of
 * decoders · bootstrap samples · sentences).
 *
 * @returns the comparison of the first model, with the scores of all models
 */
export function joinTrainings(
  models: readonly string[],
  comparisons: readonly ComparisonResult[],
  seed: number,
): ComparisonResult {
  const [first] = comparisons;
  if (comparisons.length === 1) return first!;
  const all = first!.decoders.map(({ decoder }, which) => {
    const own = comparisons.map(({ decoders }) => decoders[which]!);
    return { decoder, own, rights: summedRights(own.map(({ rights }) => rights)) };
  });
  const decoders = all.map(
    ({ decoder, own }): TrainingScores => ({
      decoder,
      uas: own.map(({ uas }) => uas),
      las: own.map(({ las }) => las),
      optimal: own.map(({ optimal }) => optimal),
      certified: own.map(({ certified }) => certified),
    }),
  );
  return { ...first!, trainings: { models, decoders, differences: decoderDifferences(all, seed) } };
}

function summedRights(rights: readonly SentenceRights[]): SentenceRights {
  const total = (of: "words" | "heads" | "arcs") =>
    rights[0]![of].map((_, i) => rights.reduce((sum, one) => sum + one[of][i]!, 0));
  return { data: rights[0]!.data, words: total("words"), heads: total("heads"), arcs: total("arcs") };
}
