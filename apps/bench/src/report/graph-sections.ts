import type { GraphComparison } from "../compare-graph-decoders.ts";
import { formatInteger, formatPercent } from "../format.ts";
import { left, right, type Section } from "./report.ts";

const READING =
  "All decoders get the same candidates and the same scores; a decoder that cannot handle a kind of part " +
  "or unique labels decodes without them. Of the optimum: the sum of the scores of a decoder's graphs, " +
  "divided by that of the best graphs. A score of -Infinity: a graph repeats a unique label. Certified: " +
  "the bound is the score. Words a second: decoding alone, on one core.";

/** One section: all decoders of graphs on the same scores. */
export function graphSection(title: string, { sentences, words, decoders }: GraphComparison): Section {
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
        rows: decoders.map((row) => [
          row.decoder,
          row.f1 === undefined ? "" : formatPercent(row.f1),
          Number.isFinite(row.ofOptimum) ? formatPercent(row.ofOptimum, 3) : "-",
          formatPercent(row.optimal),
          formatPercent(row.certified),
          row.iterations === undefined ? "" : row.iterations.toFixed(1),
          formatInteger(row.wordsPerSecond),
        ]),
      },
    ],
  };
}
