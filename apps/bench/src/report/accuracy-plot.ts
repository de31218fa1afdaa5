import { textWidth } from "@arcwise/draw";
import { axisY, dot, gridY, line, link, ruleY, text } from "@observablehq/plot";
import { formatInteger } from "../results/format.ts";
import { drawIn, type Frame, logAxisX, NARROW, WIDE } from "./frame.ts";
import { type Box, type PlacedLabel, placeLabels, type Segment } from "./label-placement.ts";
import type { SeriesStyle } from "./palette.ts";
import { paretoFront } from "./pareto.ts";
import type { Drawing } from "./report.ts";
import { wrapText } from "./row-plots.ts";
import { logTicks, shortCount } from "./scales.ts";

/** A decoder or parser in a plot of accuracy against speed. */
export interface AccuracyPoint {
  readonly label: string;
  readonly wordsPerSecond: number;
  /** The range of the speed over repetitions. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** From 0 to 1. */
  readonly las: number;
  /** A name of the legend. */
  readonly group: string;
}

/** A point with what is written beside it; by default its name. */
export interface NumberedPoint extends AccuracyPoint {
  readonly text?: string | undefined;
}

/** How to read the plot. */
export const FRONT_NOTE =
  "Up and to the right is better. Filled, with names: nothing else is both faster and more accurate. The others " +
  "have numbers, from the highest LAS to the lowest. Lines across a point: the quartiles of its speed.";

/** A larger frame than other plots have: each point has its name beside it. */
export const LARGE: Frame = { ...WIDE, width: 1120, height: 480 };
const TALL: Frame = { ...NARROW, height: 420 };
/** Number of points that all have their names beside them. */
const FEW = 4;
/** Width of the background behind text, on each side. */
const HALO = 5;
/** Radius of points. */
const RADIUS = 5;
const LINE_HEIGHT = 1.15;
/** Factor by which frames grow in height until all labels have space, and the limit of growth. */
const GROWTH = 1.15;
const MAX_GROWTH = 5;

/** A point in pixels with the lines of its label. */
interface Placed extends AccuracyPoint {
  readonly px: number;
  readonly py: number;
  readonly pxLow: number;
  readonly pxHigh: number;
  readonly lines: string;
  readonly isFront: boolean;
  readonly color: string;
  readonly place: PlacedLabel | undefined;
}

/** An accuracy plot, and the names of its numbered points. */
export interface AccuracyDrawing extends Drawing {
  readonly key: readonly string[];
}

/**
 * Draws labelled attachment score against parsing speed on a logarithmic scale: up and to the right is
 * better. Points of the Pareto front are filled and have names, and a line of steps bounds what they are
 * better than. The other points have numbers where there are many. Labels neither overlap nor leave the
 * frame, which grows in height until they all have space.
 */
export function accuracyPlot(
  points: readonly AccuracyPoint[],
  legend: readonly SeriesStyle[],
): AccuracyDrawing {
  const { numbered, key } = numberedPoints(points);
  const [svg, narrow] = [LARGE, TALL].map((frame) => drawAccuracy(numbered, legend, frame));
  return { svg: svg!, narrow: narrow!, key };
}

/** Returns points with numbers in place of the names of those outside of the front, and these names. */
export function numberedPoints(points: readonly AccuracyPoint[]): {
  readonly numbered: readonly NumberedPoint[];
  readonly key: readonly string[];
} {
  const front = new Set(paretoFront(points));
  const others = points.filter((point) => !front.has(point)).toSorted((a, b) => b.las - a.las);
  if (points.length <= FEW) return { numbered: points, key: [] };
  const numbered = points.map((point) => {
    const at = others.indexOf(point);
    return at < 0 ? point : { ...point, text: `${at + 1}` };
  });
  return { numbered, key: others.map(({ label }) => label) };
}

/** Draws an accuracy plot in one frame. */
export function drawAccuracy(
  points: readonly NumberedPoint[],
  legend: readonly SeriesStyle[],
  frame: Frame,
): string {
  const { fitted, placed, domain } = layOut(points, legend, frame);
  const front = paretoFront(placed).map(({ px, py }) => ({ px, py }));
  // The steps begin at the bottom and end at the left edge of the frame.
  const bottom = fitted.height - fitted.marginBottom;
  const steps =
    front.length === 0
      ? []
      : [{ px: front[0]!.px, py: bottom }, ...front, { px: fitted.marginLeft, py: front.at(-1)!.py }];
  const x = { value: "px", scale: null } as const;
  const y = { value: "py", scale: null } as const;
  const leaders = placed.flatMap(({ place }) => place?.leader ?? []);
  const labelled = placed.filter(({ place }) => place !== undefined);
  const unscaled = (value: keyof Segment) => ({ value, scale: null }) as const;
  return drawIn(fitted, {
    x: { type: "log", domain: [...domain.x] },
    y: { domain: [...domain.y] },
    marks: [
      ...logAxisX({
        label: "words per second",
        ticks: logTicks(domain.x[0], domain.x[1], frame.ticks),
        format: shortCount,
      }),
      gridY({ ticks: 6 }),
      axisY({ label: "LAS (%)", ticks: 6 }),
      line(steps, { x, y, curve: "step-after", stroke: "var(--soft)", strokeDasharray: "5 4" }),
      link(leaders, {
        x1: unscaled("x1"),
        y1: unscaled("y1"),
        x2: unscaled("x2"),
        y2: unscaled("y2"),
        stroke: "var(--soft)",
        strokeWidth: 0.8,
      }),
      ruleY(placed, {
        y,
        x1: { value: "pxLow", scale: null },
        x2: { value: "pxHigh", scale: null },
        stroke: "color",
        strokeOpacity: 0.6,
        strokeWidth: 2,
      }),
      ...legend.map(({ label, color, symbol }) =>
        dot(
          placed.filter(({ group }) => group === label),
          {
            x,
            y,
            symbol,
            r: RADIUS,
            stroke: color,
            strokeWidth: 2,
            fill: ({ isFront }: Placed) => (isFront ? color : "var(--paper)"),
            title: titleOf,
          },
        ),
      ),
      text(labelled, {
        x: { value: ({ place }: Placed) => place!.box.x + place!.box.width / 2, scale: null },
        y: { value: ({ place }: Placed) => place!.box.y + place!.box.height / 2, scale: null },
        text: "lines",
        lineHeight: LINE_HEIGHT,
        fill: "var(--ink)",
        stroke: "var(--paper)",
        strokeWidth: HALO,
      }),
    ],
  });
}

