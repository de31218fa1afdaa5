/**
 * How much one iteration of each method of maximum entropy lowers the value from the same weights: those that
 * SCGIS has after some iterations. The folder of data is ARCWISE_DATA, or ../shared. After a build:
 *
 *     node apps/experiments/scripts/maxent-sweeps.mjs CORPUS OUT.json [training sentences]
 *
 * CORPUS is brown, conll2000 or ewt. docs/notes/2026-11-experiments.md has the results.
 */
import { writeFileSync } from "node:fs";
import { trainMaxent } from "@arcwise/learn/maxent";
import { chunkingContexts, taggingContexts } from "../dist/maxent/contexts.js";
import { readCorpus } from "../dist/maxent/corpora.js";
import { markovDesign } from "../dist/maxent/markov.js";

const [, , CORPUS, OUT, TRAIN = "300"] = process.argv;
if (OUT === undefined) throw new Error("expected: maxent-sweeps.mjs CORPUS OUT.json [training sentences]");
const METHODS = ["exact-cd", "cd", "scgis", "iis", "gis"];
const POINTS = [1, 2, 5, 10, 20, 50, 100];
const train = readCorpus(CORPUS, process.env, 1).train.slice(0, Number(TRAIN));
const design = markovDesign(train, CORPUS === "conll2000" ? chunkingContexts() : taggingContexts(train), 1);
const rows = [];
trainMaxent(design, {
  method: "scgis",
  iterations: Math.max(...POINTS),
  tolerance: 0,
  onIteration({ iteration, value, weights }) {
    if (!POINTS.includes(iteration)) return true;
    const decrease = {};
    for (const method of METHODS) {
      const one = trainMaxent(design, { method, iterations: 1, tolerance: 0, initial: weights });
      decrease[method] = value - one.value;
    }
    rows.push({ iteration, value, decrease });
    console.log(JSON.stringify(rows.at(-1)));
    return true;
  },
});
writeFileSync(OUT, `${JSON.stringify({ corpus: CORPUS, sentences: train.length, rows }, null, 2)}\n`);
