/**
 * Draws the plot of the README from results of `compare`:
 *
 * npm run bench -- compare --model M --treebank DIR --json compare.json
 * node apps/bench/scripts/pictures.mjs compare.json docs/images
 *
 * `pareto.svg`: accuracy against speed of the decoders of the first treebank.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawAccuracy, LARGE, numberedPoints } from "../dist/report/accuracy-plot.js";
import { legendOf } from "../dist/report/palette.js";
import { pictureFile } from "../dist/report/picture.js";

const [file, folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected compare.json FOLDER");
const [{ treebank, decoders }] = JSON.parse(readFileSync(file, "utf8")).results;
const names = decoders.map(({ decoder }) => decoder);

const points = decoders.map(({ decoder, speed: { value, low, high }, las }) => ({
  label: decoder,
  wordsPerSecond: value,
  low,
  high,
  las,
  group: "decoders",
}));
const { numbered, key } = numberedPoints(points);
const pareto = drawAccuracy(numbered, legendOf(["decoders"]), { ...LARGE, width: 860 });

mkdirSync(folder, { recursive: true });
const speeds = `LAS against words a second of ${names.length} decoders on ${treebank}`;
writeFileSync(join(folder, "pareto.svg"), pictureFile(pareto, speeds, key));
