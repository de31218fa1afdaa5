import {
  axisX,
  axisY,
  dot,
  gridX,
  gridY,
  line,
  type Markish,
  type PlotOptions,
  plot,
  ruleX,
} from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { SeriesStyle } from "./palette.ts";
import type { Drawing } from "./report.ts";

/** Size of a drawing in pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  readonly marginBottom: number;
  readonly fontSize: number;
  /** The number of labels that fit on the horizontal axis. */
  readonly ticks: number;
  readonly isNarrow: boolean;
}

const MARGINS = { marginLeft: 58, marginRight: 20, marginTop: 30, marginBottom: 44 };

/** The frame on screens and on phones: text of the same size, in half the width. */
export const WIDE: Frame = {
  ...MARGINS,
  width: 560,
  height: 360,
  fontSize: 13,
  ticks: 9,
  isNarrow: false,
};
export const NARROW: Frame = {
  ...MARGINS,
  marginLeft: 50,
  marginRight: 14,
  width: 340,
  height: 320,
  fontSize: 12,
  ticks: 5,
  isNarrow: true,
};

/** Draws a plot for screens and for phones. */
export function draw(optionsOf: (frame: Frame) => PlotOptions): Drawing {
  return { svg: drawIn(WIDE, optionsOf(WIDE)), narrow: drawIn(NARROW, optionsOf(NARROW)) };
}

/** Draws a plot in a frame; options may change the frame's height and margins. */
export function drawIn(frame: Frame, options: PlotOptions): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const { fontSize, ticks, isNarrow, ...sizes } = frame;
  return plot({
    ...sizes,
    ...options,
    document: document as unknown as Document,
    style: { fontSize: `${fontSize}px` },
  }).outerHTML;
}

/** The ticks of a logarithmic axis and their format. */
export interface LogAxis {
  readonly label: string;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  readonly hasGrid?: boolean | undefined;
}

/**
 * Returns the marks of a logarithmic axis with a label at each tick: the scale's own format leaves out labels
 * of ticks as soon as there are several decades.
 */
export function logAxisX({ label, ticks, format, hasGrid = true }: LogAxis): Markish[] {
  return [...(hasGrid ? [gridX([...ticks])] : []), axisX([...ticks], { label, text: format })];
}

/** The vertical one. */
export function logAxisY({ label, ticks, format, hasGrid = true }: LogAxis): Markish[] {
  return [...(hasGrid ? [gridY([...ticks])] : []), axisY([...ticks], { label, text: format })];
}

/** A point of a series. */
export interface SeriesPoint {
  readonly series: string;
  /** A class of a scale of points is text. */
  readonly x: number | string;
  readonly y: number;
  /** Text that is shown when the pointer is on it. */
  readonly title: string;
  /** The range of y over repetitions. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/**
 * Returns the marks of curves: ranges, lines with the dashes and symbols with the shapes of the legend.
 *
 * @param options radius of the symbols, and horizontal distance of the series from each other, in pixels
 */
export function seriesMarks(
  points: readonly SeriesPoint[],
  legend: readonly SeriesStyle[],
  { radius = 3.5, apart = 0 }: { readonly radius?: number; readonly apart?: number } = {},
): Markish[] {
  return legend.flatMap(({ label, color, dash, symbol }, k) => {
    const own = points.filter(({ series }) => series === label);
    // Series side by side, so that their ranges do not cover each other.
    const dx = apart * (k - (legend.length - 1) / 2);
    const ranged = own.filter(({ low, high }) => low !== undefined && high !== undefined);
    const xy = { x: "x", y: "y" };
    return [
      ruleX(ranged, { x: "x", y1: "low", y2: "high", dx, stroke: color, strokeOpacity: 0.5, strokeWidth: 2 }),
      line(own, { ...xy, dx, stroke: color, strokeWidth: 1.8, strokeDasharray: dash }),
      dot(own, { ...xy, dx, fill: color, stroke: color, symbol, r: radius, title: "title" }),
    ];
  });
}
