import { dot, line, plot } from "@observablehq/plot";
import { canvas, FONT, HEIGHT, WIDTH } from "./plots.ts";
import type { LegendItem } from "./report.ts";

/** A point of a curve over training. */
export interface CoursePoint {
  readonly series: string;
  /** Seconds of training, or the epoch. */
  readonly seconds: number;
  readonly value: number;
}

/**
 * Draws curves over training time on a logarithmic scale, or over epochs on a linear one, with values on a
 * logarithmic scale or in percent.
 */
export function coursePlot(
  points: readonly CoursePoint[],
  legend: readonly LegendItem[],
  y: { readonly label: string; readonly type: "log" | "linear" },
  over: "time" | "epochs" = "time",
): string {
  const shown = points.filter(({ seconds, value }) => seconds > 0 && (y.type === "linear" || value > 0));
  const drawn = plot({
    document: canvas(),
    width: WIDTH,
    height: HEIGHT,
    marginLeft: 64,
    marginBottom: 44,
    style: FONT,
    x:
      over === "time"
        ? { type: "log", label: "seconds of training", ticks: 5, tickFormat: "~g", grid: true }
        : { type: "linear", label: "epoch", ticks: 8, tickFormat: "~d", grid: true },
    y: {
      type: y.type,
      label: y.label,
      grid: true,
      ...(y.type === "log" && { ticks: 6, tickFormat: "~e" }),
    },
    color: { domain: legend.map(({ label }) => label), range: legend.map(({ color }) => color) },
    marks: [
      line(shown, { x: "seconds", y: "value", z: "series", stroke: "series", strokeWidth: 2 }),
      dot(shown, {
        x: "seconds",
        y: "value",
        fill: "series",
        r: 2.5,
        title: ({ series, seconds, value }: CoursePoint) =>
          over === "time"
            ? `${series}: ${value.toPrecision(4)} after ${seconds.toPrecision(3)} s`
            : `${series}: ${value.toPrecision(4)} after epoch ${seconds}`,
      }),
    ],
  });
  return drawn.outerHTML;
}
