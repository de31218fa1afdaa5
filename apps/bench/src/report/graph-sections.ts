import type { GraphModelComparison } from "../measures/compare-graph-model.ts";
import { formatInteger, formatPercent, speedCells } from "../results/format.ts";
import { left, right, type Section } from "./report.ts";

const READING =
  "All decoders get the same candidates and the same scores; a decoder that cannot handle a kind of part " +
  "or unique labels decodes without them. Of the optimum: the sum of the scores of a decoder's graphs, " +
  "divided by the sum of the best graphs. A score of -Infinity: a graph repeats a unique label. Certified: " +
  "the bound is the score. Words a second: decoding alone, of processor time, with the quartiles of the " +
  "rounds below; ≈ marks a range that is wider than the difference to the nearest other speed.";

/** Returns a section on all decoders of graphs on the same scores. */
export function graphSection(title: string, comparison: GraphModelComparison): Section {
  const { sentences, words, decoders, shown } = comparison;
  return {
    title,
    text: `${formatInteger(sentences)} sentences of ${formatInteger(words)} words. ${READING}`,
    figures: [],
    tables: [
      {
        title: "Decoders of graphs on the same scores",
        columns: [
          left("decoder"),
          ...["labelled F1", "of the optimum %", "optimal %", "certified %", "iterations", "words/s"].map(
            right,
          ),
        ],
        rows: decoders.map((row, i) => [
          row.decoder,
          row.f1 === undefined ? "" : formatPercent(row.f1),
          Number.isFinite(row.optimumShare) ? formatPercent(row.optimumShare, 3) : "-",
          formatPercent(row.optimal),
          formatPercent(row.certified),
          row.iterations === undefined ? "" : row.iterations.toFixed(1),
          speedCells(decoders.map((one) => one.speed))[i]!,
        ]),
      },
    ],
    sentences: { contestants: decoders.map(({ decoder }) => decoder), sentences: shown },
  };
}
