/**
 * Compares the trees of a pipeline with and without the option `valid`, from the raw text of a treebank:
 *
 *     node apps/bench/scripts/valid-trees.mjs MODEL GOLD.conllu [RUNS]
 *
 * Prints UAS and LAS of the CoNLL 2018 shared task, the share of sentences without findings of the validator,
 * and the processor time: both are run in turns, after one run each that does not count.
 */
import { readFileSync } from "node:fs";
import { parseConllu, rawText, validate } from "@arcwise/conllu";
import { evaluateConllu } from "@arcwise/evaluate";
import { createPipeline, loadPipeline } from "@arcwise/pipeline";

const [model, file, runs = "6"] = process.argv.slice(2);
if (file === undefined) throw new Error("expected a model and a treebank");

const gold = parseConllu(readFileSync(file, "utf8"));
const { text } = rawText(gold);
const bytes = readFileSync(model);
const pipelines = [false, true].map((valid) => createPipeline(loadPipeline(bytes), { valid }));
const seconds = [[], []];
for (let run = 0; run <= Number(runs); run++) {
  for (const [p, pipeline] of pipelines.entries()) {
    const before = process.cpuUsage();
    const found = pipeline.run(text);
    const { user, system } = process.cpuUsage(before);
    if (run > 0) seconds[p].push((user + system) / 1e6);
    else report(p, found);
  }
}
for (const [p, times] of seconds.entries()) {
  const sorted = [...times].sort((a, b) => a - b);
  console.log(
    `valid: ${p === 1}: ${median(sorted).toFixed(2)} s (${times.map((s) => s.toFixed(2)).join(", ")})`,
  );
}
const ratios = seconds[1].map((time, run) => time / seconds[0][run]).sort((a, b) => a - b);
console.log(`median of the ratios of turns: ${median(ratios).toFixed(3)}`);

function report(p, sentences) {
  const { metrics } = evaluateConllu(gold, sentences, { singleRoot: false });
  const findings = sentences.map((sentence) => [...validate(sentence)].filter(({ level }) => level === 3));
  const invalid = findings.filter((found) => found.length > 0).length;
  const [uas, las] = ["UAS", "LAS"].map((name) => (100 * metrics[name].f1).toFixed(2));
  const share = (100 * (1 - invalid / sentences.length)).toFixed(1);
  console.log(
    `valid: ${p === 1}: UAS ${uas}, LAS ${las}; ${share} % of ${sentences.length} sentences valid, ` +
      `${findings.flat().length} findings`,
  );
}

function median(sorted) {
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
