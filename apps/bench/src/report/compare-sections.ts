import type { Comparison, DecoderComparison } from "../measures/compare-decoders.ts";
import type { GraphComparison } from "../measures/compare-graphs.ts";
import type { ComparisonResult, ModelTrainings, TreeComparison } from "../measures/compare-trees.ts";
import type { DecoderDifference } from "../measures/decoder-differences.ts";
import { mean } from "../measures/timing.ts";
import { formatInteger, formatPercent } from "../results/format.ts";
import type { Contestant } from "../results/results.ts";
import { differenceTable, formatSpread, spreadTable } from "./comparison-tables.ts";
import { timesAsFast, unsigned, verdictOf } from "./findings.ts";
import { accuracyPlot, FRONT_NOTE, rowPlot } from "./plots.ts";
import { contestant, type Quantity, quantityTable } from "./quantities.ts";
import { reliabilityOf } from "./reliability.ts";
import type { Figure, Section, Table } from "./report.ts";

/** Decoders of trees or of graphs on the scores of a model. */
export type AnyComparison = Comparison<Row> & Partial<Omit<ComparisonResult, "decoders">>;
type Row = DecoderComparison & Partial<TreeComparison> & Partial<GraphComparison>;

const QUANTITIES: readonly Quantity<Row>[] = [
  {
    ...{ name: "UAS", measure: "UAS", unit: "share", of: ({ uas }) => uas },
    hint: "Percentage of words with the right head.",
  },
  {
    ...{ name: "LAS", measure: "LAS", unit: "share", of: ({ las }) => las },
    hint: "Percentage of words with the right head and label; one labeller labels all trees.",
  },
  { name: "labelled F1", measure: "F1", unit: "share", of: ({ f1 }) => f1 },
  {
    ...{ name: "score %", unit: "share", of: ({ optimumShare }) => optimumShare },
    format: (value) => (Number.isFinite(value) ? formatPercent(value, 3) : "-"),
    hint:
      "Sum of the scores that the decoder finds, as a percentage of the sum of the best scores that are known. " +
      "“-”: a graph repeats a unique label, which has the score -Infinity.",
  },
  {
    ...{ name: "below best", measure: "short", unit: "score", of: ({ short }) => short },
    hint: "Mean difference of the best score of a sentence and the score that the decoder finds.",
  },
  {
    ...{ name: "optimal %", measure: "optimal", unit: "share", of: ({ optimal }) => optimal },
    hint: "Percentage of sentences with the best score that is known.",
  },
  {
    ...{ name: "certified %", measure: "certified", unit: "share", of: ({ certified }) => certified },
    hint:
      "Percentage of sentences whose bound on all parts is the score, which proves it the best. The " +
      "bound of a projective decoder holds for projective trees only.",
  },
  {
    ...{ name: "iterations", unit: "count", of: ({ iterations }) => iterations },
    format: (value) => value.toFixed(1),
    hint: "Mean number of iterations of AD3.",
  },
  {
    ...{ name: "words/s", measure: "words/s", unit: "words/s", of: ({ speed }) => speed },
    hint:
      "Decoding alone, scores given, of the parts that the decoder handles: words per second of processor time, " +
      "and the quartiles of the rounds. ≈: the range is wider than the difference to the nearest other speed.",
  },
  {
    ...{ name: "compiling s", measure: "compiling", unit: "s", of: ({ speed }) => speed.compiling },
    format: (value) => value.toFixed(2),
    hint: "What the first run took beyond a later one; decoders share code with the decoders above them.",
  },
];

/** Returns the contestants of a comparison of decoders. */
export function comparedDecoders(group: string, { decoders, trainings }: AnyComparison): Contestant[] {
  return decoders.map((row, which) => {
    const { decoder: name, rights } = row;
    const all = trainings?.decoders[which];
    const spread = (shares: readonly number[]) => ({
      ...{ value: mean(shares), samples: shares.length },
      ...{ low: Math.min(...shares), high: Math.max(...shares) },
    });
    return contestant({ group, name, ...(rights && { sentences: rights }) }, row, [
      ...QUANTITIES,
      { measure: "UAS of all models", unit: "share", of: () => all && spread(all.uas) },
      { measure: "LAS of all models", unit: "share", of: () => all && spread(all.las) },
    ]);
  });
}

