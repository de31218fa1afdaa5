/**
 * The experiments of Collins (2002) on tagging (Brown, UD_English-EWT) and chunking (CoNLL-2000): the
 * perceptron with and without averaging and maximum entropy, with feature cut-offs 0 and 5.
 * docs/notes/2026-11-experiments.md has the results. The folder of data is ARCWISE_DATA, or ../shared. After a
 * build:
 *
 *     node apps/experiments/scripts/collins.mjs OUT.json [OPTIONS]
 *
 * - --task TEXT: only tasks whose names contain it, as "tagging, UD_English-EWT"; repeatable
 * - --train N, --test N: only the first training and test sentences; default: all
 * - --learner NAME: perceptron (with and without averaging), or a method of maximum entropy, as gis or cd;
 *   repeatable; default: perceptron, gis and cd
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readCorpus } from "../dist/maxent/corpora.js";
import { COLLINS_TASKS, collinsMaxent, collinsPerceptron } from "../dist/maxent/measure-collins.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    task: { type: "string", multiple: true, default: [""] },
    train: { type: "string", default: "Infinity" },
    test: { type: "string", default: "Infinity" },
    learner: { type: "string", multiple: true, default: ["perceptron", "gis", "cd"] },
  },
});
const [OUT] = positionals;
if (OUT === undefined) throw new Error("expected: collins.mjs OUT.json [OPTIONS]");
const SEED = 1;
const tasks = COLLINS_TASKS.filter(({ name }) => values.task.some((text) => name.includes(text)));
if (tasks.length === 0) {
  throw new Error(`--task: expected a part of ${COLLINS_TASKS.map(({ name }) => `"${name}"`).join(" or ")}`);
}
const sizes = [];
const rows = [];
function keep(more) {
  rows.push(...more);
  for (const row of more) console.log(JSON.stringify(row));
  writeFileSync(OUT, `${JSON.stringify({ seed: SEED, sizes, rows }, null, 2)}\n`);
}
for (const task of tasks) {
  const all = readCorpus(task.corpus, process.env, SEED);
  const [train, test] = [all.train.slice(0, Number(values.train)), all.test.slice(0, Number(values.test))];
  const corpus = { ...all, train, test };
  const words = train.reduce((sum, { labels }) => sum + labels.length, 0);
  sizes.push({ task: task.name, train: train.length, words, test: test.length });
  for (const cutoff of [0, 5]) {
    for (const learner of values.learner) {
      if (learner === "perceptron") keep(await collinsPerceptron(task, corpus, cutoff, SEED));
      else keep(collinsMaxent(task, corpus, cutoff, learner));
    }
  }
}