function titleOf({ label, las, wordsPerSecond, low, high }: Placed): string {
  const range =
    low === undefined || high === undefined ? "" : ` (${formatInteger(low)} to ${formatInteger(high)})`;
  return `${label}: LAS ${(100 * las).toFixed(2)} %, ${formatInteger(wordsPerSecond)} words/s${range}`;
}

interface Layout {
  readonly fitted: Frame;
  readonly placed: readonly Placed[];
  readonly domain: { readonly x: readonly [number, number]; readonly y: readonly [number, number] };
}

/** Places points and labels; the frame is as high as they need. */
function layOut(points: readonly NumberedPoint[], legend: readonly SeriesStyle[], frame: Frame): Layout {
  const domain = domainsOf(points);
  const front = new Set(paretoFront(points));
  const colours = new Map(legend.map(({ label, color }) => [label, color]));
  const texts = points.map(({ label, text = label }) => (frame.isNarrow ? wrapText(text) : text));
  const sizes = texts.map((lines) => sizeOf(lines, frame.fontSize));
  for (let height = frame.height; ; height = Math.round(height * GROWTH)) {
    const fitted = { ...frame, height };
    const { inner, across, down } = pixels(fitted, domain);
    const at = points.map((point, i) => ({
      x: across(point.wordsPerSecond),
      y: down(100 * point.las),
      ...sizes[i]!,
      isFront: front.has(point),
    }));
    const ranges = points.map(({ low, high }, i): Segment => {
      const { x, y } = at[i]!;
      return {
        x1: low === undefined ? x : across(low),
        y1: y,
        x2: high === undefined ? x : across(high),
        y2: y,
      };
    });
    const lines = [...frontLines(at, height - frame.marginBottom), ...ranges];
    const places = placeLabels(at, { frame: inner, radius: RADIUS + 1, lines });
    if (places.includes(undefined) && height < MAX_GROWTH * frame.height) continue;
    const placed = points.map(
      (point, i): Placed => ({
        ...point,
        px: at[i]!.x,
        py: at[i]!.y,
        pxLow: across(point.low ?? point.wordsPerSecond),
        pxHigh: across(point.high ?? point.wordsPerSecond),
        lines: texts[i]!,
        isFront: front.has(point),
        color: colours.get(point.group) ?? "var(--ink)",
        place: places[i],
      }),
    );
    return { fitted, placed, domain };
  }
}

function domainsOf(points: readonly AccuracyPoint[]): Layout["domain"] {
  const speeds = points.flatMap(({ wordsPerSecond, low, high }) => [
    wordsPerSecond,
    low ?? wordsPerSecond,
    high ?? wordsPerSecond,
  ]);
  const scores = points.map(({ las }) => 100 * las);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const margin = Math.max(0.5, (highest - lowest) * 0.15);
  return {
    x: [Math.min(...speeds) / 1.6, Math.max(...speeds) * 1.6],
    y: [lowest - margin, highest + margin],
  };
}

/** Returns the inner frame, and the scales from values to pixels, of the plot. */
function pixels(
  { width, height, marginLeft, marginRight, marginTop, marginBottom }: Frame,
  { x, y }: Layout["domain"],
) {
  const inner: Box = {
    x: marginLeft + 1,
    y: marginTop + 1,
    width: width - marginLeft - marginRight - 2,
    height: height - marginTop - marginBottom - 2,
  };
  const across = (value: number): number =>
    marginLeft + ((width - marginLeft - marginRight) * Math.log(value / x[0])) / Math.log(x[1] / x[0]);
  const down = (value: number): number =>
    height - marginBottom - ((height - marginTop - marginBottom) * (value - y[0])) / (y[1] - y[0]);
  return { inner, across, down };
}

/** Returns the steps of the front, which labels avoid. */
function frontLines(
  at: readonly { readonly x: number; readonly y: number; readonly isFront: boolean }[],
  bottom: number,
): Segment[] {
  const corners = at.filter(({ isFront }) => isFront).sort((a, b) => b.x - a.x);
  return corners.flatMap((from, i) => {
    const to = corners[i + 1] ?? { x: 0, y: from.y };
    const first = i === 0 ? [{ x1: from.x, y1: bottom, x2: from.x, y2: from.y }] : [];
    return [
      ...first,
      { x1: from.x, y1: from.y, x2: to.x, y2: from.y },
      { x1: to.x, y1: from.y, x2: to.x, y2: to.y },
    ];
  });
}

function sizeOf(lines: string, fontSize: number): { readonly width: number; readonly height: number } {
  const all = lines.split("\n");
  return {
    width: Math.max(...all.map((line) => textWidth(line, fontSize))),
    height: all.length * LINE_HEIGHT * fontSize,
  };
}