/** A section for each treebank. */
export function compareSections(results: readonly AnyComparison[]): Section[] {
  return results.map((result): Section => {
    const { treebank, kinds, sentences, words, timedSentences, certified, decoders, trainings } = result;
    const exact = decoders.at(-1)!.decoder;
    const reliability = reliabilityOf([
      { name: trainings === undefined ? "the model" : "the first model", reliability: result.reliability },
    ]);
    return {
      title: treebank,
      finding: findingOf(result),
      text:
        `${formatInteger(sentences)} sentences of ${formatInteger(words)} words, scored by ${modelsOf(trainings)}; ` +
        `parts: ${kinds.length === 0 ? "arcs only" : ["arcs", ...kinds].join(", ")}. The best score is certified for ` +
        `${formatPercent(certified)} % of the sentences. ` +
        `Speeds are of ${formatInteger(timedSentences)} sentences of the whole split.`,
      figures: [...accuracyFigure(decoders), certificateFigure(decoders), ...reliability.figures],
      tables: [
        quantityTable(
          { title: "Decoders on the same scores" },
          ["decoder", ({ decoder }) => decoder],
          decoders,
          QUANTITIES,
        ),
        ...differenceTables(exact, result.differences),
        ...trainingTables(exact, trainings),
        ...reliability.tables,
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
function findingOf({ decoders, differences, trainings }: AnyComparison): string {
  const accuracy = ({ las, f1 }: Row): number => las ?? f1 ?? 0;
  const metric = decoders[0]!.las === undefined ? "labelled F1" : "LAS";
  const best = decoders.reduce((a, b) => (accuracy(b) > accuracy(a) ? b : a));
  const fastest = decoders.reduce((a, b) => (b.wordsPerSecond > a.wordsPerSecond ? b : a));
  const highest = `${best.decoder} has the highest ${metric} of ${decoders.length} decoders, ${formatPercent(accuracy(best))} %`;
  const spread = trainings === undefined ? "" : trainingFinding(trainings);
  if (best === fastest) return `${highest}, and is the fastest.${spread}`;
  const pair = between(differences, fastest.decoder, best.decoder);
  const verdict = pair === undefined ? "" : ` (${verdictOf(pair.las)})`;
  return (
    `${highest}; ${fastest.decoder}, ${timesAsFast(fastest.wordsPerSecond / best.wordsPerSecond)}, is ` +
    `${unsigned(accuracy(best) - accuracy(fastest))} below it${verdict}.${spread}`
  );
}

/** Returns the decoder with the highest mean LAS over models, with its deviation. */
function trainingFinding({ models, decoders, differences }: ModelTrainings): string {
  const best = decoders.reduce((a, b) => (mean(b.las) > mean(a.las) ? b : a));
  const lowest = decoders.reduce((a, b) => (mean(b.las) < mean(a.las) ? b : a));
  const highest = ` Over ${models.length} models, ${best.decoder} has the highest mean LAS, ${formatSpread(best.las)} %`;
  if (best === lowest) return `${highest}.`;
  const { las } = between(differences, lowest.decoder, best.decoder)!;
  return `${highest}; ${lowest.decoder} is ${unsigned(las.difference)} below it (${verdictOf(las)}).`;
}

/** Returns the difference of two decoders in either order. */
function between(
  differences: readonly DecoderDifference[] = [],
  a: string,
  b: string,
): DecoderDifference | undefined {
  return differences.find(
    ({ first, second }) => (first === a && second === b) || (first === b && second === a),
  );
}

function trainingTables(exact: string, trainings: ModelTrainings | undefined): Table[] {
  if (trainings === undefined) return [];
  const { models, decoders, differences } = trainings;
  const title = `Decoders with ${models.length} models`;
  const note = `Models: ${models.join(", ")}. All other tables and the speeds are of the first model.`;
  return [
    spreadTable({ title, note }, ["decoder", ({ decoder }) => decoder], "models", decoders),
    ...differenceTables(exact, differences, `, ${models.length} models`),
  ];
}

/** Returns the differences of each decoder from the exact one, and of all pairs. */
function differenceTables(exact: string, differences: readonly DecoderDifference[] = [], over = ""): Table[] {
  const toExact = differences.filter(({ second }) => second === exact);
  return [
    ...differenceTable(`Differences to ${exact}${over}`, toExact),
    ...differenceTable(`Differences of all pairs${over}`, differences, true),
  ];
}

/** Returns LAS against speed; nothing for graphs. */
function accuracyFigure(decoders: readonly Row[]): Figure[] {
  const points = decoders.flatMap(({ decoder, speed: { value, low, high }, las }) =>
    las === undefined ? [] : { label: decoder, wordsPerSecond: value, low, high, las },
  );
  if (points.length === 0) return [];
  return [{ title: "Accuracy against speed", note: FRONT_NOTE, drawing: accuracyPlot(points) }];
}

/** Returns the shares of sentences solved and proved, a row for each decoder. */
function certificateFigure(decoders: readonly Row[]): Figure {
  const points = decoders.flatMap(({ decoder, optimal, certified }) =>
    Object.entries({ "best score": optimal, certified }).map(([series, share]) => ({
      ...{ series, row: decoder, value: 100 * share },
      title: `${decoder}: ${series}, ${formatPercent(share)} % of the sentences`,
    })),
  );
  return {
    title: "Sentences solved and certified",
    note:
      "Best score: the score is the best that is known. Certified: the decoder's bound, " +
      "on all parts, is its score; the bound of a projective decoder holds for projective trees only.",
    drawing: rowPlot(
      decoders.map(({ decoder }) => decoder),
      points,
      "sentences (%)",
    ),
  };
}
