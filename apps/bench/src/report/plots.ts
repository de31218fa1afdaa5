import {
  axisX,
  axisY,
  dot,
  gridX,
  line,
  link,
  type PlotOptions,
  plot,
  ruleX,
  ruleY,
} from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { formatInteger, formatTime } from "../results/format.ts";

/** Size and margins of a plot in pixels: its text is legible on screens and, scaled, on phones. */
const FRAME = { width: 480, height: 340, marginLeft: 56, marginTop: 26, marginBottom: 44 };

/** A point of a series. */
export interface SeriesPoint {
  readonly series: string;
  readonly x: number | string;
  readonly y: number;
  /** Text that is shown when the pointer is on it. */
  readonly title: string;
  /** The range of y over repetitions. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/**
 * Returns a plot as HTML, with a legend if there are several series: each has a colour and a symbol by its place
 * in the list.
 */
export function draw(series: Iterable<string>, options: PlotOptions): string {
  const domain = [...new Set(series)];
  const own = { color: { domain }, symbol: { domain, legend: domain.length > 1 } };
  return figureOf({ ...FRAME, ...own, ...options }).outerHTML;
}

/** Returns a plot in the style of reports: an SVG element, or HTML if it has a legend. */
export function figureOf(options: PlotOptions): ReturnType<typeof plot> {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  return plot({ ...options, document: document as unknown as Document, style: { fontSize: "14px" } });
}

type Scale = "log" | "linear";

/** Labels and kinds of the axes of curves. */
export interface CurveAxes {
  readonly x: string;
  readonly y: string;
  /** Scales; by default the horizontal one is logarithmic and the vertical one is linear. */
  readonly scales?: { readonly x?: Scale; readonly y?: Scale };
  /** The values of the vertical axis, from bottom to top; by default as the points need. */
  readonly domain?: readonly [number, number];
  /** Smaller values are drawn at this one. */
  readonly floor?: number;
  /** The format of the values of logarithmic axes, by d3-format. */
  readonly format?: string;
}

/** Draws curves through points in their order. Points that a logarithmic scale cannot show are left out. */
export function curvePlot(
  points: readonly SeriesPoint[],
  {
    x,
    y,
    scales: { x: across = "log", y: up = "linear" } = {},
    domain,
    floor = -Infinity,
    format = "~g",
  }: CurveAxes,
): string {
  const shown = points
    .map((point) => ({ ...point, y: Math.max(floor, point.y) }))
    .filter((point) => (across === "linear" || Number(point.x) > 0) && (up === "linear" || point.y > 0));
  const axis = (type: Scale) =>
    ({
      type,
      ticks: 6,
      grid: true,
      nice: type === "linear",
      ...(type === "log" && { tickFormat: format }),
    }) as const;
  return draw(
    shown.map(({ series }) => series),
    {
      x: { ...axis(across), label: x },
      y: { ...axis(up), label: y, ...(domain && { domain: [...domain] }) },
      marks: [
        ruleX(
          shown.filter(({ low, high }) => low !== undefined && high !== undefined),
          { x: "x", y1: "low", y2: "high", stroke: "series", strokeOpacity: 0.5, strokeWidth: 2 },
        ),
        line(shown, { x: "x", y: "y", z: "series", stroke: "series", strokeWidth: 1.8 }),
        dot(shown, { x: "x", y: "y", fill: "series", symbol: "series", r: 3.5, title: "title" }),
      ],
    },
  );
}

/** A point of a curve of times: milliseconds at n words. */
export interface TimePoint {
  readonly series: string;
  readonly n: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Draws times against sentence length, both on logarithmic scales: straight lines are powers of n. */
export function timePlot(points: readonly TimePoint[]): string {
  const seconds = points.map(({ series, n, median, low, high }): SeriesPoint => {
    const title = `${series}, ${Number(n.toFixed(1))} words: ${formatTime(median)}`;
    return { series, x: n, y: median / 1000, low: low / 1000, high: high / 1000, title };
  });
  return curvePlot(seconds, {
    x: "words in the sentence",
    y: "seconds for a sentence",
    scales: { y: "log" },
    format: "~s",
  });
}

/** A point of a curve over training. */
export interface CoursePoint {
  readonly series: string;
  /** Seconds of training, or the epoch. */
  readonly seconds: number;
  readonly value: number;
}

/** Draws curves over training time on a logarithmic scale, or over epochs on a linear one. */
export function coursePlot(
  points: readonly CoursePoint[],
  y: { readonly label: string; readonly type: Scale },
  over: "time" | "epochs" = "time",
): string {
  const shown = points.map(({ series, seconds, value }): SeriesPoint => {
    const when = over === "time" ? `after ${seconds.toPrecision(3)} s` : `after epoch ${seconds}`;
    return { series, x: seconds, y: value, title: `${series}: ${value.toPrecision(4)} ${when}` };
  });
  return curvePlot(shown, {
    x: over === "time" ? "seconds of training" : "epoch",
    y: y.label,
    scales: { x: over === "time" ? "log" : "linear", y: y.type },
  });
}

/** A bin of a reliability diagram. */
export interface ReliabilityPoint {
  readonly series: string;
  readonly predicted: number;
  readonly observed: number;
  readonly count: number;
}

/** Draws observed frequencies against probabilities, which are equal on the diagonal. */
export function reliabilityPlot(points: readonly ReliabilityPoint[]): string {
  const at = { x: "predicted", y: "observed" };
  return draw(
    points.map(({ series }) => series),
    {
      height: 420,
      x: { domain: [0, 1], label: "mean probability of the bin", grid: true },
      y: { domain: [0, 1], label: "share of correct arcs", grid: true },
      r: { range: [3, 12] },
      marks: [
        link([null], { x1: 0, y1: 0, x2: 1, y2: 1, strokeDasharray: "4 4", strokeOpacity: 0.6 }),
        line(points, { ...at, z: "series", stroke: "series", strokeWidth: 2 }),
        dot(points, {
          ...at,
          fill: "series",
          symbol: "series",
          r: "count",
          fillOpacity: 0.8,
          title: ({ series, count }: ReliabilityPoint) => `${series}: ${formatInteger(count)} arcs`,
        }),
      ],
    },
  );
}

/** A decoder or parser in a plot of accuracy against speed. */
export interface AccuracyPoint {
  readonly label: string;
  readonly wordsPerSecond: number;
  /** The range of the speed over repetitions. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** From 0 to 1. */
  readonly las: number;
}

/** How to read the plot. */
export const FRONT_NOTE =
  "Up and to the right is better. Nothing is both faster and more accurate than the points of the dashed line. Lines " +
  "across a point: the quartiles of its speed.";

/** Draws labelled attachment score against parsing speed on a logarithmic scale, and the Pareto front. */
export function accuracyPlot(points: readonly AccuracyPoint[]): string {
  const x = "wordsPerSecond";
  const y = ({ las }: AccuracyPoint) => 100 * las;
  const ranged = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  return draw(
    points.map(({ label }) => label),
    {
      x: { type: "log", ticks: 6, tickFormat: "~s", grid: true, label: "words per second" },
      y: { grid: true, ticks: 6, label: "LAS (%)", inset: 12 },
      marks: [
        line(paretoFront(points), { x, y, curve: "step-after", strokeOpacity: 0.5, strokeDasharray: "5 4" }),
        ruleY(ranged, { x1: "low", x2: "high", y, stroke: "label", strokeOpacity: 0.6, strokeWidth: 2 }),
        dot(points, { x, y, fill: "label", symbol: "label", r: 5, title: titleOf }),
      ],
    },
  );
}

function titleOf({ label, las, wordsPerSecond, low, high }: AccuracyPoint): string {
  const range =
    low === undefined || high === undefined ? "" : ` (${formatInteger(low)} to ${formatInteger(high)})`;
  return `${label}: LAS ${(100 * las).toFixed(2)} %, ${formatInteger(wordsPerSecond)} words/s${range}`;
}

/**
 * Returns the Pareto front, the fastest first: the points than which no other is both as fast and as
 * accurate, and better in one of them. O(n log n).
 */
export function paretoFront<T extends Pick<AccuracyPoint, "wordsPerSecond" | "las">>(
  points: readonly T[],
): T[] {
  const bySpeed = points.toSorted((a, b) => b.wordsPerSecond - a.wordsPerSecond || b.las - a.las);
  const front: T[] = [];
  for (const point of bySpeed) if (front.length === 0 || point.las > front.at(-1)!.las) front.push(point);
  return front;
}

/** A value of a series in a row: of decoders. */
export interface RowPoint {
  readonly series: string;
  readonly row: string;
  readonly value: number;
  /** Text that is shown when the pointer is on it. */
  readonly title: string;
}

/** Draws rows with the values of all series as symbols, from left to right. */
export function rowPlot(rows: readonly string[], points: readonly RowPoint[], label: string): string {
  const [first] = points;
  // If all points have one value, the domain ends there.
  const isOne = first !== undefined && points.every(({ value }) => value === first.value);
  const at = { x: "value", y: "row", stroke: "series", symbol: "series", title: "title" } as const;
  return draw(
    points.map(({ series }) => series),
    {
      height: 70 + 34 * rows.length,
      marginLeft: 150,
      x: { label, ...(isOne ? { domain: [first.value - 1, first.value] } : { nice: true }) },
      y: { type: "band", domain: [...rows] },
      marks: [
        gridX({ ticks: 5 }),
        axisX({ ticks: 5 }),
        ruleY(rows, { strokeOpacity: 0.1 }),
        // Long names break into lines.
        axisY({ label: null, tickSize: 0, lineWidth: 10 }),
        dot(points, { ...at, strokeWidth: 2, r: 4 }),
      ],
    },
  );
}
