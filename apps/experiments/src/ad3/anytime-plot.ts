import { draw } from "@arcwise/bench/report";
import { dot, line, ruleY } from "@observablehq/plot";

/** The score and bound of a method after some time. */
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
  axes: { readonly x: string; readonly y: string },
): string {
  const timed = points.filter(({ x }) => x > 0);
  const bounds = timed.flatMap(({ bound }) => bound ?? []).sort((a, b) => a - b);
  const lowest = Math.min(0, ...timed.map(({ score }) => score));
  const highest = Math.max(0, bounds[Math.floor(SHOWN * (bounds.length - 1))] ?? 0);
  const margin = 0.06 * (highest - lowest) || 1;
  const score = { x: "x", y: "score" };
  return draw(
    timed.map(({ series }) => series),
    {
      x: { type: "log", ticks: 6, tickFormat: "~g", grid: true, label: axes.x },
      y: { domain: [lowest - margin, highest + margin], clamp: true, ticks: 6, grid: true, label: axes.y },
      marks: [
        ruleY([0], { strokeOpacity: 0.5 }),
        line(
          timed.filter(({ bound }) => bound !== undefined),
          { x: "x", y: "bound", z: "series", stroke: "series", strokeWidth: 1.2, strokeDasharray: "2 3" },
        ),
        line(timed, { ...score, z: "series", stroke: "series", strokeWidth: 1.8 }),
        dot(timed, { ...score, fill: "series", symbol: "series", r: 3, title: "title" }),
      ],
    },
  );
}
