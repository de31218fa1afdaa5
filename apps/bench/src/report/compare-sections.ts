import type { ComparisonResult, DecoderComparison, ModelTrainings } from "../measures/compare-decoders.ts";
import type { DecoderDifference } from "../measures/decoder-differences.ts";
import { deviation, mean } from "../measures/timing.ts";
import { formatInteger, formatP, formatPercent, formatPoints, speedCells } from "../results/format.ts";
import { errorParts } from "./error-part.ts";
import { timesAsFast, unsigned, verdictOf } from "./findings.ts";
import { accuracyPlot, FRONT_NOTE } from "./plots.ts";
import { reliabilityParts } from "./reliability-part.ts";
import { type Figure, left, right, type Section, type Table } from "./report.ts";
import { rowPlot } from "./row-plots.ts";

/** A section for each treebank. */
export function compareSections(results: readonly ComparisonResult[]): Section[] {
  return results.map((result) => {
    const { treebank, kinds, sentences, words, timedSentences, certified, decoders, shown, trainings } =
      result;
    const names = decoders.map(({ decoder }) => decoder);
    const parts = kinds.length === 0 ? "arcs only" : `arcs, ${kinds.join(", ")}`;
    return {
      title: treebank,
      finding: findingOf(result),
      text:
        `${formatInteger(sentences)} sentences of ${formatInteger(words)} words, scored by ${modelsOf(trainings)}; ` +
        `parts: ${parts}. The best score is certified for ${formatPercent(certified)} % of the sentences. ` +
        `Speeds are of ${formatInteger(timedSentences)} sentences of the whole split.`,
      figures: [
        {
          title: "Accuracy against speed",
          note: FRONT_NOTE,
          drawing: accuracyPlot(
            decoders.map(({ decoder, speed: { value, low, high }, las }) => ({
              label: decoder,
              wordsPerSecond: value,
              low,
              high,
              las,
            })),
          ),
        },
        certificateFigure(decoders),
      ],
      tables: [
        decoderTable(decoders),
        ...differenceTables(result.decoders.at(-1)!.decoder, result.differences),
        ...trainingTables(trainings),
      ],
      parts: [
        ...reliabilityParts([
          {
            name: trainings === undefined ? "the model" : "the first model",
            reliability: result.reliability,
          },
        ]),
        ...errorParts(names, shown),
      ],
    };
  });
}

/** Returns which models gave the scores. */
function modelsOf(trainings: ModelTrainings | undefined): string {
  if (trainings === undefined) return "one model";
  return `each of ${trainings.models.length} models, of which this section shows the first where it gives no means`;
}

/** Returns how the fastest decoder compares with the most accurate one. */
function findingOf({ decoders, differences, trainings }: ComparisonResult): string {
  const spread = trainings === undefined ? "" : trainingFinding(trainings);
  return `${firstFinding(decoders, differences)}${spread}`;
}

/** Returns the decoder with the highest mean LAS over models, with its deviation. */
function trainingFinding({ models, decoders, differences }: ModelTrainings): string {
  const best = decoders.reduce((a, b) => (mean(b.las) > mean(a.las) ? b : a));
  const lowest = decoders.reduce((a, b) => (mean(b.las) < mean(a.las) ? b : a));
  const highest =
    ` Over ${models.length} models, ${best.decoder} has the highest mean LAS, ${formatPercent(mean(best.las))} ± ` +
    `${formatPercent(deviation(best.las))} %`;
  if (best === lowest) return `${highest}.`;
  const { las } = between(differences, lowest.decoder, best.decoder);
  return `${highest}; ${lowest.decoder} is ${unsigned(las.difference)} below it (${verdictOf(las)}).`;
}

function firstFinding(
  decoders: readonly DecoderComparison[],
  differences: readonly DecoderDifference[],
): string {
  const best = decoders.reduce((a, b) => (b.las > a.las ? b : a));
  const fastest = decoders.reduce((a, b) => (b.wordsPerSecond > a.wordsPerSecond ? b : a));
  const highest = `highest LAS of ${decoders.length} decoders, ${formatPercent(best.las)} %`;
  if (best === fastest) return `${best.decoder} has the ${highest}, and is the fastest.`;
  const { las } = between(differences, fastest.decoder, best.decoder);
  return (
    `${best.decoder} has the ${highest}; ${fastest.decoder}, ` +
    `${timesAsFast(fastest.wordsPerSecond / best.wordsPerSecond)}, is ${unsigned(las.difference)} below it ` +
    `(${verdictOf(las)}).`
  );
}

/** Returns the difference of two decoders in either order. */
function between(differences: readonly DecoderDifference[], a: string, b: string): DecoderDifference {
  return differences.find(
    ({ first, second }) => (first === a && second === b) || (first === b && second === a),
  )!;
}

