/**
 * The experiments of Collins (2002) on tagging (Brown) and chunking (CoNLL-2000): the perceptron with and
 * without averaging and maximum entropy, with feature cut-offs 0 and 5. docs/experiments.md has the results.
 * The folder of data is that of ARCWISE_DATA, or ../shared. After a build:
 *
 *     node apps/bench/scripts/collins.mjs OUT.json [training sentences] [test sentences]
 */
import { writeFileSync } from "node:fs";
import { readCorpus } from "../dist/learning/corpora.js";
import { COLLINS_TASKS, collinsMaxent, collinsPerceptron } from "../dist/learning/measure-collins.js";

const [, , OUT, TRAIN = "2000", TEST = "1000"] = process.argv;
if (OUT === undefined)
  throw new Error("expected: collins.mjs OUT.json [training sentences] [test sentences]");
const SEED = 1;
const rows = [];
function keep(more) {
  rows.push(...more);
  for (const row of more) console.log(JSON.stringify(row));
  const sizes = { train: Number(TRAIN), test: Number(TEST), seed: SEED };
  writeFileSync(OUT, `${JSON.stringify({ sizes, rows }, null, 2)}\n`);
}
for (const task of COLLINS_TASKS) {
  const all = readCorpus(task.corpus, process.env, SEED);
  const corpus = { train: all.train.slice(0, Number(TRAIN)), test: all.test.slice(0, Number(TEST)) };
  for (const cutoff of [0, 5]) {
    keep(await collinsPerceptron(task, corpus, cutoff, SEED));
    for (const method of ["gis", "cd"]) keep(collinsMaxent(task, corpus, cutoff, method));
  }
}
