import { escapeXml } from "@arcwise/draw";
import { colourProperties } from "./palette.ts";

/** Space around a plot, in pixels. */
const MARGIN = 10;

/**
 * Returns a plot of a report as an SVG file that stands alone: with a title for screen readers, a
 * background, and colours for light and dark.
 */
export function pictureFile(svg: string, title: string): string {
  const [, x = "0", y = "0", width = "0", height = "0"] =
    /viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"/.exec(svg) ?? [];
  const [wide, high] = [Number(width) + 2 * MARGIN, Number(height) + 2 * MARGIN];
  const corner = `x="${Number(x) - MARGIN}" y="${Number(y) - MARGIN}"`;
  const style =
    `svg { ${colourProperties("light")} color: var(--ink); font-family: system-ui, sans-serif; }` +
    `@media (prefers-color-scheme: dark) { svg { ${colourProperties("dark")} } }`;
  const content = svg.slice(svg.indexOf(">") + 1, svg.lastIndexOf("</svg>"));
  const inherited = [...svg.slice(0, svg.indexOf(">")).matchAll(/ (?:class|font-size|text-anchor)="[^"]*"/g)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" ` +
    `viewBox="${Number(x) - MARGIN} ${Number(y) - MARGIN} ${wide} ${high}" role="img" ` +
    `fill="currentColor"${inherited.join("")}>\n<title>${escapeXml(title)}</title>\n` +
    `<style>${style}</style>\n<rect ${corner} width="${wide}" height="${high}" fill="var(--paper)"/>\n` +
    `${content}\n</svg>\n`
  );
}
