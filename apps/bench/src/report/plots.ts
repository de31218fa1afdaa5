import { dot, line, link, plot, ruleX, text } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { formatInteger, formatTime } from "../format.ts";
import type { LegendItem } from "./report.ts";

/**
 * Colours that are distinct on light and dark backgrounds, also with the common kinds of colour blindness.
 */
const PALETTE = [
  "#4269d0",
  "#e8803a",
  "#2f9e77",
  "#c2549d",
  "#b08a00",
  "#3aa0c9",
  "#9c6b4e",
  "#8b62d6",
  "#d6455d",
  "#7a8590",
];

/** Creates a document to draw in. */
export function canvas(): Document {
  return parseHTML("<!doctype html><html><body></body></html>").document as unknown as Document;
}

/** Assigns a colour to each name by its index. */
export function legendOf(names: readonly string[]): LegendItem[] {
  return names.map((label, index) => ({ label, color: PALETTE[index % PALETTE.length]! }));
}

/** A point of a curve of times: milliseconds at n words. */
export interface TimePoint {
  readonly series: string;
  readonly n: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export const WIDTH = 560;
export const HEIGHT = 360;
export const FONT = { fontSize: "13px" };

/** Draws times against sentence length, both on logarithmic scales: straight lines are powers of n. */
export function timePlot(points: readonly TimePoint[], legend: readonly LegendItem[]): string {
  const document = canvas();
  const lengths = [...new Set(points.map(({ n }) => Math.round(n)))].sort((a, b) => a - b);
  const drawn = plot({
    document,
    width: WIDTH,
    height: HEIGHT,
    marginLeft: 64,
    marginBottom: 44,
    style: FONT,
    x: { type: "log", label: "words in the sentence", ticks: spread(lengths), tickFormat: formatInteger },
    y: { type: "log", label: "time for a sentence", grid: true, ticks: 6, tickFormat: decadeTime },
    color: { domain: legend.map(({ label }) => label), range: legend.map(({ color }) => color) },
    marks: [
      ruleX(points, { x: "n", y1: "low", y2: "high", stroke: "series", strokeOpacity: 0.5, strokeWidth: 3 }),
      line(points, { x: "n", y: "median", z: "series", stroke: "series", strokeWidth: 2 }),
      dot(points, {
        x: "n",
        y: "median",
        fill: "series",
        r: 3.5,
        title: ({ series, n, median }: TimePoint) =>
          `${series}, ${threshold(n)} words: ${formatTime(median)}`,
      }),
    ],
  });
  return drawn.outerHTML;
}

function threshold(n: number): string {
  return Number.isInteger(n) ? `${n}` : n.toFixed(1);
}

/** Formats tick labels at powers of ten only. */
function decadeTime(milliseconds: number): string {
  const decade = Math.log10(milliseconds);
  if (Math.abs(decade - Math.round(decade)) > 1e-6) return "";
  return formatTime(10 ** Math.round(decade)).replace(/\.0+ /, " ");
}

/** Returns the lengths whose labels do not overlap. */
function spread(lengths: readonly number[]): number[] {
  const kept: number[] = [];
  for (const n of lengths) if (kept.length === 0 || n / kept.at(-1)! >= 1.25) kept.push(n);
  return kept;
}

/** A parser in a plot of accuracy against speed. */
export interface AccuracyPoint {
  readonly label: string;
  readonly wordsPerSecond: number;
  /** From 0 to 1. */
  readonly las: number;
  readonly group: string;
}

/** Draws labelled attachment score against parsing speed. Up and to the right is better. */
export function accuracyPlot(points: readonly AccuracyPoint[], legend: readonly LegendItem[]): string {
  const document = canvas();
  const speeds = points.map(({ wordsPerSecond }) => wordsPerSecond);
  const scores = points.map(({ las }) => 100 * las);
  const margin = Math.max(0.5, (Math.max(...scores) - Math.min(...scores)) * 0.15);
  const middle = Math.sqrt(Math.min(...speeds) * Math.max(...speeds));
  const labels = { x: "wordsPerSecond", y: (point: AccuracyPoint) => 100 * point.las, text: "label" };
  // Names are placed on the side with free space.
  const isLeft = ({ wordsPerSecond }: AccuracyPoint): boolean => wordsPerSecond <= middle;
  const drawn = plot({
    document,
    width: WIDTH,
    height: HEIGHT,
    marginLeft: 56,
    marginBottom: 44,
    style: FONT,
    x: {
      type: "log",
      label: "words parsed a second, one core",
      domain: [Math.min(...speeds) / 1.6, Math.max(...speeds) * 1.6],
      ticks: 5,
      tickFormat: "~s",
      grid: true,
    },
    y: {
      label: "LAS (%)",
      domain: [Math.min(...scores) - margin, Math.max(...scores) + margin],
      grid: true,
    },
    color: { domain: legend.map(({ label }) => label), range: legend.map(({ color }) => color) },
    marks: [
      dot(points, { ...labels, fill: "group", r: 5, title: ({ label }: AccuracyPoint) => label }),
      text(points.filter(isLeft), { ...labels, dx: 9, textAnchor: "start" }),
      text(
        points.filter((point) => !isLeft(point)),
        { ...labels, dx: -9, textAnchor: "end" },
      ),
    ],
  });
  return drawn.outerHTML;
}

/** A bin of a reliability diagram. */
export interface ReliabilityPoint {
  readonly series: string;
  readonly predicted: number;
  readonly observed: number;
  readonly count: number;
}

/** Draws observed frequencies against probabilities, which are equal on the diagonal. */
export function reliabilityPlot(points: readonly ReliabilityPoint[], legend: readonly LegendItem[]): string {
  const document = canvas();
  const drawn = plot({
    document,
    width: WIDTH,
    height: 420,
    marginLeft: 56,
    marginBottom: 44,
    style: FONT,
    x: { domain: [0, 1], label: "mean probability of the bin", grid: true },
    y: { domain: [0, 1], label: "share of correct arcs", grid: true },
    r: { range: [3, 12] },
    color: { domain: legend.map(({ label }) => label), range: legend.map(({ color }) => color) },
    marks: [
      link([null], { x1: 0, y1: 0, x2: 1, y2: 1, strokeDasharray: "4 4", strokeOpacity: 0.6 }),
      line(points, { x: "predicted", y: "observed", stroke: "series", z: "series", strokeWidth: 2 }),
      dot(points, {
        x: "predicted",
        y: "observed",
        fill: "series",
        r: "count",
        fillOpacity: 0.8,
        title: ({ series, count }: ReliabilityPoint) => `${series}: ${formatInteger(count)} arcs`,
      }),
    ],
  });
  return drawn.outerHTML;
}

/** A point of a curve. */
export interface CurvePoint {
  readonly series: string;
  readonly x: number;
  readonly y: number;
  readonly title: string;
}

/**
 * Draws curves through points in their order. The horizontal scale is logarithmic; the vertical one is if
 * there is a `floor`, to which lower values are raised.
 */
export function curvePlot(
  points: readonly CurvePoint[],
  legend: readonly LegendItem[],
  axes: { readonly x: string; readonly y: string; readonly floor?: number },
): string {
  const { floor } = axes;
  const height = ({ y }: CurvePoint): number => (floor === undefined ? y : Math.max(floor, y));
  const document = canvas();
  const drawn = plot({
    document,
    width: WIDTH,
    height: HEIGHT,
    marginLeft: 56,
    marginBottom: 44,
    style: FONT,
    x: { type: "log", label: axes.x, ticks: 5, tickFormat: "~s", grid: true },
    y: {
      label: axes.y,
      nice: true,
      grid: true,
      ...(floor !== undefined && { type: "log", ticks: 5, tickFormat: "~g" }),
    },
    color: { domain: legend.map(({ label }) => label), range: legend.map(({ color }) => color) },
    marks: [
      line(points, { x: "x", y: height, z: "series", stroke: "series", strokeWidth: 2 }),
      dot(points, { x: "x", y: height, fill: "series", r: 3, title: "title" }),
    ],
  });
  return drawn.outerHTML;
}
