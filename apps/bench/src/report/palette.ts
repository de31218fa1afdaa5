import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTimes,
  symbolTriangle,
} from "d3-shape";
import type { LegendItem } from "./report.ts";

/** A colour on a light and on a dark background. */
export interface SchemeColour {
  readonly light: string;
  readonly dark: string;
}

/**
 * Colours of series, from Okabe and Ito (2008), Color Universal Design. They are distinct with the common
 * kinds of colour blindness. Shades that have less than 3 : 1 of contrast with their background are
 * darkened or lightened; a test computes contrasts and distances.
 */
export const SERIES: readonly SchemeColour[] = [
  { light: "#0068b3", dark: "#2bb1ea" },
  { light: "#d56b00", dark: "#d55e00" },
  { light: "#00a06c", dark: "#0f9665" },
  { light: "#c47abd", dark: "#d97aab" },
  { light: "#865909", dark: "#f6d40c" },
  { light: "#1c2024", dark: "#e6e9ec" },
];

/** Colours of the page by name. Those of diagrams are in @arcwise/draw. */
export const COLOURS = {
  paper: { light: "#ffffff", dark: "#14181c" },
  ink: { light: "#1c2024", dark: "#e6e9ec" },
  soft: { light: "#56606a", dark: "#a3adb8" },
  rule: { light: "#d9dee3", dark: "#333b43" },
  band: { light: "#f5f7f9", dark: "#1c2227" },
  control: { light: "#747e88", dark: "#828d98" },
  link: { light: "#00609a", dark: "#6fb8f0" },
} as const satisfies Readonly<Record<string, SchemeColour>>;

/** Returns the declarations of all colours as custom properties, `--ink` and `--series-1` among them. */
export function colourProperties(scheme: keyof SchemeColour): string {
  const named = Object.entries(COLOURS).map(([name, colour]) => `--${name}: ${colour[scheme]};`);
  const series = SERIES.map((colour, i) => `--series-${i + 1}: ${colour[scheme]};`);
  return [...named, ...series].join(" ");
}

/** A triangle that stands on a corner. */
const triangleDown: SymbolType = {
  draw(context, size) {
    const y = Math.sqrt(size / (3 * Math.sqrt(3)));
    const x = Math.sqrt(3) * y;
    context.moveTo(0, 2 * y);
    context.lineTo(x, -y);
    context.lineTo(-x, -y);
    context.closePath();
  },
};
/** A circle with a hole. */
const ring: SymbolType = {
  draw(context, size) {
    const radius = Math.sqrt(size / Math.PI);
    context.moveTo(radius, 0);
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.moveTo(radius / 2, 0);
    context.arc(0, 0, radius / 2, 0, 2 * Math.PI, true);
  },
};
/** A square with a hole. */
const frame: SymbolType = {
  draw(context, size) {
    const half = Math.sqrt(size) / 2;
    context.rect(-half, -half, 2 * half, 2 * half);
    context.moveTo(-half / 2, -half / 2);
    for (const [x, y] of [
      [-1, 1],
      [1, 1],
      [1, -1],
    ] as const)
      context.lineTo((x * half) / 2, (y * half) / 2);
    context.closePath();
  },
};

/** The upper half of a circle. */
const halfCircle: SymbolType = {
  draw(context, size) {
    const radius = Math.sqrt((2 * size) / Math.PI);
    context.moveTo(radius, radius / 2);
    context.arc(0, radius / 2, radius, 0, Math.PI, true);
    context.closePath();
  },
};

/** Symbols of series beside colours: no two look alike, and their number has no factor in common with the colours. */
export const SYMBOLS: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  triangleDown,
  symbolStar,
  symbolTimes,
  ring,
  frame,
  symbolCross,
  halfCircle,
];
/** Dashes of the lines of series after those that have a colour of their own. */
const DASHES = ["none", "6 3", "2 3", "8 3 2 3"];

/** How a series is drawn: a colour, a symbol, and dashes of lines. */
export interface SeriesStyle extends LegendItem {
  readonly symbol: SymbolType;
  readonly dash: string;
}

/**
 * Returns the style of each name by its index. No two of the first 66 names share both colour and symbol;
 * dashes change each time that the colours begin again.
 */
export function legendOf(names: readonly string[]): SeriesStyle[] {
  return names.map((label, i) => {
    const shape = SYMBOLS[i % SYMBOLS.length]!;
    return {
      label,
      color: `var(--series-${1 + (i % SERIES.length)})`,
      dash: DASHES[Math.floor(i / SERIES.length) % DASHES.length]!,
      symbol: shape,
      mark: symbol(shape, 50)() ?? "",
    };
  });
}

/** Returns the legend of plots without lines. */
export function withoutLines(legend: readonly SeriesStyle[]): LegendItem[] {
  return legend.map(({ label, color, mark }) => ({ label, color, mark }));
}
