/**
 * Measures the accuracy and the cost that a network adds to a model. Trains a model of one treebank without a
 * network, then with one, and prints attachment scores on the development set after each epoch, the seconds
 * of training and the bytes of the model; then the time of parsing the development set with both, the median
 * of interleaved runs.
 *
 * After a build: node apps/bench/scripts/network.mjs TRAIN.conllu DEV.conllu [units] [network epochs] [order]
 * [epochs]
 */

import { saveParser, trainParser } from "@arcwise/parser";
import { speedsOf, treebanksOf } from "./treebank.mjs";

const [, , TRAIN, DEV, UNITS = "128", NETWORK_EPOCHS = "0", ORDER = "2", EPOCHS = "5"] = process.argv;
async function train(examples, dev, network) {
  const seen = [];
  const start = performance.now();
  let before = 0;
  const model = await trainParser(examples, {
    preset: "fast",
    order: Number(ORDER),
    decoder: Number(ORDER) === 1 ? "mst" : "ad3",
    epochs: Number(EPOCHS),
    dev,
    network,
    onProgress({ step, epochDone, dev: scores }) {
      if (step === "network" && epochDone) before = performance.now() - start;
      if (step === "weights" && epochDone) seen.push(`${scores.uas.toFixed(2)}/${scores.las.toFixed(2)}`);
    },
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const kilobytes = (saveParser(model).length / 1000).toFixed(0);
  const name = network ? `${network.units} units` : "no network";
  const share = network ? `, ${(before / 1000).toFixed(1)} s until the network was learned` : "";
  console.log(`${name}: dev ${seen.join(" ")} | ${seconds} s${share}, ${kilobytes} kB`);
  return model;
}

const { examples, dev } = treebanksOf("network.mjs", ORDER, TRAIN, DEV);
const network = { units: Number(UNITS), ...(NETWORK_EPOCHS > 0 && { epochs: Number(NETWORK_EPOCHS) }) };
const models = [await train(examples, dev, undefined), await train(examples, dev, network)];
console.log(speedsOf(models, dev, "network"));
