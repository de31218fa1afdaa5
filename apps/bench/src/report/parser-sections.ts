import type { BootstrapResult } from "@arcwise/evaluate";
import type { Comparison, ParserComparison, ParserResult, SeedScores } from "../jobs/compare-parsers.ts";
import type { Reference, ReferenceRow } from "../jobs/reference.ts";
import { deviation, mean } from "../measures/timing.ts";
import {
  formatInteger,
  formatMegabytes,
  formatP,
  formatPercent,
  formatPoints,
  speedCells,
  threeDigits,
} from "../results/format.ts";
import { errorParts } from "./error-part.ts";
import { unsigned, verdictOf } from "./findings.ts";
import { type AccuracyPoint, accuracyPlot, FRONT_NOTE } from "./plots.ts";
import { reliabilityParts } from "./reliability-part.ts";
import { type Column, left, right, type Section, type Table } from "./report.ts";

const COLUMNS: readonly Column[] = [
  left("parser"),
  right("UAS", "Percentage of words with the right head; gold tags, punctuation counted."),
  right("LAS", "Percentage of words with the right head and full label."),
  right(
    "words/s",
    "Parsing without reading, loading and writing: words per second of processor time, and the quartiles of the " +
      "rounds. ≈: the range is wider than the difference to the nearest other speed.",
  ),
  right("training s", "From sentences in memory to a model."),
  right("training CPU s", "The same in processor time of all threads."),
  right("training MB", "The largest resident set of the process at the end of training."),
  right("peak MB", "The largest resident set of the process in training and parsing together."),
  right("model MB", "The model file."),
  right("heads per word", "Candidates that pruning leaves."),
  right("recall %", "Percentage of the gold heads that are among the candidates."),
];

/** A section for each treebank: the parsers, how they differ, and other parsers for reference. */
export function parserSections(
  { parsers, comparisons, refused, failed, shown, seeds }: ParserComparison,
  reference: Reference | undefined,
): Section[] {
  const treebanks = [...new Set([...parsers, ...refused, ...failed].map(({ treebank }) => treebank))];
  return treebanks.map((treebank): Section => {
    const isHere = (one: { readonly treebank: string }): boolean => one.treebank === treebank;
    const here = parsers.filter(isHere);
    const split = here[0]?.split ?? "test";
    const others = split === "test" ? (reference?.rows ?? []).filter(isHere) : [];
    const nameOf = (parser: string): string => displayName(parser, others.length > 0);
    const own = here.map((one) => ({ ...one, parser: nameOf(one.parser) }));
    const pairs = comparisons
      .filter(isHere)
      .map((pair) => ({ ...pair, first: nameOf(pair.first), second: nameOf(pair.second) }));
    const names = own.map(({ parser }) => parser);
    const sentences = shown.find(isHere)?.sentences ?? [];
    return {
      title: `${treebank}, ${split}`,
      finding: findingOf(own, pairs),
      text: aboutOf(
        own,
        [...refused, ...failed].filter(isHere).map((one) => ({ ...one, parser: nameOf(one.parser) })),
      ),
      figures: own.length === 0 ? [] : [accuracyFigure(own, others)],
      tables: [
        parserTable(own, others, reference),
        ...seedTable(seeds.filter(isHere).map((one) => ({ ...one, parser: nameOf(one.parser) }))),
        ...matrixTable(own),
        ...significanceTable(pairs),
      ],
      parts: [
        ...reliabilityParts(own.map(({ parser, reliability }) => ({ name: parser, reliability }))),
        ...errorParts(names, sentences),
      ],
    };
  });
}

/** Returns the name of a parser in a report: "Arcwise" distinguishes it from parsers measured before. */
function displayName(parser: string, hasOthers: boolean): string {
  return hasOthers ? parser : parser.replace(/^Arcwise /, "");
}

/** Returns how the two most accurate parsers differ, and which parser is the fastest. */
function findingOf(own: readonly ParserResult[], pairs: readonly Comparison[]): string | undefined {
  const [best, next] = own.toSorted((a, b) => b.scores.las - a.scores.las);
  if (best === undefined) return undefined;
  const highest = `${best.parser} has the highest LAS, ${formatPercent(best.scores.las)} %`;
  if (next === undefined)
    return `${highest}, and parses ${formatInteger(best.speed.value)} words per second.`;
  const pair = pairs.find(
    ({ first, second }) =>
      (first === best.parser && second === next.parser) || (first === next.parser && second === best.parser),
  );
  const than =
    pair === undefined
      ? ""
      : `, ${unsigned(pair.las.difference)} above ${next.parser} (${verdictOf(pair.las)})`;
  const fastest = own.reduce((a, b) => (b.speed.value > a.speed.value ? b : a));
  return `${highest}${than}; ${fastest.parser} is the fastest, ${formatInteger(fastest.speed.value)} words per second.`;
}

