/**
 * Measures a tokeniser on raw text: trains it on a treebank, and prints F1 of tokens, sentences, words and
 * multiword tokens (with their words) as in the CoNLL 2018 shared task, then seconds of training, bytes of
 * the model, and the speed of `tokenize` in processor time: the median of several runs.
 *
 * The development set chooses epochs and the cost of a sentence; EVAL is the file that is measured,
 * which is read as raw text, by default the development set. After a build:
 *
 *     node apps/bench/scripts/tokenizer.mjs TRAIN.conllu DEV.conllu [EVAL.conllu] [seed] [MODEL]
 *
 * MODEL is a file: the model is written to it, or read from it if it exists.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseConllu, rawText } from "@arcwise/conllu";
import { evaluateConllu } from "@arcwise/evaluate";
import {
  createTokenizer,
  loadTokenizer,
  saveTokenizer,
  tokenizedSentence,
  trainTokenizer,
} from "@arcwise/tokenize";

const [, , TRAIN, DEV, EVAL = DEV, SEED = "1", MODEL = ""] = process.argv;
if (DEV === undefined) {
  throw new Error("expected: tokenizer.mjs TRAIN.conllu DEV.conllu [EVAL.conllu] [seed] [MODEL]");
}
const RUNS = 9;

const read = (path) => parseConllu(readFileSync(path, "utf8"));

/** Returns a sentence whose words form a chain, since `evaluateConllu` compares trees. */
const chain = (sentence) => {
  const rows = sentence.rows.map((row) =>
    row.kind === "word"
      ? { ...row, head: row.id - 1, deprel: row.id === 1 ? "root" : "dep", deps: "_" }
      : row,
  );
  return { ...sentence, rows: rows.filter(({ kind }) => kind !== "empty") };
};

/** Returns the multiword tokens of sentences as texts: offset in characters without spaces, and words. */
const multiwords = (sentences) => {
  const found = [];
  let offset = 0;
  for (const { rows } of sentences) {
    let covered = 0;
    for (const row of rows) {
      if (row.kind === "empty" || (row.kind === "word" && row.id <= covered)) continue;
      if (row.kind === "range") {
        covered = row.last;
        const words = rows.filter(({ kind, id }) => kind === "word" && id >= row.first && id <= row.last);
        found.push(`${offset} ${row.form} ${words.map(({ form }) => form.toLowerCase()).join("+")}`);
      }
      offset += row.form.replaceAll(/\s/g, "").length;
    }
  }
  return found;
};

const f1 = (gold, system) => {
  const known = new Set(gold);
  return (2 * system.filter((one) => known.has(one)).length) / (gold.length + system.length);
};

async function modelOf() {
  if (existsSync(MODEL)) return loadTokenizer(readFileSync(MODEL));
  const start = process.cpuUsage();
  const model = await trainTokenizer(read(TRAIN), { dev: read(DEV), seed: Number(SEED) });
  const { user, system } = process.cpuUsage(start);
  console.log(`trained in ${((user + system) / 1e6).toFixed(0)} s of processor time`);
  return model;
}

const model = await modelOf();
const bytes = saveTokenizer(model);
if (MODEL !== "") writeFileSync(MODEL, bytes);
const tokenizer = createTokenizer(loadTokenizer(bytes));
const gold = read(EVAL);
const { text } = rawText(gold);
const sentences = tokenizer.tokenize(text);
const found = sentences.map((sentence, s) => tokenizedSentence(sentence, s + 1));
const { metrics } = evaluateConllu(gold.map(chain), found.map(chain));
const percent = (share) => (100 * share).toFixed(2);
const scores = ["Tokens", "Sentences", "Words"].map((name) => `${name} ${percent(metrics[name].f1)}`);
const [known, cut] = [multiwords(gold), multiwords(found)];
const multiword = known.length + cut.length > 0 ? `, multiword tokens ${percent(f1(known, cut))}` : "";
console.log(`${scores.join(", ")}${multiword}`);

const times = Array.from({ length: RUNS + 1 }, () => {
  const start = process.cpuUsage();
  tokenizer.tokenize(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
});
const sorted = times.slice(1).toSorted((a, b) => a - b);
const perSecond = (count, time) => Math.round((1000 * count) / time).toLocaleString("en");
const words = metrics.Words.system;
const range = `${perSecond(words, sorted.at(-1))} to ${perSecond(words, sorted[0])}`;
const median = sorted[RUNS >> 1];
const characters = perSecond(text.length, median);
console.log(
  `${bytes.length} bytes; ${perSecond(words, median)} words/s (${range}), ${characters} characters/s`,
);
