import { DRAWING_COLOURS } from "@arcwise/draw";
import type { SymbolType } from "d3-shape";
import { describe, expect, test } from "vitest";
import { COLOURS, SERIES, SYMBOLS } from "../src/report/palette.ts";

type Triple = readonly [number, number, number];

/** Colour vision in linear RGB: Machado, Oliveira and Fernandes 2009, severity 1. */
const VISIONS: Readonly<Record<string, readonly Triple[]>> = {
  "no deficiency": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = ([a, b, c]: Triple, [x, y, z]: Triple): number => a * x + b * y + c * z;
const apply = (matrix: readonly Triple[], v: Triple) => matrix.map((row) => dot(row, v)) as unknown as Triple;

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

function contrast(a: string, b: string): number {
  const [x, y] = [a, b].map((hex) => dot([0.2126, 0.7152, 0.0722], linear(hex)));
  return (Math.max(x!, y!) + 0.05) / (Math.min(x!, y!) + 0.05);
}

/** Returns the coordinates of a colour in Oklab (Ottosson 2020). */
function oklab(rgb: Triple): Triple {
  const inside = rgb.map((value) => Math.min(1, Math.max(0, value))) as unknown as Triple;
  const cones = apply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    inside,
  ).map(Math.cbrt) as unknown as Triple;
  return apply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

/** Returns the least distance of two colours. */
function least(colours: readonly string[], vision: readonly Triple[]): number {
  const seen = colours.map((hex) => oklab(apply(vision, linear(hex))));
  const distances = seen.flatMap((a, i) =>
    seen.slice(i + 1).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])),
  );
  return Math.min(...distances);
}

/** Returns what a symbol draws, without its size: the kinds of its lines and the directions of their ends. */
function shapeOf(type: SymbolType): string {
  const calls: string[] = [];
  const towards = (x: number, y: number) => Math.round((Math.atan2(y, x) / Math.PI) * 180);
  const context = {
    moveTo: (x: number, y: number) => calls.push("line", `corner ${towards(x, y)}`),
    lineTo: (x: number, y: number) => calls.push(`corner ${towards(x, y)}`),
    closePath: () => {},
    arc: (_x: number, _y: number, _r: number, from: number, to: number) => calls.push(`arc ${from} ${to}`),
    rect: () => calls.push("line", "corner -135", "corner -45", "corner 45", "corner 135"),
  };
  type.draw(context as unknown as Parameters<SymbolType["draw"]>[0], 50);
  return calls.toSorted().join(", ");
}

test("no two symbols have the same corners, in whatever size", () => {
  expect(new Set(SYMBOLS.map(shapeOf)).size).toBe(SYMBOLS.length);
});

describe.each(["light", "dark"] as const)("%s", (scheme) => {
  const { paper, band, ink, soft, link, control } = COLOURS;
  const drawing = DRAWING_COLOURS;

  test("text has a contrast of 4.5, lines and controls of 3", () => {
    for (const colour of [ink, soft, link]) {
      expect(contrast(colour[scheme], paper[scheme])).toBeGreaterThan(4.5);
    }
    for (const colour of [ink, soft, link]) {
      expect(contrast(colour[scheme], band[scheme])).toBeGreaterThan(4.5);
    }
    for (const colour of [control, ...SERIES]) {
      expect(contrast(colour[scheme], paper[scheme])).toBeGreaterThan(3);
    }
  });

  test("texts of diagrams have a contrast of 4.5, arcs of 3", () => {
    for (const name of ["ink", "soft", "label", "relabelled", "wrong", "missed"] as const) {
      expect(contrast(drawing[name][scheme], drawing.paper[scheme])).toBeGreaterThan(4.5);
    }
    for (const colour of [drawing.arc, drawing.right]) {
      expect(contrast(colour[scheme], drawing.paper[scheme])).toBeGreaterThan(3);
    }
  });

  test.each(Object.keys(VISIONS))("colours are distinct with %s", (vision) => {
    const kinds = [drawing.right, drawing.relabelled, drawing.wrong, drawing.missed];
    for (const colours of [SERIES, kinds]) {
      const shades = colours.map((colour) => colour[scheme]);
      expect(least(shades, VISIONS[vision]!)).toBeGreaterThan(0.1);
    }
  });
});