/** Returns sizes and epochs of training, and what is missing. */
function aboutOf(
  own: readonly ParserResult[],
  missing: readonly { readonly parser: string; readonly reason: string }[],
): string | undefined {
  const values = (of: (one: ParserResult) => number): string =>
    [...new Set(own.map(of))].map(formatInteger).join(" or ");
  const sizes =
    own.length === 0
      ? []
      : [
          `Sentences of training: ${values((one) => one.trainingSentences)}; epochs: ${values((one) => one.epochs)}; ` +
            `sentences of the test: ${values((one) => one.rights.words.length)}, with ${values((one) => one.words)} words.`,
        ];
  const reasons = missing.map(({ parser, reason }) => `${parser}: ${reason}.`);
  const all = reasons.length === 0 ? sizes : [...sizes, `Not there: ${reasons.join(" ")}`];
  return all.length === 0 ? undefined : all.join(" ");
}

function accuracyFigure(own: readonly ParserResult[], others: readonly ReferenceRow[]) {
  const points: AccuracyPoint[] = [
    ...own.map(({ parser, speed: { value, low, high }, scores }) => ({
      label: parser,
      wordsPerSecond: value,
      low,
      high,
      las: scores.las,
    })),
    ...others.map((row) => ({
      label: `${row.parser}, measured before`,
      wordsPerSecond: row.words_per_second,
      las: row.las / 100,
    })),
  ];
  return {
    title: "Accuracy against speed",
    note: FRONT_NOTE,
    drawing: accuracyPlot(points),
  };
}

function parserTable(
  own: readonly ParserResult[],
  others: readonly ReferenceRow[],
  reference: Reference | undefined,
): Table {
  const speeds = speedCells(own.map(({ speed }) => speed));
  return {
    title: "Parsers",
    columns: COLUMNS,
    rows: [
      ...own.map((one, i) => [
        one.parser,
        formatPercent(one.scores.uas),
        formatPercent(one.scores.las),
        speeds[i]!,
        threeDigits(one.trainingSeconds),
        threeDigits(one.trainingProcessorSeconds),
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
        "",
        threeDigits(row.train_mb),
        "",
        threeDigits(row.model_mb),
        "",
        "",
      ]),
    ],
    note: others.length > 0 ? `Other parsers, measured before: ${reference?.note}` : undefined,
  };
}

/** Returns mean scores over seeds with their standard deviations. */
function seedTable(seeds: readonly SeedScores[]): Table[] {
  const [first] = seeds;
  if (first === undefined) return [];
  return [
    {
      title: `Trained with ${first.seeds.length} seeds`,
      columns: [
        left("parser"),
        right("UAS", "Mean over the seeds, and standard deviation."),
        right("LAS", "Mean over the seeds, and standard deviation."),
        right("lowest LAS"),
        right("highest LAS"),
      ],
      rows: seeds.map(({ parser, uas, las }) => [
        parser,
        ...[uas, las].map((all) => `${formatPercent(mean(all))} ± ${formatPercent(deviation(all))}`),
        formatPercent(Math.min(...las)),
        formatPercent(Math.max(...las)),
      ]),
    },
  ];
}

/** Returns LAS by the parser that was trained and the decoder that it parses with. */
function matrixTable(own: readonly ParserResult[]): Table[] {
  const decoders = [...new Set(own.flatMap(({ otherDecoders }) => otherDecoders.map((one) => one.decoder)))];
  if (decoders.length === 0) return [];
  return [
    {
      title: "LAS by the decoder of training and the decoder of parsing",
      columns: [left("trained"), ...decoders.map((name) => right(`by ${name}`))],
      rows: own.map(({ parser, otherDecoders }) => [
        parser,
        ...decoders.map((name) => {
          const scores = otherDecoders.find(({ decoder }) => decoder === name);
          return scores === undefined ? "–" : formatPercent(scores.las);
        }),
      ]),
      note: "–: the decoder does not score the parts of the model.",
    },
  ];
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
        left("first"),
        left("second"),
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
        "Percentage points, second minus first; paired bootstrap over sentences, " +
        `${formatInteger(comparisons[0]!.las.samples)} samples, two-sided.`,
    },
  ];
}
