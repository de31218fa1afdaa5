import type { ComparisonResult } from "../compare-decoders.ts";
import { formatInteger, formatPercent } from "../format.ts";
import { type AccuracyPoint, accuracyPlot, legendOf } from "./plots.ts";
import { left, right, type Section } from "./report.ts";

const READING =
  "All decoders see the same candidate arcs and the same scores, and the same labeller labels their " +
  "trees. Of the optimum: the sum of the scores of a decoder's trees over that of the best trees. " +
  "Short: how far the score of a sentence is below the best, on average. Words a second: decoding " +
  "alone, scores given, on one core.";

/** A section for each treebank. */
export function compareSections(results: readonly ComparisonResult[]): Section[] {
  const legend = legendOf(["decoders"]);
  return results.map(({ treebank, kinds, sentences, words, certified, decoders }) => ({
    title: treebank,
    text:
      `${formatInteger(sentences)} sentences of ${formatInteger(words)} words; parts: ` +
      `${kinds.join(", ")}. The best score is certified for ${formatPercent(certified)} % of them. ` +
      `${READING}`,
    figures: [
      {
        title: "Accuracy against speed",
        svg: accuracyPlot(
          decoders.map(
            ({ decoder, wordsPerSecond, las }): AccuracyPoint => ({
              label: decoder,
              wordsPerSecond,
              las,
              group: "decoders",
            }),
          ),
          legend,
        ),
      },
    ],
    tables: [
      {
        title: "Decoders on the same scores",
        columns: [
          left("decoder"),
          ...["UAS", "LAS", "of the optimum %", "short", "optimal %", "words/s"].map(right),
        ],
        rows: decoders.map(({ decoder, uas, las, ofOptimum, short, optimal, wordsPerSecond }) => [
          decoder,
          formatPercent(uas),
          formatPercent(las),
          formatPercent(ofOptimum, 3),
          short.toFixed(4),
          formatPercent(optimal),
          formatInteger(wordsPerSecond),
        ]),
      },
    ],
  }));
}
