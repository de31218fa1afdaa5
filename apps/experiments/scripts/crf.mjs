/**
 * Measures the training of conditional random fields: chunks of CoNLL-2000 with the unary features of Sha and
 * Pereira (2003), and bigrams of labels. docs/notes/2026-11-other-programs.md compares the figures with those of a native
 * program. After a build:
 *
 *     node apps/experiments/scripts/crf.mjs export TRAIN.txt TEST.txt DIR
 *     node apps/experiments/scripts/crf.mjs time TRAIN.txt TEST.txt METHOD PAIRS [epochs] [c2] [sentences]
 *
 * METHOD is sgd, adagrad or lbfgs; PAIRS is all or observed.
 *
 * `export` writes the same features, by number, in the plain format of CRFsuite: DIR/train.txt and
 * DIR/test.txt. `time` prints for each epoch or iteration its seconds of processor time and words a second,
 * then the objective (the sum of log-losses and c2 · |w|²), F1 on the test file, and peak memory.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crf, lbfgs, logLossObjective, trainOnline } from "@arcwise/learn";
import { CHUNKING_TEMPLATES, chunkScores, createLabeller, prepareChain } from "@arcwise/sequence";
import { readersOf } from "../../../packages/sequence/dist/chain/chain-model.js";

const [, , COMMAND, TRAIN, TEST, ...REST] = process.argv;
if (!["export", "time"].includes(COMMAND) || TEST === undefined) {
  throw new Error("expected: crf.mjs export TRAIN TEST DIR, or crf.mjs time TRAIN TEST [method] ...");
}
/** CRFsuite has features of one label, and label bigrams without features of the words. */
const templates = CHUNKING_TEMPLATES.filter(
  (template) => template === "label-1" || !template.includes("label-1"),
);

/** Reads the sentences of a file with a word, its tag and its label on each line. */
function sentencesOf(path) {
  const blocks = readFileSync(path, "utf8")
    .trim()
    .split(/\n\s*\n/);
  return blocks.map((block) => {
    const rows = block.split("\n").map((line) => line.trim().split(/\s+/));
    return { sentence: rows.map(([form, xpos]) => ({ form, xpos })), labels: rows.map((row) => row[2]) };
  });
}

/** Formats a sentence: a label and the numbers of its features on each line. */
function linesOf({ n, features: [{ start, slots }] }, labels, labelCount) {
  let text = "";
  for (let i = 0; i < n; i++) {
    const attributes = Array.from(slots.subarray(start[i], start[i + 1]), (slot) => slot / labelCount);
    // Skip the weights of the label before the beginning, which CRFsuite does not have.
    text += `${[labels[i], ...attributes, ...(i === 0 ? ["begin"] : [])].join("\t")}\n`;
  }
  return `${text}\n`;
}

function exportTo(folder, train, test) {
  const training = prepareChain(train, { templates });
  const model = training.model(new Float32Array(training.task.dimension));
  const [{ encoder, scorer }] = readersOf([model]);
  const { length } = model.configuration.labels;
  mkdirSync(folder, { recursive: true });
  const write = (name, sentences, prepare) => {
    const blocks = sentences.map((one, k) => linesOf(prepare(one, k), one.labels, length));
    writeFileSync(join(folder, name), blocks.join(""));
  };
  write("train.txt", train, (_one, k) => training.examples[k].prepared);
  write("test.txt", test, ({ sentence }) => scorer.prepare(encoder.encode(sentence)));
}

/** Returns the processor time of this process in seconds. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function time(
  train,
  test,
  [method = "sgd", pairs = "all", epochs = "5", c2 = "1", sentences = "Infinity"],
) {
  const examples = train.slice(0, Number(sentences));
  const words = examples.reduce((sum, { labels }) => sum + labels.length, 0);
  let last = processorTime();
  const lap = (name) => {
    const seconds = processorTime() - last;
    console.log(`${name}: ${seconds.toFixed(2)} s, ${Math.round(words / seconds)} words/s`);
    last = processorTime();
  };
  const training = prepareChain(examples, { templates, pairs });
  const { task } = training;
  lap(`${examples.length} sentences, ${words} words, ${task.dimension} weights`);
  const l2 = (2 * Number(c2)) / examples.length;
  const objective = logLossObjective(task, { l2 });
  let weights;
  if (method === "lbfgs") {
    const tell = ({ iteration, value, evaluations }) =>
      lap(`${iteration}, ${evaluations} evaluations, value ${(value * examples.length).toFixed(2)}`);
    const options = { history: 6, iterations: Number(epochs), onIteration: (state) => tell(state) !== false };
    weights = lbfgs(objective, options).weights;
  } else {
    const learner = crf(task.dimension, { optimizer: method, rate: 0.1, l2, averaged: false });
    await trainOnline(task, learner, {
      epochs: Number(epochs),
      seed: 1,
      onEpoch: ({ epoch }) => lap(`${epoch}`),
    });
    weights = learner.result();
  }
  const peak = process.resourceUsage().maxRSS / 1024;
  const value = objective.evaluate(Float64Array.from(weights), new Float64Array(task.dimension));
  const labeller = createLabeller(training.model(weights));
  const found = test.map(({ sentence }) => labeller.label(sentence));
  const { f1 } = chunkScores(
    test.map(({ labels }) => labels),
    found,
  );
  console.log(
    `objective ${(value * examples.length).toFixed(1)}, F1 ${(100 * f1).toFixed(2)}, ` +
      `peak ${peak.toFixed(0)} MB`,
  );
}

if (COMMAND === "export") exportTo(REST[0], sentencesOf(TRAIN), sentencesOf(TEST));
else await time(sentencesOf(TRAIN), sentencesOf(TEST), REST);
