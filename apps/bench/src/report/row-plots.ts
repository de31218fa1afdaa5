import { textWidth } from "@arcwise/draw";
import { axisX, axisY, cell, dot, gridX, gridY, ruleY, text } from "@observablehq/plot";
import { draw, type Frame, seriesMarks } from "./frame.ts";
import type { SeriesStyle } from "./palette.ts";
import type { Drawing } from "./report.ts";

/** A value of a series in a class: of words, arcs or decoders. */
export interface ClassPoint {
  readonly series: string;
  readonly class: string;
  readonly value: number;
  /** The interval of the value. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Text that is shown when the pointer is on it. */
  readonly title: string;
}

/** Characters of a line of a name on phones. */
const WRAPPED = 15;
/** Height of a row with one line, and of every further line. */
const ROW = 24;
const LINE = 14;

/** Breaks a text into lines between words. */
export function wrapText(name: string, characters = WRAPPED): string {
  const lines: string[] = [];
  for (const word of name.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= characters) {
      lines[lines.length - 1] += ` ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines.join("\n");
}

/** The axes of curves over classes. */
export interface ClassAxes {
  readonly x: string;
  readonly y: string;
  /** The values from bottom to top; by default as the points need. */
  readonly domain?: readonly [number, number] | undefined;
}

/** Returns the domain of a scale; without one, the scale fits its values between round numbers. */
function domainOf(domain: readonly [number, number] | undefined) {
  return domain === undefined ? { nice: true } : { domain: [...domain] };
}

/** Draws curves over classes in their order, such as bins of lengths, at equal distances. */
export function classPlot(
  classes: readonly string[],
  points: readonly ClassPoint[],
  legend: readonly SeriesStyle[],
  axes: ClassAxes,
): Drawing {
  return draw(({ isNarrow }) => ({
    x: { type: "point", domain: [...classes], padding: 0.3 },
    y: { label: axes.y, ticks: 6, ...domainOf(axes.domain) },
    ...(isNarrow && { marginBottom: 62 }),
    marks: [
      gridY({ ticks: 6 }),
      axisX({ label: axes.x, ...(isNarrow && { tickRotate: -45 }) }),
      ...seriesMarks(
        points.map(({ class: x, value: y, ...point }) => ({ ...point, x, y })),
        legend,
        { apart: isNarrow ? 2 : 3.5 },
      ),
    ],
  }));
}

/** Returns a domain that ends at the value that all points have; undefined: they differ. */
function domainOfOne(points: readonly ClassPoint[]): readonly [number, number] | undefined {
  const values = points.flatMap(({ value, low = value, high = value }) => [low, value, high]);
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? [first - 1, first] : undefined;
}

/** Draws a row for each class with the values of all series as symbols, from left to right. */
export function rowPlot(
  classes: readonly string[],
  points: readonly ClassPoint[],
  legend: readonly SeriesStyle[],
  label: string,
  domain?: readonly [number, number],
): Drawing {
  return draw((frame) => {
    const { names, ...sizes } = rowsOf(classes, frame);
    return {
      ...sizes,
      x: { label, ticks: frame.isNarrow ? 4 : 7, ...domainOf(domain ?? domainOfOne(points)) },
      y: { type: "band", domain: [...classes], label: null },
      marks: [
        gridX({ ticks: frame.isNarrow ? 4 : 7 }),
        ruleY(classes, { stroke: "var(--rule)" }),
        axisY({ label: null, tickSize: 0, tickFormat: (name: string) => names.get(name)! }),
        ...legend.flatMap(({ label: series, color, symbol }, k) => {
          const own = points.filter((point) => point.series === series);
          const dy = legend.length > 2 ? 2.5 * (k - (legend.length - 1) / 2) : 0;
          const ranged = own.filter(({ low }) => low !== undefined);
          const range = { x1: "low", x2: "high", y: "class", dy, stroke: color, strokeOpacity: 0.5 };
          return [
            ruleY(ranged, { ...range, strokeWidth: 2 }),
            dot(own, {
              x: "value",
              y: "class",
              dy,
              fill: color,
              stroke: color,
              symbol,
              r: 4,
              title: "title",
            }),
          ];
        }),
      ],
    };
  });
}

/** Returns names in lines, and the sizes of a plot of which they are the rows. */
function rowsOf(classes: readonly string[], { isNarrow, fontSize, marginTop, marginBottom }: Frame) {
  const names = new Map(classes.map((name) => [name, isNarrow ? wrapText(name) : name]));
  const lines = [...names.values()].flatMap((name) => name.split("\n"));
  const most = Math.max(1, ...[...names.values()].map((name) => name.split("\n").length));
  const row = ROW + LINE * (most - 1);
  return {
    names,
    height: marginTop + marginBottom + row * classes.length,
    marginLeft: Math.ceil(12 + Math.max(20, ...lines.map((line) => textWidth(line, fontSize)))),
  };
}

/** A cell of a matrix of counts. */
export interface MatrixCell {
  readonly row: string;
  readonly column: string;
  readonly count: number;
}

/** Opacity of the highest count: text on it is still legible, light and dark. */
const STRONGEST = 0.5;

/**
 * Draws a matrix of counts, the darker the higher. Cells of equal row and column have no shade; zeros are
 * left out. `most` limits rows and columns on screens and on phones.
 */
export function matrixPlot(
  names: readonly string[],
  cells: readonly MatrixCell[],
  axes: { readonly row: string; readonly column: string },
  most: { readonly wide: number; readonly narrow: number } = { wide: 12, narrow: 7 },
): Drawing {
  return draw((frame) => {
    const shown = names.slice(0, frame.isNarrow ? most.narrow : most.wide);
    const width = Math.max(20, ...shown.map((name) => textWidth(name, frame.fontSize)));
    const inside = cells.filter(
      ({ row, column, count }) => count > 0 && shown.includes(row) && shown.includes(column),
    );
    const errors = inside.filter(({ row, column }) => row !== column);
    const highest = Math.max(1, ...errors.map(({ count }) => count));
    const marginTop = 34 + Math.ceil(width * Math.SQRT1_2);
    return {
      marginLeft: Math.ceil(width) + 30,
      // The name of the last column leans over the edge.
      marginRight: Math.ceil(width * Math.SQRT1_2) - 8,
      marginTop,
      marginBottom: 10,
      height: marginTop + 10 + 28 * shown.length,
      x: { type: "band", domain: shown, padding: 0.06 },
      y: { type: "band", domain: shown, padding: 0.06 },
      marks: [
        axisX({
          anchor: "top",
          label: axes.column,
          tickRotate: -45,
          tickSize: 0,
          labelOffset: marginTop - 4,
        }),
        axisY({ label: axes.row, tickSize: 0, labelArrow: "down", labelAnchor: "top" }),
        cell(errors, {
          x: "column",
          y: "row",
          fill: "var(--series-1)",
          fillOpacity: ({ count }: MatrixCell) => STRONGEST * Math.sqrt(count / highest),
          title: ({ row, column, count }: MatrixCell) =>
            `${axes.row} ${row}, ${axes.column} ${column}: ${count}`,
        }),
        text(inside, {
          x: "column",
          y: "row",
          text: ({ count }: MatrixCell) => `${count}`,
          fill: ({ row, column }: MatrixCell) => (row === column ? "var(--soft)" : "var(--ink)"),
        }),
      ],
    };
  });
}
