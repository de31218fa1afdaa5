import type { BootstrapResult } from "@arcwise/evaluate";
import type { Comparison, ParserComparison, ParserResult } from "../jobs/compare-parsers.ts";
import type { Reference, ReferenceRow } from "../jobs/reference.ts";
import {
  formatInteger,
  formatMegabytes,
  formatP,
  formatPercent,
  formatPoints,
  speedCells,
  threeDigits,
} from "../results/format.ts";
import { type AccuracyPoint, accuracyPlot, FRONT_NOTE } from "./accuracy-plot.ts";
import { errorParts } from "./error-part.ts";
import { legendOf } from "./palette.ts";
import { left, right, type Section, type Table } from "./report.ts";
import { sentencesOfTrees } from "./sentence-sets.ts";

const NOTE =
  "Gold tags, all words with punctuation, full labels. Speed: of processor time, with the quartiles of " +
  "the rounds below, without reading, loading and writing; ≈ marks a range wider than the difference to " +
  "the nearest other speed. Memory: the largest resident set of " +
  "the process, in training, and in training and parsing together. Heads a word: the candidates that " +
  "pruning leaves; recall: the share of the gold heads that are among them.";

/** A section for each treebank: the parsers, how they differ, and other parsers for reference. */
export function parserSections(
  { parsers, comparisons, refused, failed, shown }: ParserComparison,
  reference: Reference | undefined,
): Section[] {
  const treebanks = [...new Set([...parsers, ...refused, ...failed].map(({ treebank }) => treebank))];
  return treebanks.map((treebank): Section => {
    const own = parsers.filter((parser) => parser.treebank === treebank);
    const split = own[0]?.split ?? "test";
    const others = split === "test" ? (reference?.rows ?? []).filter((row) => row.treebank === treebank) : [];
    const missing = [...refused, ...failed]
      .filter((one) => one.treebank === treebank)
      .map(({ parser, reason }) => `${parser}: ${reason}.`);
    const names = own.map(({ parser }) => parser);
    const sentences = shown.find((one) => one.treebank === treebank)?.sentences ?? [];
    return {
      title: `${treebank}, ${split} split`,
      text: missing.length > 0 ? `Not there: ${missing.join(" ")}` : undefined,
      figures: own.length === 0 ? [] : [accuracyFigure(own, others)],
      tables: [
        parserTable(own, others, reference),
        ...significanceTable(comparisons.filter((one) => one.treebank === treebank)),
      ],
      parts: errorParts(names, sentences),
      sentences: sentences.length > 0 ? sentencesOfTrees(names, sentences) : undefined,
    };
  });
}

function accuracyFigure(own: readonly ParserResult[], others: readonly ReferenceRow[]) {
  const legend = legendOf(others.length > 0 ? ["Arcwise", "others (another machine)"] : ["Arcwise"]);
  const points: AccuracyPoint[] = [
    ...own.map(({ parser, speed: { value, low, high }, scores }) => ({
      label: parser.replace(/^Arcwise /, ""),
      wordsPerSecond: value,
      low,
      high,
      las: scores.las,
      group: legend[0]!.label,
    })),
    ...others.map((row) => ({
      label: row.parser,
      wordsPerSecond: row.words_per_second,
      las: row.las / 100,
      group: legend[1]!.label,
    })),
  ];
  return {
    title: "Accuracy against speed",
    size: "wide" as const,
    note: FRONT_NOTE,
    ...accuracyPlot(points, legend),
    legend,
  };
}

function parserTable(
  own: readonly ParserResult[],
  others: readonly ReferenceRow[],
  reference: Reference | undefined,
): Table {
  return {
    title: "Parsers",
    columns: [
      left("parser"),
      right("UAS"),
      right("LAS"),
      right("words/s"),
      right("training s"),
      right("training MB"),
      right("peak MB"),
      right("model MB"),
      right("heads a word"),
      right("recall %"),
    ],
    rows: [
      ...own.map((one, i) => [
        one.parser,
        formatPercent(one.scores.uas),
        formatPercent(one.scores.las),
        speedCells(own.map(({ speed }) => speed))[i]!,
        threeDigits(one.trainingSeconds),
        formatMegabytes(one.trainingMemory),
        formatMegabytes(one.peakMemory),
        formatMegabytes(one.modelBytes),
        one.candidates.toFixed(2),
        formatPercent(one.recall),
      ]),
      ...others.map((row) => [
        row.parser,
        row.uas.toFixed(2),
        row.las.toFixed(2),
        formatInteger(row.words_per_second),
        threeDigits(row.train_s),
        threeDigits(row.train_mb),
        "",
        threeDigits(row.model_mb),
        "",
        "",
      ]),
    ],
    note: others.length > 0 ? `${NOTE} Other parsers, measured before: ${reference?.note}` : NOTE,
  };
}

function significanceTable(comparisons: readonly Comparison[]): Table[] {
  if (comparisons.length === 0) return [];
  const figures = ({ difference, interval, pValue }: BootstrapResult): string[] => [
    formatPoints(difference),
    `${formatPoints(interval[0])} to ${formatPoints(interval[1])}`,
    formatP(pValue),
  ];
  return [
    {
      title: "Differences",
      columns: [
        left("from"),
        left("to"),
        right("UAS"),
        right("95 % interval"),
        right("p"),
        right("LAS"),
        right("95 % interval"),
        right("p"),
      ],
      rows: comparisons.map(({ first, second, uas, las }) => [
        first,
        second,
        ...figures(uas),
        ...figures(las),
      ]),
      note:
        "Percentage points; paired bootstrap over sentences, " +
        `${formatInteger(comparisons[0]!.las.samples)} samples, two-sided.`,
    },
  ];
}
