import type { Cell, Series } from "../measures/measure-decoders.ts";
import type { ScoreSet } from "../measures/score-sets.ts";
import { mean } from "../measures/timing.ts";
import type { DecoderEntry } from "../registry/decoders.ts";
import { formatPercent, formatRange, formatTime } from "../results/format.ts";
import type { Contestant } from "../results/results.ts";
import { curvePlot, type SeriesPoint, timePlot } from "./plots.ts";
import { contestant, type Quantity } from "./quantities.ts";
import { type Figure, left, right, type Section, type Table, table } from "./report.ts";

const GROWTH =
  "Exponent of n by least squares on logarithms of time and length, over lengths from 50 words if there are " +
  "three, else over all.";
const CERTIFIED =
  "Percentage of answers whose bound is their score; the bound of a projective decoder holds for projective trees " +
  "only.";
const TIME =
  "Median time of one sentence, and below it the range from the 5th to the 95th percentile of repeated passes.";

const QUANTITIES: readonly Quantity<Cell>[] = [
  {
    ...{ measure: "time", unit: "ms" },
    of: ({ median: value, low, high, passes: samples }) => ({ value, low, high, samples }),
  },
  { measure: "certified", unit: "share", of: ({ certified }) => certified },
];

/** Returns the times of decoders and operations as contestants, one a score set and length. */
export function timedSeries(all: readonly Series[]): Contestant[] {
  return all.flatMap(({ set, label, cells }) =>
    cells.map((cell) =>
      contestant({ group: `${set}, ${Math.round(cell.n)} words`, name: label }, cell, QUANTITIES),
    ),
  );
}

/** Returns tables and curves of the times of decoders and of operations over trees, per set. */
export function decoderSections(
  entries: readonly DecoderEntry[],
  decoders: readonly Series[],
  operations: readonly Series[],
  sets: readonly ScoreSet[],
): Section[] {
  const times = [
    section(
      "Decoders",
      "One decoding of one sentence. Each decoder is given arcs and parts of all the kinds that it " +
        "scores, so that the problems of different decoders differ in size. Every answer was checked " +
        "before it was timed.",
      decoders,
      sets,
    ),
    section(
      "Marginals, rankings and samples",
      "Sums over all trees of a sentence, its ten best trees, and ten random ones, from arc scores. " +
        "Every result was checked before it was timed.",
      operations,
      sets,
    ),
  ].filter(({ tables }) => tables.length > 0);
  const [first, ...rest] = times;
  if (first === undefined) return [];
  return [{ ...first, tables: [registryTable(entries), ...first.tables] }, ...rest];
}

function section(title: string, text: string, all: readonly Series[], sets: readonly ScoreSet[]): Section {
  const shown = sets
    .map((set) => ({ set, series: all.filter((one) => one.set === set.name && one.cells.length > 0) }))
    .filter(({ series }) => series.length > 0);
  return {
    title,
    finding: findingOf(shown.map(({ set, series }) => ({ name: set.name, series }))),
    text,
    figures: [
      ...shown.map(({ set, series }): Figure => {
        const points = series.flatMap(({ label, cells }) =>
          cells.map((cell) => ({ series: label, ...cell })),
        );
        return {
          title: `Score set "${set.name}"`,
          note: `${set.says}. Bars are ranges from the 5th to the 95th percentile.`,
          drawing: timePlot(points),
        };
      }),
      ...shown.flatMap(({ set, series }) => certificateFigure(set, series)),
    ],
    tables: shown.map(({ set, series }) => timeTable(set, series)),
  };
}

