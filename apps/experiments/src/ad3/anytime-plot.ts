import type { Drawing, SeriesStyle } from "@arcwise/bench/report";
import { draw, logAxisX, logTicks, shortCount } from "@arcwise/bench/report";
import { axisX, axisY, dot, gridY, line, ruleY } from "@observablehq/plot";

/** What a method has found and proved after some time. */
export interface AnytimePoint {
  readonly series: string;
  /** Time. */
  readonly x: number;
  /** The score of the best tree so far, less the best score: at most 0. */
  readonly score: number;
  /** The bound, less the best score: at least 0; absent for methods without one. */
  readonly bound?: number | undefined;
  readonly title: string;
}

/** Share of the points whose bounds decide the range of the vertical axis: the first bounds may be huge. */
const SHOWN = 0.8;

/**
 * Draws score and bound of methods against time on a logarithmic scale: scores rise and bounds fall to the
 * best score, 0. Bounds far above most others are cut off.
 */
export function anytimePlot(
  points: readonly AnytimePoint[],
  legend: readonly SeriesStyle[],
  axes: { readonly x: string; readonly y: string },
): Drawing {
  const timed = points.filter(({ x }) => x > 0);
  const times = timed.map(({ x }) => x);
  const bounds = timed.flatMap(({ bound }) => bound ?? []).sort((a, b) => a - b);
  const lowest = Math.min(0, ...timed.map(({ score }) => score));
  const highest = Math.max(0, bounds[Math.floor(SHOWN * (bounds.length - 1))] ?? 0);
  const margin = 0.06 * (highest - lowest) || 1;
  return draw(({ ticks }) => ({
    x: { type: "log" },
    y: { domain: [lowest - margin, highest + margin], clamp: true },
    marks: [
      ...(times.length === 0
        ? [axisX({ label: axes.x })]
        : logAxisX({
            label: axes.x,
            ticks: logTicks(Math.min(...times), Math.max(...times), ticks),
            format: shortCount,
          })),
      gridY({ ticks: 6 }),
      axisY({ ticks: 6, label: axes.y }),
      ruleY([0], { stroke: "var(--soft)" }),
      ...legend.flatMap(({ label, color, dash, symbol }) => {
        const own = timed.filter(({ series }) => series === label);
        const proved = own.filter(({ bound }) => bound !== undefined);
        return [
          line(proved, { x: "x", y: "bound", stroke: color, strokeWidth: 1.2, strokeDasharray: "2 3" }),
          line(own, { x: "x", y: "score", stroke: color, strokeWidth: 1.8, strokeDasharray: dash }),
          dot(own, { x: "x", y: "score", fill: color, stroke: color, symbol, r: 3, title: "title" }),
        ];
      }),
    ],
  }));
}
