/**
 * Measures the accuracy and the cost that a low-rank tensor adds to a model. Trains models of one treebank
 * without a tensor and with it, for each of the seeds, and prints attachment scores on the development set
 * after each epoch, the seconds of training and the bytes of the model; then the time of parsing the
 * development set with both, the median of interleaved runs. After a build: node
 * apps/bench/scripts/tensor.mjs TRAIN.conllu DEV.conllu [order] [rank] [epochs] [seeds]
 */
import { saveParser, trainParser } from "@arcwise/parser";
import { speedsOf, treebanksOf } from "./treebank.mjs";

const [, , TRAIN, DEV, ORDER = "1", RANK = "50", EPOCHS = "5", SEEDS = "1"] = process.argv;

async function train(examples, dev, seed, rank) {
  const epochs = [];
  const start = performance.now();
  const model = await trainParser(examples, {
    order: Number(ORDER),
    epochs: Number(EPOCHS),
    seed,
    dev,
    labels: { labeller: "joint" },
    tensor: rank > 0 ? { rank } : undefined,
    onProgress({ stage, epochDone, dev: scores }) {
      if (stage === "learn" && epochDone) epochs.push(`${scores.uas.toFixed(2)}/${scores.las.toFixed(2)}`);
    },
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const kilobytes = (saveParser(model).length / 1000).toFixed(0);
  console.log(`seed ${seed} rank ${rank}: dev ${epochs.join(" ")} | ${seconds} s, ${kilobytes} kB`);
  return model;
}

const { examples, dev } = treebanksOf("tensor.mjs", ORDER, TRAIN, DEV);
for (const seed of SEEDS.split(",").map(Number)) {
  const models = [await train(examples, dev, seed, 0), await train(examples, dev, seed, Number(RANK))];
  console.log(`seed ${seed}: ${speedsOf(models, dev, "tensor")}`);
}
