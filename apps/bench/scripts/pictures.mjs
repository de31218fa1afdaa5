/**
 * Draws the pictures of the README from results of `compare`:
 *
 * npm run bench -- compare --model M --treebank DIR --json compare.json
 * node apps/bench/scripts/pictures.mjs compare.json docs/images [SENTENCE]
 *
 * `pareto.svg`: accuracy against speed of the decoders of the first treebank. `arcs.svg`: the tree of the
 * first decoder above the words of a sentence, gold arcs that it misses below; SENTENCE is the number of the
 * sentence in the data, by default the first of 7 to 9 words in which the first and the last decoder differ.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawAccuracy, LARGE } from "../dist/report/accuracy-plot.js";
import { arcDiagram } from "../dist/report/page/arc-diagram.js";
import { sentenceDiagram } from "../dist/report/page/sentence-browser.js";
import { legendOf } from "../dist/report/palette.js";
import { pictureFile } from "../dist/report/picture.js";
import { sentencesOfTrees } from "../dist/report/sentence-sets.js";

const [file, folder, number] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected compare.json FOLDER [SENTENCE]");
const [{ treebank, decoders, shown }] = JSON.parse(readFileSync(file, "utf8")).results;
const names = decoders.map(({ decoder }) => decoder);

const points = decoders.map(({ decoder, speed: { value, low, high }, las }) => ({
  label: decoder,
  wordsPerSecond: value,
  low,
  high,
  las,
  group: "decoders",
}));
const pareto = drawAccuracy(points, legendOf(["decoders"]), LARGE);

const { sentences } = sentencesOfTrees(names, shown);
const isWanted = ({ index, forms, found }) =>
  number === undefined
    ? forms.length >= 7 && forms.length <= 9 && found[0] !== found.at(-1) && found.at(-1) === 0
    : index === Number(number) - 1;
const sentence = sentences.find(isWanted);
if (sentence === undefined) throw new Error(`${file}: expected a sentence ${number ?? "with a difference"}`);

mkdirSync(folder, { recursive: true });
const speeds = `LAS against words a second of ${names.length} decoders on ${treebank}`;
writeFileSync(join(folder, "pareto.svg"), pictureFile(pareto, speeds));
const arcs = arcDiagram(sentenceDiagram(sentence, 0, "missed"));
const title = `${sentence.forms.join(" ")}: ${names[0]} above, gold arcs that it misses below`;
writeFileSync(join(folder, "arcs.svg"), pictureFile(arcs, title));
