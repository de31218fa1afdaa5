import type { ComparisonResult, DecoderComparison } from "../measures/compare-decoders.ts";
import { formatInteger, formatPercent, speedCells } from "../results/format.ts";
import { type AccuracyPoint, accuracyPlot, FRONT_NOTE } from "./accuracy-plot.ts";
import { errorParts } from "./error-part.ts";
import { legendOf, withoutLines } from "./palette.ts";
import { type Figure, left, right, type Section } from "./report.ts";
import { rowPlot } from "./row-plots.ts";
import { sentencesOfTrees } from "./sentence-sets.ts";

const READING =
  "All decoders see the same candidate arcs and the same scores, and the same labeller labels their " +
  "trees. Of the optimum: the sum of the scores of a decoder's trees, divided by the sum of the best trees. " +
  "Short: how far the score of a sentence is below the best, on average. Words a second: decoding " +
  "alone, of the parts that a decoder handles, scores given; processor time, with the quartiles of the " +
  "rounds below; ≈ marks a range that is wider than the difference to the nearest other speed. " +
  "Compiling: what the first run took beyond a later one; decoders share code with those above them.";

/** A section for each treebank. */
export function compareSections(results: readonly ComparisonResult[]): Section[] {
  const legend = legendOf(["decoders"]);
  return results.map(({ treebank, kinds, sentences, words, timedSentences, certified, decoders, shown }) => ({
    title: treebank,
    text:
      `${formatInteger(sentences)} sentences of ${formatInteger(words)} words; parts: ` +
      `${kinds.join(", ") || "none"}. The best score is certified for ${formatPercent(certified)} % of them. ` +
      `Speeds are of ${formatInteger(timedSentences)} sentences of the whole split. ${READING}`,
    figures: [
      {
        title: "Accuracy against speed",
        size: "wide",
        note: FRONT_NOTE,
        ...accuracyPlot(
          decoders.map(
            ({ decoder, speed: { value, low, high }, las }): AccuracyPoint => ({
              label: decoder,
              wordsPerSecond: value,
              low,
              high,
              las,
              group: "decoders",
            }),
          ),
          legend,
        ),
      },
      certificateFigure(decoders),
    ],
    tables: [
      {
        title: "Decoders on the same scores",
        columns: [
          left("decoder"),
          ...["UAS", "LAS", "of the optimum %", "short", "optimal %", "words/s", "compiling s"].map(right),
        ],
        rows: decoders.map(({ decoder, uas, las, optimumShare, short, optimal, speed }, i) => [
          decoder,
          formatPercent(uas),
          formatPercent(las),
          formatPercent(optimumShare, 3),
          short.toFixed(4),
          formatPercent(optimal),
          speedCells(decoders.map((one) => one.speed))[i]!,
          speed.compiling.toFixed(2),
        ]),
      },
    ],
    parts: errorParts(
      decoders.map(({ decoder }) => decoder),
      shown,
    ),
    sentences: sentencesOfTrees(
      decoders.map(({ decoder }) => decoder),
      shown,
    ),
  }));
}

/** Returns the shares of sentences solved and proved, a row for each decoder. */
function certificateFigure(decoders: readonly DecoderComparison[]): Figure {
  const legend = legendOf(["best score", "certified"]);
  const points = decoders.flatMap(({ decoder, optimal, certified }) =>
    [optimal, certified].map((share, i) => ({
      series: legend[i]!.label,
      class: decoder,
      value: 100 * share,
      title: `${decoder}: ${legend[i]!.label}, ${formatPercent(share)} % of the sentences`,
    })),
  );
  return {
    title: "Sentences solved and certified",
    note:
      "Best score: the tree scores as much as the best that is known. Certified: the decoder's bound, " +
      "on all parts, is the score of its tree; the bound of a projective decoder holds for projective trees only.",
    ...rowPlot(
      decoders.map(({ decoder }) => decoder),
      points,
      legend,
      "sentences (%)",
    ),
    legend: withoutLines(legend),
  };
}
