/**
 * Measures models of the first order on the first sentences of a treebank: with the lean templates of arcs or
 * all of them, with labels that are found arc by arc or together once heads are known, and with more epochs.
 * Prints UAS and LAS on a development set, with gold tags and full labels, means of the seeds. After a build:
 *
 *     node apps/bench/scripts/small-treebanks.mjs TRAIN.conllu DEV.conllu [SIZES] [SEEDS]
 *
 * SIZES are numbers of sentences, by default 100,200,500,1000,2000; SEEDS are 1,2 by default.
 */
import { ARC_TEMPLATES, LEAN_ARC_TEMPLATES } from "@arcwise/core/features";
import { createParser, trainParser } from "@arcwise/parser";
import { treebanksOf } from "./treebank.mjs";

const [train, dev, sizes = "100,200,500,1000,2000", seeds = "1,2"] = process.argv.slice(2);
const { examples, dev: held } = treebanksOf("small-treebanks.mjs", 1, train, dev);
const numbersOf = (list) => list.split(",").map(Number);

const lean = { arc: LEAN_ARC_TEMPLATES };
const full = { arc: ARC_TEMPLATES };
const VARIANTS = {
  "lean, joint": { templates: lean, labels: { labeller: "joint" } },
  "full, joint": { templates: full, labels: { labeller: "joint" } },
  "lean, sequence": { templates: lean, labels: { labeller: "sequence" } },
  "full, sequence": { templates: full, labels: { labeller: "sequence" } },
  "full, sequence, 20 epochs": { templates: full, labels: { labeller: "sequence" }, epochs: 20 },
};

/** Returns UAS and LAS of a model in percent. */
function scoresOf(model) {
  const parser = createParser(model);
  const right = { heads: 0, labels: 0, words: 0 };
  for (const { sentence, tree } of held) {
    const { heads, labels } = parser.parse(sentence);
    for (let m = 1; m <= sentence.length; m++) {
      right.words++;
      if (heads[m] !== tree.heads[m]) continue;
      right.heads++;
      if (labels[m] === tree.labels[m]) right.labels++;
    }
  }
  return [right.heads, right.labels].map((count) => (100 * count) / right.words);
}

for (const size of numbersOf(sizes).filter((own) => own <= examples.length)) {
  for (const [name, options] of Object.entries(VARIANTS)) {
    const scores = [];
    for (const seed of numbersOf(seeds)) {
      scores.push(scoresOf(await trainParser(examples.slice(0, size), { preset: "fast", ...options, seed })));
    }
    const mean = (k) => (scores.reduce((sum, own) => sum + own[k], 0) / scores.length).toFixed(2);
    console.log(`${size} sentences, ${name}: UAS ${mean(0)}, LAS ${mean(1)}`);
  }
}
