/**
 * Hill climbing against the exact optimum, by the number of climbs and the length of sentences: a parser with
 * the usual loss is trained, and its scores of the development split are decoded by climbs and by AD3 with
 * branch and bound. docs/notes/2026-11-experiments.md has the results. After a build:
 *
 *     node apps/experiments/scripts/hillclimb-optimality.mjs TREEBANK OUT.json [epochs] [order] [train] [dev]
 *
 * `train`, `dev`: so many sentences of each split.
 */
import { writeFileSync } from "node:fs";
import { readSplit } from "@arcwise/bench/data";
import { CONDITION_LOSSES, prepareCondition, trainCondition } from "../dist/climbing/measure-condition.js";
import { climbSentence, optimalShares } from "../dist/climbing/measure-optimality.js";

const [, , TREEBANK, OUT, EPOCHS = "5", ORDER = "2", TRAIN = "Infinity", DEV = "Infinity"] = process.argv;
if (OUT === undefined)
  throw new Error("expected: hillclimb-optimality.mjs TREEBANK OUT.json [epochs] [order]");
const CLIMBS = [1, 2, 5, 10, 20, 50];
const LENGTHS = [
  [1, 10],
  [11, 20],
  [21, 30],
  [31, 40],
  [41, Infinity],
  [1, Infinity],
];
const options = { order: Number(ORDER), epochs: Number(EPOCHS), seed: 1, aggressiveness: 0.1 };
const train = readSplit(TREEBANK, "train").slice(0, Number(TRAIN));
const dev = readSplit(TREEBANK, "dev").slice(0, Number(DEV));
const data = await prepareCondition(train, dev, options);
const { weights } = await trainCondition(data, CONDITION_LOSSES[0], options);
const sentences = [];
data.decoder.run = (problem) => {
  sentences.push(climbSentence(problem, Math.max(...CLIMBS), 1));
  return Int32Array.from({ length: problem.arcs.n + 1 }, (_, m) => m - 1);
};
data.prepared.evaluate(weights);
const shares = optimalShares(sentences, LENGTHS, CLIMBS);
const proved = sentences.filter((sentence) => sentence.proved).length;
for (const { from, to, sentences: count, optimal } of shares) {
  console.log(
    `${from} to ${to} words, ${count} sentences: ${optimal.map((share) => share.toFixed(1)).join(" ")}`,
  );
}
console.log(`proved: ${proved} of ${sentences.length}`);
const sizes = { train: train.length, dev: dev.length };
writeFileSync(
  OUT,
  `${JSON.stringify({ treebank: TREEBANK, sizes, options, climbs: CLIMBS, shares, proved }, null, 2)}\n`,
);