function decoderTable(decoders: readonly DecoderComparison[]): Table {
  const speeds = speedCells(decoders.map(({ speed }) => speed));
  return {
    title: "Decoders on the same scores",
    columns: [
      left("decoder"),
      right("UAS", "Percentage of words with the right head."),
      right("LAS", "Percentage of words with the right head and label; one labeller labels all trees."),
      right(
        "score %",
        "Sum of the scores of the decoder's trees, as a percentage of the sum of the best scores that are known.",
      ),
      right("below best", "Mean difference of the best score of a sentence and the score of the tree."),
      right("optimal %", "Percentage of sentences whose tree has the best score that is known."),
      right(
        "certified %",
        "Percentage of sentences whose bound on all parts is the score of the tree, which proves it optimal. The " +
          "bound of a projective decoder holds for projective trees only.",
      ),
      right(
        "words/s",
        "Decoding alone, scores given, of the parts that the decoder handles: words per second of processor time, " +
          "and the quartiles of the rounds. ≈: the range is wider than the difference to the nearest other speed.",
      ),
      right(
        "compiling s",
        "What the first run took beyond a later one; decoders share code with the decoders above them.",
      ),
    ],
    rows: decoders.map((one, i) => [
      one.decoder,
      formatPercent(one.uas),
      formatPercent(one.las),
      formatPercent(one.optimumShare, 3),
      one.short.toFixed(4),
      formatPercent(one.optimal),
      formatPercent(one.certified),
      speeds[i]!,
      one.speed.compiling.toFixed(2),
    ]),
  };
}

/** Returns mean scores over models of a treebank with their standard deviations, and their differences. */
function trainingTables(trainings: ModelTrainings | undefined): Table[] {
  if (trainings === undefined) return [];
  const { models, decoders, differences } = trainings;
  const spread = (all: readonly number[]): string =>
    `${formatPercent(mean(all))} ± ${formatPercent(deviation(all))}`;
  const over = "Mean over the models, and standard deviation";
  const scores: Table = {
    title: `Decoders with ${models.length} models`,
    columns: [
      left("decoder"),
      right("UAS", `${over}.`),
      right("LAS", `${over}.`),
      right("lowest LAS"),
      right("highest LAS"),
      right("optimal %", `Percentage of sentences whose tree has the best score that is known. ${over}.`),
      right("certified %", `Percentage of sentences whose tree is proved optimal. ${over}.`),
    ],
    rows: decoders.map(({ decoder, uas, las, optimal, certified }) => [
      decoder,
      spread(uas),
      spread(las),
      formatPercent(Math.min(...las)),
      formatPercent(Math.max(...las)),
      spread(optimal),
      spread(certified),
    ]),
    note: `Models: ${models.join(", ")}. All other tables and the speeds are of the first model.`,
  };
  return [scores, ...differenceTables(decoders.at(-1)!.decoder, differences, `, ${models.length} models`)];
}

/** Returns the differences of each decoder from the exact one, and of all pairs. */
function differenceTables(exact: string, differences: readonly DecoderDifference[], over = ""): Table[] {
  if (differences.length === 0) return [];
  const { samples } = differences[0]!.las;
  const note =
    `Percentage points, second minus first; paired bootstrap over sentences, ${formatInteger(samples)} samples, ` +
    "two-sided.";
  const table = (title: string, shown: readonly DecoderDifference[], isDetail: boolean): Table => ({
    title,
    isDetail,
    columns: [
      left("first"),
      left("second"),
      right("LAS"),
      right("95 % interval"),
      right("p"),
      ...(isDetail ? [] : [right("corrected p", "Corrected by Holm over the rows of the table.")]),
    ],
    rows: shown.map(({ first, second, las, correctedP }) => [
      first,
      second,
      formatPoints(las.difference),
      las.interval.map((end) => formatPoints(end)).join(" to "),
      formatP(las.pValue),
      ...(isDetail ? [] : [formatP(correctedP!)]),
    ]),
    note,
  });
  return [
    table(
      `Differences to ${exact}${over}`,
      differences.filter(({ second }) => second === exact),
      false,
    ),
    table(`Differences of all pairs${over}`, differences, true),
  ];
}

/** Returns the shares of sentences solved and proved, a row for each decoder. */
function certificateFigure(decoders: readonly DecoderComparison[]): Figure {
  const names = ["best score", "certified"];
  const points = decoders.flatMap(({ decoder, optimal, certified }) =>
    [optimal, certified].map((share, i) => ({
      series: names[i]!,
      class: decoder,
      value: 100 * share,
      title: `${decoder}: ${names[i]}, ${formatPercent(share)} % of the sentences`,
    })),
  );
  return {
    title: "Sentences solved and certified",
    note:
      "Best score: the tree scores as much as the best that is known. Certified: the decoder's bound, " +
      "on all parts, is the score of its tree; the bound of a projective decoder holds for projective trees only.",
    drawing: rowPlot(
      decoders.map(({ decoder }) => decoder),
      points,
      "sentences (%)",
    ),
  };
}
