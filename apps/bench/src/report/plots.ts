import { axisX, axisY, dot, gridX, gridY, line, link } from "@observablehq/plot";
import { formatInteger, formatTime } from "../results/format.ts";
import { draw, logAxisX, logAxisY, type SeriesPoint, seriesMarks } from "./frame.ts";
import type { SeriesStyle } from "./palette.ts";
import type { Drawing } from "./report.ts";
import { logTicks, shortCount, spreadValues } from "./scales.ts";

/** A point of a curve of times: milliseconds at n words. */
export interface TimePoint {
  readonly series: string;
  readonly n: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Draws times against sentence length, both on logarithmic scales: straight lines are powers of n. */
export function timePlot(points: readonly TimePoint[], legend: readonly SeriesStyle[]): Drawing {
  const lengths = [...new Set(points.map(({ n }) => Math.round(n)))].sort((a, b) => a - b);
  const times = points.flatMap(({ low, high }) => [low, high]);
  const shown = points.map(({ series, n, median, low, high }): SeriesPoint => {
    const title = `${series}, ${Number(n.toFixed(1))} words: ${formatTime(median)}`;
    return { series, x: n, y: median, low, high, title };
  });
  return draw(({ isNarrow }) => ({
    x: { type: "log" },
    y: { type: "log" },
    marks: [
      ...logAxisX({
        label: "words in the sentence",
        ticks: spreadValues(lengths, isNarrow ? 1.45 : 1.25),
        format: formatInteger,
        hasGrid: false,
      }),
      ...logAxisY({
        label: "time for a sentence",
        ticks: logTicks(Math.min(...times), Math.max(...times), 8),
        format: shortTime,
      }),
      ...seriesMarks(shown, legend),
    ],
  }));
}

/** Formats a round time in few characters: `5 µs`. */
function shortTime(milliseconds: number): string {
  return formatTime(milliseconds).replace(/\.0+ /, " ");
}

/** A bin of a reliability diagram. */
export interface ReliabilityPoint {
  readonly series: string;
  readonly predicted: number;
  readonly observed: number;
  readonly count: number;
}

/** Draws observed frequencies against probabilities, which are equal on the diagonal. */
export function reliabilityPlot(
  points: readonly ReliabilityPoint[],
  legend: readonly SeriesStyle[],
): Drawing {
  return draw(({ isNarrow }) => ({
    height: isNarrow ? 340 : 420,
    x: { domain: [0, 1], label: "mean probability of the bin", grid: true },
    y: { domain: [0, 1], label: "share of correct arcs", grid: true },
    r: { range: [3, 12] },
    marks: [
      link([null], { x1: 0, y1: 0, x2: 1, y2: 1, strokeDasharray: "4 4", strokeOpacity: 0.6 }),
      ...legend.flatMap(({ label, color, dash, symbol }) => {
        const own = points.filter(({ series }) => series === label);
        const at = { x: "predicted", y: "observed" };
        return [
          line(own, { ...at, stroke: color, strokeWidth: 2, strokeDasharray: dash }),
          dot(own, {
            ...at,
            fill: color,
            symbol,
            r: "count",
            fillOpacity: 0.8,
            title: ({ series, count }: ReliabilityPoint) => `${series}: ${formatInteger(count)} arcs`,
          }),
        ];
      }),
    ],
  }));
}

/** Labels and kinds of the axes of curves. */
export interface CurveAxes {
  readonly x: string;
  readonly y: string;
  /** Scales; by default the horizontal one is logarithmic and the vertical one is not. */
  readonly scales?:
    | { readonly x?: "log" | "linear" | undefined; readonly y?: "log" | "linear" | undefined }
    | undefined;
  /** Values below it are drawn there. */
  readonly floor?: number | undefined;
}

/** Draws curves through points in their order. Points that a logarithmic scale cannot show are left out. */
export function curvePlot(
  points: readonly SeriesPoint[],
  legend: readonly SeriesStyle[],
  { x, y, scales: { x: across = "log", y: up = "linear" } = {}, floor = -Infinity }: CurveAxes,
): Drawing {
  const shown = points
    .map((point) => ({ ...point, y: Math.max(floor, point.y) }))
    .filter((point) => (across === "linear" || Number(point.x) > 0) && (up === "linear" || point.y > 0));
  const xs = shown.map((point) => Number(point.x));
  const ys = shown.flatMap(({ y: value, low = value, high = value }) => [value, low, high]);
  return draw(({ ticks }) => ({
    x: { type: across },
    y: { type: up, nice: up === "linear" },
    marks: [
      ...(across === "log"
        ? logAxisX({ label: x, ticks: logTicks(Math.min(...xs), Math.max(...xs), ticks), format: shortCount })
        : [gridX({ ticks }), axisX({ ticks, label: x })]),
      ...(up === "log"
        ? logAxisY({ label: y, ticks: logTicks(Math.min(...ys), Math.max(...ys), 8), format: shortPower })
        : [gridY({ ticks: 6 }), axisY({ ticks: 6, label: y })]),
      ...seriesMarks(shown, legend, { radius: 3 }),
    ],
  }));
}

/** Formats a value of a logarithmic axis: small and large ones as powers of ten, `2e-5`. */
function shortPower(value: number): string {
  if (value >= 0.001 && value < 1e4) return `${Number(value.toPrecision(3))}`;
  return value.toExponential(0).replace("e+", "e").replace("-", "−");
}
