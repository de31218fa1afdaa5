import { axisX, axisY, cell, dot, gridX, ruleY, text } from "@observablehq/plot";
import { draw, seriesMarks } from "./plots.ts";

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

/** The axes of curves over classes. */
export interface ClassAxes {
  readonly x: string;
  readonly y: string;
  /** The values from bottom to top. */
  readonly domain: readonly [number, number];
}

/** Draws curves over classes in their order, such as bins of lengths, at equal distances. */
export function classPlot(
  classes: readonly string[],
  points: readonly ClassPoint[],
  { x, y, domain }: ClassAxes,
): string {
  return draw(
    points.map(({ series }) => series),
    {
      x: { type: "point", domain: [...classes], padding: 0.3, label: x },
      y: { label: y, ticks: 6, grid: true, domain: [...domain] },
      marks: seriesMarks(points.map(({ class: at, value, ...point }) => ({ ...point, x: at, y: value }))),
    },
  );
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
  label: string,
  domain = domainOfOne(points),
): string {
  const ranged = points.filter(({ low }) => low !== undefined);
  return draw(
    points.map(({ series }) => series),
    {
      height: 70 + 34 * classes.length,
      marginLeft: 150,
      x: { label, ...(domain === undefined ? { nice: true } : { domain: [...domain] }) },
      y: { type: "band", domain: [...classes] },
      marks: [
        gridX({ ticks: 5 }),
        axisX({ ticks: 5 }),
        ruleY(classes, { strokeOpacity: 0.1 }),
        // Long names break into lines.
        axisY({ label: null, tickSize: 0, lineWidth: 10 }),
        ruleY(ranged, {
          x1: "low",
          x2: "high",
          y: "class",
          stroke: "series",
          strokeOpacity: 0.5,
          strokeWidth: 2,
        }),
        dot(points, {
          x: "value",
          y: "class",
          stroke: "series",
          strokeWidth: 2,
          symbol: "series",
          r: 4,
          title: "title",
        }),
      ],
    },
  );
}

/** A cell of a matrix of counts. */
export interface MatrixCell {
  readonly row: string;
  readonly column: string;
  readonly count: number;
}

/** Number of rows and columns of a matrix. */
const MATRIX_SIZE = 10;

/**
 * Draws a matrix of counts, the darker the higher. Cells of equal row and column have no shade; zeros and names
 * after the tenth are left out.
 */
export function matrixPlot(
  names: readonly string[],
  cells: readonly MatrixCell[],
  axes: { readonly row: string; readonly column: string },
): string {
  const domain = names.slice(0, MATRIX_SIZE);
  const at = { x: "column", y: "row" };
  const inside = cells.filter(
    ({ row, column, count }) => count > 0 && domain.includes(row) && domain.includes(column),
  );
  return draw([], {
    height: 120 + 28 * domain.length,
    marginLeft: 110,
    marginRight: 50,
    marginTop: 100,
    marginBottom: 10,
    x: { type: "band", domain },
    y: { type: "band", domain },
    // Text on the highest count is legible, light and dark.
    opacity: { type: "sqrt", range: [0, 0.5] },
    marks: [
      axisX({ anchor: "top", label: axes.column, tickRotate: -45, tickSize: 0, labelOffset: 96 }),
      axisY({ label: axes.row, tickSize: 0, labelArrow: "down", labelAnchor: "top" }),
      cell(
        inside.filter(({ row, column }) => row !== column),
        {
          ...at,
          fill: "#4269d0",
          fillOpacity: "count",
          title: ({ row, column, count }: MatrixCell) =>
            `${axes.row} ${row}, ${axes.column} ${column}: ${count}`,
        },
      ),
      text(inside, { ...at, text: "count" }),
    ],
  });
}
