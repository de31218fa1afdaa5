import { expect, test } from "vitest";
import { accuracyPlot } from "../src/report/accuracy-plot.ts";
import { COLOURS, legendOf } from "../src/report/palette.ts";
import { pictureFile } from "../src/report/picture.ts";
import { nestingFaults, outsideReferences } from "./support.ts";

const legend = legendOf(["decoders"]);
const point = { label: "Eisner", wordsPerSecond: 1e5, las: 0.8, group: "decoders" };

test("a plot as a file has its own colours, a background and a title", () => {
  const { svg } = accuracyPlot([point], legend);
  const file = pictureFile(svg, 'a < b & "c"');
  expect(nestingFaults(file)).toEqual([]);
  expect(outsideReferences(file)).toEqual([]);
  expect(file).toContain("<title>a &lt; b &amp; &quot;c&quot;</title>");
  for (const { light, dark } of [COLOURS.ink, COLOURS.paper]) {
    expect(file).toContain(light);
    expect(file).toContain(dark);
  }
  const [, x, y, width, height] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(file)!;
  expect(file).toContain(`<rect x="${x}" y="${y}" width="${width}" height="${height}"`);
  expect(Number(width)).toBeGreaterThan(100);
  const named = [...file.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!);
  for (const name of new Set(named)) expect(file).toMatch(new RegExp(`${name}: `));
});
