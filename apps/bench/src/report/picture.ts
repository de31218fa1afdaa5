import { markup, rawMarkup, styleElement } from "@arcwise/draw";
import { colourProperties } from "./palette.ts";

/** Space around a plot, in pixels. */
const MARGIN = 10;
/** Columns of the names below a plot, and the height of their rows. */
const KEY = { columns: 2, row: 20 };

/**
 * Returns a plot of a report as an SVG file that stands alone: with a title for screen readers, a
 * background, and colours for light and dark.
 *
 * @param key names of numbered points, in columns below the plot
 */
export function pictureFile(svg: string, title: string, key: readonly string[] = []): string {
  const [, x = "0", y = "0", width = "0", height = "0"] =
    /viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"/.exec(svg) ?? [];
  const rows = Math.ceil(key.length / KEY.columns);
  const [wide, high] = [Number(width) + 2 * MARGIN, Number(height) + 2 * MARGIN + KEY.row * rows];
  const style =
    `svg { ${colourProperties("light")} color: var(--ink); font-family: system-ui, sans-serif; }` +
    `@media (prefers-color-scheme: dark) { svg { ${colourProperties("dark")} } }`;
  const content = svg.slice(svg.indexOf(">") + 1, svg.lastIndexOf("</svg>"));
  const inherited = [...svg.slice(0, svg.indexOf(">")).matchAll(/ (?:class|font-size|text-anchor)="[^"]*"/g)];
  const names = key.map((name, i) => {
    const left = Number(x) + (Math.floor(i / rows) * Number(width)) / KEY.columns;
    const top = Number(y) + Number(height) + KEY.row * ((i % rows) + 0.6);
    return markup`<text x="${left}" y="${top}" text-anchor="start">${i + 1}  ${name}</text>\n`;
  });
  const [cornerX, cornerY] = [Number(x) - MARGIN, Number(y) - MARGIN];
  return String(
    markup`<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="${cornerX} ${cornerY} ${wide} ${high}" role="img" fill="currentColor"${rawMarkup(inherited.join(""))}>
<title>${title}</title>
${styleElement(style)}
<rect x="${cornerX}" y="${cornerY}" width="${wide}" height="${high}" fill="var(--paper)"/>
${rawMarkup(content)}
${names}</svg>
`,
  );
}
