import type { SeriesPoint } from "./frame.ts";
import type { SeriesStyle } from "./palette.ts";
import { curvePlot } from "./plots.ts";
import type { Drawing } from "./report.ts";

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
  legend: readonly SeriesStyle[],
  y: { readonly label: string; readonly type: "log" | "linear" },
  over: "time" | "epochs" = "time",
): Drawing {
  const shown = points.map(({ series, seconds, value }): SeriesPoint => {
    const when = over === "time" ? `after ${seconds.toPrecision(3)} s` : `after epoch ${seconds}`;
    return { series, x: seconds, y: value, title: `${series}: ${value.toPrecision(4)} ${when}` };
  });
  return curvePlot(shown, legend, {
    x: over === "time" ? "seconds of training" : "epoch",
    y: y.label,
    scales: { x: over === "time" ? "log" : "linear", y: y.type },
  });
}
