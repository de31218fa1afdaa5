/**
 * Learns condition (2) of hill climbing, that a tree with one head more right scores at least 1 more, beside
 * the usual loss (1): docs/notes/2026-11-experiments.md has the results. After a build:
 *
 *     node apps/experiments/scripts/hillclimb-condition.mjs TREEBANK OUT.json [epochs] [order] [seeds] [sentences]
 *
 * Prints for each kind of loss and each seed: shares of the pairs that fulfil the condition, how many climbs
 * find the best tree, and accuracy of one climb and of many; writes the same to OUT.json. `sentences`: so
 * many of the training split.
 */
import { writeFileSync } from "node:fs";
import { readSplit } from "@arcwise/bench/data";
import {
  CONDITION_LOSSES,
  measureCondition,
  prepareCondition,
  trainCondition,
} from "../dist/climbing/measure-condition.js";

const [, , TREEBANK, OUT, EPOCHS = "5", ORDER = "2", SEEDS = "3", SENTENCES = "Infinity"] = process.argv;
if (OUT === undefined)
  throw new Error("expected: hillclimb-condition.mjs TREEBANK OUT.json [epochs] [order]");
const [all, dev] = ["train", "dev"].map((split) => readSplit(TREEBANK, split));
const train = all.slice(0, Number(SENTENCES));
const results = [];
for (let seed = 1; seed <= Number(SEEDS); seed++) {
  const options = { order: Number(ORDER), epochs: Number(EPOCHS), seed, aggressiveness: 0.1 };
  const data = await prepareCondition(train, dev, options);
  for (const losses of CONDITION_LOSSES) {
    const { weights, seconds } = await trainCondition(data, losses, options, (epoch) =>
      console.error(`seed ${seed}, ${losses.name}: epoch ${epoch}`),
    );
    const result = { losses: losses.name, seed, seconds, ...measureCondition(data, weights, seed) };
    results.push(result);
    console.log(JSON.stringify(result));
    writeFileSync(
      OUT,
      `${JSON.stringify({ treebank: TREEBANK, sentences: train.length, options, results }, null, 2)}\n`,
    );
  }
}
