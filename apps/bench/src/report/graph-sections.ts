import type { GraphComparison } from "../measures/compare-graph-decoders.ts";
import { formatInteger, formatPercent, speedCells } from "../results/format.ts";
import { timesAsFast, unsigned } from "./findings.ts";
import { left, right, type Section } from "./report.ts";

/** Returns a section on all decoders of graphs on the same scores. */
export function graphSection(title: string, comparison: GraphComparison): Section {
  const { sentences, words, decoders } = comparison;
  const speeds = speedCells(decoders.map(({ speed }) => speed));
  return {
    title,
    finding: findingOf(decoders),
    text:
      `${formatInteger(sentences)} sentences of ${formatInteger(words)} words, scored by one model. A decoder that ` +
      "cannot handle a kind of part or unique labels decodes without them.",
    figures: [],
    tables: [
      {
        title: "Decoders of graphs on the same scores",
        columns: [
          left("decoder"),
          right("labelled F1"),
          right(
            "score %",
            "Sum of the scores of the decoder's graphs, as a percentage of the sum of the best scores that are known. " +
              "“-”: a graph repeats a unique label, which has the score -Infinity.",
          ),
          right("optimal %", "Percentage of graphs that have the best score that is known."),
          right("certified %", "Percentage of graphs whose bound is their score, which proves them optimal."),
          right("iterations", "Mean number of iterations of AD3."),
          right(
            "words/s",
            "Decoding alone: words per second of processor time, and the quartiles of the rounds. ≈: the range is " +
              "wider than the difference to the nearest other speed.",
          ),
        ],
        rows: decoders.map((row, i) => [
          row.decoder,
          row.f1 === undefined ? "" : formatPercent(row.f1),
          Number.isFinite(row.optimumShare) ? formatPercent(row.optimumShare, 3) : "-",
          formatPercent(row.optimal),
          formatPercent(row.certified),
          row.iterations === undefined ? "" : row.iterations.toFixed(1),
          speeds[i]!,
        ]),
      },
    ],
  };
}

/** Returns which decoder has the highest F1, and how the fastest one compares. */
function findingOf(decoders: GraphComparison["decoders"]): string {
  const best = decoders.reduce((a, b) => ((b.f1 ?? 0) > (a.f1 ?? 0) ? b : a));
  const fastest = decoders.reduce((a, b) => (b.speed.value > a.speed.value ? b : a));
  const highest = `highest labelled F1 of ${decoders.length} decoders, ${formatPercent(best.f1 ?? 0)} %`;
  if (best === fastest) return `${best.decoder} has the ${highest}, and is the fastest.`;
  return (
    `${best.decoder} has the ${highest}; ${fastest.decoder}, ` +
    `${timesAsFast(fastest.speed.value / best.speed.value)}, is ` +
    `${unsigned((best.f1 ?? 0) - (fastest.f1 ?? 0))} below it.`
  );
}
