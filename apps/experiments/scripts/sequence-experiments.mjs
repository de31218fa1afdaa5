/**
 * Experiments on sequence labelling whose results are in docs/notes/2026-11-experiments.md. The folder of data is that of
 * ARCWISE_DATA, or ../shared. After a build:
 *
 *     node apps/experiments/scripts/sequence-experiments.mjs PART OUT.json [training sentences] [test sentences]
 *
 * Without numbers of sentences, all of a corpus are used.
 *
 * PART is one of
 * - kgrams: maximum entropy models over k-grams of labels, k = 1 to 6, by beam search: chunks, tags
 * - attributes: names in Spanish with a gazetteer of places and with attributes of one's own
 * - margin: chunks by max-margin learners: exponentiated gradient, Frank-Wolfe, Pegasos
 * - networks: chunks by feed-forward and recurrent networks, with greedy, beam and exact search
 */
import { writeFileSync } from "node:fs";
import { dataFolder } from "@arcwise/bench/data";
import { processorTime } from "@arcwise/bench/measures";
import { exponentiatedGradient, frankWolfe, hingeObjective, svm, trainOnline } from "@arcwise/learn";
import { trainMaxent } from "@arcwise/learn/maxent";
import {
  CHUNKING_TEMPLATES,
  chunkScores,
  createLabeller,
  NAMES_TEMPLATES,
  prepareChain,
  trainChain,
} from "@arcwise/sequence";
import { createNeuralLabeller, trainNeural } from "@arcwise/sequence/neural";
import { chunkingContexts, taggingContexts, withOrder } from "../dist/maxent/contexts.js";
import { readCorpus } from "../dist/maxent/corpora.js";
import { chunkF1, labelAccuracy, MarkovLabeller, markovDesign } from "../dist/maxent/markov.js";
import { chunkingData, namesData } from "../dist/sequences/data.js";
import { gazetteerMarks, placeNames } from "../dist/sequences/places.js";

const [, , PART, OUT, TRAIN = "Infinity", TEST = "Infinity"] = process.argv;
const PARTS = { kgrams, attributes, margin, networks };
if (PARTS[PART] === undefined || OUT === undefined) {
  throw new Error(`expected: sequence-experiments.mjs ${Object.keys(PARTS).join("|")} OUT.json`);
}
const folder = dataFolder(process.env);
const rows = [];

function keep(row) {
  rows.push(row);
  console.log(JSON.stringify(row));
  const sizes = { train: TRAIN, test: TEST, seed: 1 };
  writeFileSync(OUT, `${JSON.stringify({ part: PART, sizes, rows }, null, 2)}\n`);
}

function cut({ train, dev, test }) {
  return { train: train.slice(0, Number(TRAIN)), dev, test: test.slice(0, Number(TEST)) };
}

function f1Of(label, test) {
  const found = test.map(({ sentence }) => label(sentence));
  return chunkScores(
    test.map(({ labels }) => labels),
    found,
  ).f1;
}

async function kgrams() {
  for (const [name, contextsOf, score] of [
    ["conll2000", () => chunkingContexts(), chunkF1],
    ["brown", taggingContexts, labelAccuracy],
  ]) {
    const { train, test } = cut(readCorpus(name, process.env, 1));
    for (let order = 1; order <= 6; order++) {
      const contexts = withOrder(contextsOf(train), order);
      const design = markovDesign(train, contexts, 1);
      const begin = processorTime();
      const { weights } = trainMaxent(design, { method: "cd", iterations: 30, tolerance: 0 });
      const seconds = (processorTime() - begin) / 1000;
      const byBeam = {};
      for (const beam of [1, 5]) {
        const labeller = new MarkovLabeller(design, contexts, beam);
        byBeam[beam] = score(
          test,
          test.map((sentence) => labeller.label(sentence, weights)),
        );
      }
      keep({ corpus: name, order, weights: design.dimension, seconds, byBeam });
    }
  }
}

/** Adds attributes of one's own to words, as annotation that templates name. */
function annotated(sentences, annotate) {
  return sentences.map(({ sentence, labels }) => {
    const more = annotate(sentence.map(({ form }) => form));
    return { sentence: sentence.map((word, i) => ({ ...word, ...more[i] })), labels };
  });
}

