/**
 * Draws the curves of docs/notes/2026-11-experiments.md from the JSON file of an experiment. After a build:
 *
 *     node apps/experiments/scripts/plot-experiment.mjs FIGURE IN.json OUT.svg
 *
 * FIGURE is maxent-value or maxent-score (of `bench maxent`), mixing-epochs, mixing-time or mixing-mistakes
 * (of `bench mixing`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { line, plot, text } from "@observablehq/plot";
import { parseHTML } from "linkedom";

/** Colours that are distinct with the common kinds of colour blindness. */
const PALETTE = ["#4269d0", "#e8803a", "#2f9e77", "#c2549d", "#8b62d6", "#9c6b4e", "#7a8590"];
const METHODS = { cd: "CD", "exact-cd": "exact CD", scgis: "SCGIS", gis: "GIS", iis: "IIS", lbfgs: "L-BFGS" };
/** Relative differences below this are drawn as this. */
const FLOOR = 1e-8;

function maxentCurves({ courses, reference }) {
  const values = courses.map(({ points }) => points.at(-1).value);
  const least = Math.min(reference?.value ?? Infinity, ...values);
  return courses.map(({ method, points }) => ({
    name: METHODS[method],
    points: points.map(({ seconds, value, score }) => ({ x: seconds, gap: (value - least) / least, score })),
  }));
}

function mixingCurves({ runs }, x, y) {
  const nameOf = ({ strategy, mixing }) =>
    strategy === "serial" ? "serial" : strategy === "sub-sampled" ? "one shard" : `${strategy}, ${mixing}`;
  return runs.map((run) => ({
    name: nameOf(run),
    points: run.points.map((point) => ({ x: x(point), y: y(point) })),
  }));
}

const FIGURES = {
  "maxent-value": {
    axes: { x: "seconds of processor time", y: "relative difference to the minimum" },
    scales: { x: "log", y: "log" },
    curves: (result) =>
      maxentCurves(result).map(({ name, points }) => ({
        name,
        points: points.map(({ x, gap }) => ({ x, y: Math.max(FLOOR, gap) })),
      })),
  },
  "maxent-score": {
    axes: { x: "seconds of processor time", y: "test score (%)" },
    scales: { x: "log", y: "linear" },
    curves: (result) =>
      maxentCurves(result).map(({ name, points }) => ({
        name,
        points: points
          .filter(({ score }) => score !== undefined)
          .map(({ x, score }) => ({ x, y: 100 * score })),
      })),
  },
  "mixing-epochs": {
    axes: { x: "epochs", y: "test score (%)" },
    scales: { x: "linear", y: "linear" },
    curves: (result) =>
      mixingCurves(
        result,
        ({ epoch }) => epoch,
        ({ test }) => test[0],
      ),
  },
  "mixing-time": {
    axes: { x: "seconds, one machine per shard (computed)", y: "test score (%)" },
    scales: { x: "log", y: "linear" },
    curves: (result) =>
      mixingCurves(
        result,
        ({ machineAShard }) => machineAShard,
        ({ test }) => test[0],
      ),
  },
  "mixing-mistakes": {
    axes: { x: "epochs", y: "training examples with a mistake (%)" },
    scales: { x: "linear", y: "linear" },
    curves: (result) =>
      mixingCurves(
        result,
        ({ epoch }) => epoch,
        ({ mistakes }) => mistakes,
      ),
  },
};

const [, , FIGURE, IN, OUT] = process.argv;
const figure = FIGURES[FIGURE];
if (figure === undefined || OUT === undefined) {
  throw new Error(`expected: plot-experiment.mjs ${Object.keys(FIGURES).join("|")} IN.json OUT.svg`);
}
const curves = figure.curves(JSON.parse(readFileSync(IN, "utf8")).results[0]);
const points = curves.flatMap(({ name, points: own }) =>
  thin(own.filter(({ x }) => x > 0)).map((point) => ({ ...point, name })),
);
const { document } = parseHTML("<!doctype html><html><body></body></html>");
const drawn = plot({
  document,
  width: 640,
  height: 380,
  marginLeft: 60,
  marginRight: 130,
  marginBottom: 44,
  style: { fontSize: "13px", background: "white", color: "#222" },
  x: { type: figure.scales.x, label: figure.axes.x, ticks: 5, tickFormat: String, grid: true },
  y: {
    type: figure.scales.y,
    label: figure.axes.y,
    ticks: 6,
    tickFormat: figure.scales.y === "log" ? "~e" : String,
    grid: true,
    nice: true,
  },
  color: { domain: curves.map(({ name }) => name), range: PALETTE },
  marks: [
    line(points, { x: "x", y: "y", z: "name", stroke: "name", strokeWidth: 2 }),
    ...labelsOf(curves).map(({ dy, ...label }) =>
      text([label], { x: "x", y: "y", text: "name", fill: "name", dx: 6, dy, textAnchor: "start" }),
    ),
  ],
});
drawn.setAttribute("xmlns", "http://www.w3.org/2000/svg");
for (const style of drawn.querySelectorAll("style")) style.remove();
writeFileSync(
  OUT,
  `${drawn.outerHTML.replace(/(?<!\d)\d+\.\d{3,}/g, (digits) => Number(digits).toFixed(2))}\n`,
);

/** Returns about 60 points of a curve, in even distances of the horizontal axis. */
function thin(own) {
  const scale = figure.scales.x === "log" ? Math.log : Number;
  const [first, last] = [scale(own[0].x), scale(own.at(-1).x)];
  const kept = [own[0]];
  for (const point of own) if (scale(point.x) - scale(kept.at(-1).x) >= (last - first) / 60) kept.push(point);
  return kept.at(-1) === own.at(-1) ? kept : [...kept, own.at(-1)];
}

/** Returns the ends of curves, to which names are written, with shifts so that names do not overlap. */
function labelsOf(all) {
  const scale = figure.scales.y === "log" ? Math.log : Number;
  const heights = points.map(({ y }) => scale(y));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const right = Math.max(...points.map(({ x }) => x));
  const labels = all.map(({ name, points: own }) => {
    const end = own.at(-1);
    return { name, x: right, y: end.y, at: (320 * (high - scale(end.y))) / (high - low || 1), dy: 0 };
  });
  labels.sort((a, b) => a.at - b.at);
  for (const [k, label] of labels.entries()) {
    const before = labels[k - 1];
    if (before !== undefined) label.dy = Math.max(0, before.at + before.dy + 14 - label.at);
  }
  return labels;
}
