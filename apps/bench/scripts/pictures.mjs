/**
 * Draws the picture of docs/guide/choosing.md, accuracy against speed of the decoders of the first treebank, from results
 * of `compare`:
 *
 * npm run bench -- compare --model M --treebank DIR --json compare.json
 * node apps/bench/scripts/pictures.mjs compare.json docs/images/pareto.svg
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dot, line, plot, ruleY, text } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { paretoFront } from "../dist/report/plots.js";

const [file, picture] = process.argv.slice(2);
if (picture === undefined) throw new Error("expected compare.json PICTURE.svg");
const [{ treebank, decoders }] = JSON.parse(readFileSync(file, "utf8")).results;

const points = decoders
  .map(({ decoder, speed, las }) => ({ decoder, ...speed, wordsPerSecond: speed.value, las: 100 * las }))
  .toSorted((a, b) => b.las - a.las);
const names = points.map(({ decoder }, i) => `${i + 1}  ${decoder}`).join("\n");
const { document } = parseHTML("<!doctype html><html><body></body></html>");
const at = { x: "wordsPerSecond", y: "las" };
const svg = plot({
  document,
  width: 860,
  height: 480,
  marginLeft: 56,
  marginRight: 300,
  marginBottom: 44,
  style: { fontSize: "13px" },
  x: { type: "log", ticks: 6, tickFormat: "~s", grid: true, label: "words per second" },
  y: { grid: true, inset: 12, label: "LAS (%)" },
  marks: [
    line(paretoFront(points), { ...at, curve: "step-after", strokeOpacity: 0.5, strokeDasharray: "5 4" }),
    ruleY(points, { x1: "low", x2: "high", y: "las", stroke: "#4269d0", strokeOpacity: 0.5, strokeWidth: 2 }),
    dot(points, { ...at, r: 5, fill: "#4269d0" }),
    text(points, { ...at, text: (_, i) => `${i + 1}`, dx: 8, textAnchor: "start" }),
    text([names], { frameAnchor: "right", dx: 24, textAnchor: "start", lineHeight: 1.5 }),
  ],
});
svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
svg.setAttribute("role", "img");
svg.setAttribute("aria-label", `LAS against words per second of ${points.length} decoders on ${treebank}`);
const style = document.createElement("style");
style.textContent =
  "svg { color: #1c2024; background: #fff } @media (prefers-color-scheme: dark) { svg { color: #e6e9ec; background: #14181c } }";
svg.prepend(style);
writeFileSync(picture, `${svg.outerHTML}\n`);