/** Returns the shares of certified answers by length; nothing without decoders whose answers have bounds. */
function certificateFigure(set: ScoreSet, series: readonly Series[]): Figure[] {
  const points = series.flatMap(({ label, cells }) =>
    cells.flatMap(({ n, certified }): SeriesPoint[] => {
      if (certified === undefined) return [];
      const title = `${label}, ${Number(n.toFixed(1))} words: ${formatPercent(certified, 1)} %`;
      return [{ series: label, x: n, y: 100 * certified, title }];
    }),
  );
  // Exact decoders certify everything: a line at 100 % says nothing.
  const partial = new Set(points.filter(({ y }) => y < 100).map((point) => point.series));
  if (partial.size === 0) return [];
  return [
    {
      title: `Certified answers of "${set.name}"`,
      note: "Share of answers whose bound is their score, of decoders that do not certify them all.",
      drawing: curvePlot(
        points.filter((point) => partial.has(point.series)),
        { x: "words in the sentence", y: "certified (%)", domain: [0, 100] },
      ),
    },
  ];
}

function registryTable(entries: readonly DecoderEntry[]): Table {
  return table(
    "The decoders",
    entries,
    {
      name: ({ name }) => name,
      algorithm: ({ label }) => label,
      family: ({ family }) => family,
      trees: ({ projective }) => (projective ? "projective" : "all"),
      "best tree": ({ exact }) => (exact ? "always" : "not always"),
      parts: ({ kinds }) => ["arcs", ...kinds].join(", "),
    },
    { labels: 6 },
  );
}

function timeTable(set: ScoreSet, series: readonly Series[]): Table {
  const lengths = columnsOf(series);
  const certified = series.some(({ cells }) => cells.some((cell) => cell.certified !== undefined));
  return {
    title: `Score set "${set.name}": ${set.says}`,
    columns: [
      left(""),
      ...lengths.map((n) => right(`n = ${n}`, TIME)),
      right("growth", GROWTH),
      ...(certified
        ? [right("certified", CERTIFIED), left("compared with", "What checked the answers before timing.")]
        : []),
    ],
    rows: series.map((one) => [
      one.label,
      ...lengths.map((n) => cellAt(one, n)),
      growthOf(one),
      ...(certified ? [certifiedOf(one), one.checkedAgainst.join(", ")] : []),
    ]),
  };
}

/**
 * Returns the columns as whole words: mean lengths of real sentences differ by fractions of a word between
 * decoders.
 */
function columnsOf(series: readonly Series[]): number[] {
  const lengths = series.flatMap(({ cells }) => cells.map(({ n }) => Math.round(n)));
  return [...new Set(lengths)].sort((a, b) => a - b);
}

function cellOf({ cells }: Series, n: number): Series["cells"][number] | undefined {
  return cells.find((one) => Math.round(one.n) === n);
}

function cellAt(series: Series, n: number): string {
  const cell = cellOf(series, n);
  if (cell === undefined) return "";
  return `${formatTime(cell.median)}\n${formatRange(cell.low, cell.high, cell.median)}`;
}

function growthOf({ growth }: Series): string {
  if (growth === undefined) return "";
  return `${growth.exponent.toFixed(2)}\n${Math.round(growth.from)}–${Math.round(growth.to)}`;
}

function certifiedOf({ cells }: Series): string {
  const shares = cells.flatMap(({ certified }) => (certified === undefined ? [] : [certified]));
  return shares.length === 0 ? "" : `${formatPercent(mean(shares), 1)} %`;
}

/** Returns the fastest of all at the longest length that most of them reach, on the first score set. */
function findingOf(
  sets: readonly { readonly name: string; readonly series: readonly Series[] }[],
): string | undefined {
  const [first] = sets;
  if (first === undefined) return undefined;
  const { name, series } = first;
  const lengths = columnsOf(series).filter(
    (n) => 2 * series.filter((one) => cellOf(one, n) !== undefined).length > series.length,
  );
  const n = lengths.at(-1);
  if (n === undefined) return undefined;
  const times = series
    .flatMap((one) => {
      const cell = cellOf(one, n);
      return cell === undefined ? [] : { label: one.label, median: cell.median };
    })
    .sort((a, b) => a.median - b.median);
  const [fast, slow] = [times[0]!, times.at(-1)!];
  const range = times.length < 2 ? "" : `, and ${slow.label} the slowest, ${formatTime(slow.median)}`;
  return `On sentences of ${n} words of the set "${name}", ${fast.label} is the fastest, ${formatTime(fast.median)}${range}.`;
}
