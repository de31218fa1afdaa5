import { expect, test } from "vitest";
import { DRAWING_COLOURS } from "../src/index.ts";

/** Returns the relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test.each(["light", "dark"] as const)(
  "texts have a contrast of 4.5 with the page, lines of 3, %s",
  (scheme) => {
    const paper = luminance(DRAWING_COLOURS.paper[scheme]);
    for (const [name, colour] of Object.entries(DRAWING_COLOURS).filter(([key]) => key !== "paper")) {
      const [low, high] = [paper, luminance(colour[scheme])].sort((a, b) => a - b);
      const isLine = name === "arc" || name === "right";
      expect((high! + 0.05) / (low! + 0.05)).toBeGreaterThan(isLine ? 3 : 4.5);
    }
  },
);
