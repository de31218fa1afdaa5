import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { arcwise } from "./command.mjs";
import { byGenre, writeSentences } from "./treebank.mjs";

/** The metrics of the tables, by the names of the CoNLL 2018 shared task. */
export const METRICS = [
  "Tokens",
  "Sentences",
  "Words",
  "UPOS",
  "XPOS",
  "UFeats",
  "Lemmas",
  "UAS",
  "LAS",
  "MLAS",
];

/**
 * Evaluates a model on the raw text of a test split, whole and by genre. Returns a row of figures for each, and the
 * speed: words of the whole text per second of processor time on one thread, without the time of loading.
 */
export function evaluateModel(model, test, genres, work) {
  const genresOf = byGenre(test, genres);
  const loading = secondsOf(model, writeText(join(work, "word.txt"), "_\n"), work);
  let wordsPerSecond;
  const figures = [...genresOf].map(([genre, sentences]) => {
    const gold = writeSentences(join(work, "gold.conllu"), sentences);
    const text = writeText(join(work, "gold.txt"), arcwise(["text", gold]).stdout);
    const seconds = secondsOf(model, text, work);
    const words = sentences.reduce((sum, one) => sum + (one.match(/^\d+\t/gm)?.length ?? 0), 0);
    wordsPerSecond ??= Number((words / (seconds - loading)).toPrecision(2));
    const { metrics } = JSON.parse(arcwise(["evaluate", gold, join(work, "found.conllu"), "--json"]).stdout);
    const scores = METRICS.map((metric) => [metric, Number((100 * metrics[metric].f1).toFixed(2))]);
    const row = { genre, words, ...Object.fromEntries(scores) };
    console.log(`${genre}: words ${row.Words}, sentences ${row.Sentences}, UPOS ${row.UPOS}, LAS ${row.LAS}`);
    return row;
  });
  return { wordsPerSecond, figures };
}

/** Parses a text into `found.conllu`. Returns the processor time in seconds. */
function secondsOf(model, text, work) {
  return arcwise(["parse", model, text, "-o", join(work, "found.conllu"), "--threads", "1"]).seconds;
}

function writeText(file, text) {
  writeFileSync(file, text);
  return file;
}

/** Returns the processor and the version of Node that figures of speed are measured on. */
export function processorName() {
  const text = /^model name\s*:\s*(.*)$/m.exec(cpuInfo())?.[1] ?? process.arch;
  return `${text}, Node ${process.versions.node}`;
}

function cpuInfo() {
  try {
    return readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return "";
  }
}