async function attributes() {
  const { train, dev, test } = namesData(folder);
  const data = cut({ train, dev, test });
  const marks = gazetteerMarks(placeNames());
  const counts = new Map();
  for (const { sentence } of data.train) {
    for (const { form } of sentence) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  // Whether a word in lower case is usual: a capitalised word that is not begins a name more often.
  const usual = (form) => (counts.get(form.toLowerCase()) ?? 0) >= 3;
  const places = (forms) => marks(forms).map((mark) => ({ feats: mark }));
  const usage = (forms) => forms.map((form, i) => ({ lemma: `${usual(form)} ${i === 0}` }));
  const both = (forms) => {
    const [a, b] = [places(forms), usage(forms)];
    return a.map((one, i) => ({ ...one, ...b[i] }));
  };
  const gazetteer = ["feats", "feats-1", "feats+1", "feats shape", "feats label-1"];
  const own = ["lemma", "lemma shape", "lemma-1 lemma"];
  for (const [name, annotate, more] of [
    ["built-in attributes", (forms) => forms.map(() => ({})), []],
    ["and a gazetteer of places", places, gazetteer],
    ["and an attribute of usual words", usage, own],
    ["and both", both, [...gazetteer, ...own]],
  ]) {
    const [own1, test1] = [annotated(data.train, annotate), annotated(data.test, annotate)];
    const f1 = [];
    for (const seed of [1, 2, 3]) {
      const model = await trainChain(own1, {
        templates: [...NAMES_TEMPLATES, ...more],
        bio: true,
        epochs: 5,
        seed,
      });
      f1.push(f1Of(createLabeller(model).label, test1));
    }
    keep({ attributes: name, names: placeNames().length, f1 });
  }
}

async function margin() {
  const { train, test } = cut(chunkingData(folder));
  const { task, model } = prepareChain(train, { templates: CHUNKING_TEMPLATES, bio: true });
  const l2 = 1e-3;
  const objective = hingeObjective(task, { l2 });
  const gradient = new Float64Array(task.dimension);
  const score = (weights) => f1Of(createLabeller(model(weights)).label, test);
  let begin = processorTime();
  let seconds = 0;
  const report = (learner) => (state) => {
    seconds += (processorTime() - begin) / 1000;
    const { epoch, primal, dual, weights } = state;
    keep({ learner, epoch, seconds, primal, dual, f1: score(weights) });
    begin = processorTime();
  };
  const restart = () => {
    begin = processorTime();
    seconds = 0;
  };
  const eg = { l2, loss: "hinge", tolerance: 1e-4, epochs: 60, checkEvery: 6 };
  await exponentiatedGradient(task, { ...eg, onCheck: report("exponentiated gradient") });
  restart();
  await frankWolfe(task, { l2, tolerance: 1e-4, epochs: 60, checkEvery: 6, onCheck: report("Frank-Wolfe") });
  restart();
  const learner = svm(task.dimension, { l2 });
  await trainOnline(task, learner, {
    epochs: 60,
    seed: 1,
    onEpoch: ({ epoch }) => {
      if (epoch % 6 > 0) return;
      seconds += (processorTime() - begin) / 1000;
      const weights = learner.result();
      const primal = objective.evaluate(Float64Array.from(weights), gradient);
      keep({ learner: "Pegasos", epoch, seconds, primal, f1: score(weights) });
      begin = processorTime();
    },
  });
}

async function networks() {
  const { train, test } = cut(chunkingData(folder));
  const templates = ["xpos-2", "xpos-1", "xpos", "xpos+1", "xpos+2", "word-1", "word", "word+1"];
  for (const kind of ["feed-forward", "recurrent"]) {
    for (const seed of [1, 2, 3]) {
      const begin = processorTime();
      const model = await trainNeural(train, { kind, templates, epochs: 5, seed });
      const seconds = (processorTime() - begin) / 1000;
      for (const beam of kind === "recurrent" ? [1, 2, 4, 8, 16] : [1, 2, 4, 8, undefined]) {
        const labeller = createNeuralLabeller({ ...model, shape: { ...model.shape, beam } });
        const from = processorTime();
        const f1 = f1Of(labeller.label, test);
        keep({
          kind,
          seed,
          beam: beam ?? "exact",
          f1,
          training: seconds,
          labelling: (processorTime() - from) / 1000,
        });
      }
    }
  }
}

await PARTS[PART]();
