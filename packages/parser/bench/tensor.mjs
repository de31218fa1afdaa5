/**
 * What a low-rank tensor adds to a model, and what it costs. Trains models of one treebank without a tensor and with it,
 * for each of the seeds, and prints attachment scores on the development set after each epoch, the seconds of training
 * and the bytes of the model; then how long parsing the development set takes with both, the median of runs taken in
 * turn. After a build: node packages/parser/bench/tensor.mjs TRAIN.conllu DEV.conllu [order] [rank] [epochs] [seeds]
 */
import { createParser, saveModel, trainParser } from "@arcwise/parser";
import { examplesOf, timesOf } from "./treebank.mjs";

const [, , TRAIN, DEV, ORDER = "1", RANK = "50", EPOCHS = "5", SEEDS = "1"] = process.argv;
if (DEV === undefined) {
  throw new Error("expected two treebanks: node packages/parser/bench/tensor.mjs TRAIN.conllu DEV.conllu");
}
async function train(examples, dev, seed, rank) {
  const epochs = [];
  const start = performance.now();
  const model = await trainParser(examples, {
    order: Number(ORDER),
    epochs: Number(EPOCHS),
    seed,
    dev,
    labeller: "joint",
    ...(rank > 0 && { tensor: { rank } }),
    onProgress({ stage, epochDone, dev: scores }) {
      if (stage === "learn" && epochDone) epochs.push(`${scores.uas.toFixed(2)}/${scores.las.toFixed(2)}`);
    },
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const kilobytes = (saveModel(model).length / 1000).toFixed(0);
  console.log(`seed ${seed} rank ${rank}: dev ${epochs.join(" ")} | ${seconds} s, ${kilobytes} kB`);
  return model;
}

const examples = examplesOf(TRAIN);
const dev = examplesOf(DEV);
const sentences = dev.map(({ sentence }) => sentence);
const words = sentences.reduce((sum, { length }) => sum + length, 0);
console.log(`order ${ORDER}, ${examples.length} sentences; development ${sentences.length} (${words} words)`);
for (const seed of SEEDS.split(",").map(Number)) {
  const models = [await train(examples, dev, seed, 0), await train(examples, dev, seed, Number(RANK))];
  const [without, withTensor] = timesOf(
    models.map((model) => createParser(model)),
    sentences,
  );
  const speed = (time) => ((1000 * words) / time).toFixed(0);
  const share = (100 * (1 - without / withTensor)).toFixed(0);
  console.log(
    `seed ${seed}: ${speed(without)} words/s without, ${speed(withTensor)} with: ${share} % of the time is the tensor's`,
  );
}
