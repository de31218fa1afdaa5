/** Helpers of benchmarks of whole models: treebanks, and interleaved timing of parsers. */
import { readFileSync } from "node:fs";
import { createParser } from "@arcwise/parser";

const RUNS = 7;

/** Returns the sentences of a CoNLL-U file with their trees. */
function examplesOf(path) {
  const blocks = readFileSync(path, "utf8").split("\n\n");
  return blocks
    .map((block) => block.split("\n").filter((line) => /^\d+\t/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const rows = lines.map((line) => line.split("\t").map((column) => (column === "_" ? "" : column)));
      return {
        sentence: rows.map(([, form, lemma, upos, xpos, feats]) => ({ form, lemma, upos, xpos, feats })),
        tree: {
          heads: Int32Array.from([-1, ...rows.map((row) => Number(row[6]))]),
          labels: ["", ...rows.map((row) => row[7])],
        },
      };
    });
}

/** Returns milliseconds to parse all sentences with each parser: medians of interleaved runs. */
function timesOf(parsers, sentences) {
  const times = parsers.map(() => []);
  for (let run = 0; run <= RUNS; run++) {
    for (const [index, parser] of parsers.entries()) {
      const start = performance.now();
      for (const sentence of sentences) parser.parse(sentence);
      if (run > 0) times[index].push(performance.now() - start);
    }
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[RUNS >> 1]);
}

/** Reads the treebanks of a benchmark and prints their sizes. */
export function treebanksOf(script, order, train, dev) {
  if (dev === undefined) {
    throw new Error(`expected two treebanks: node apps/bench/scripts/${script} TRAIN.conllu DEV.conllu`);
  }
  const [examples, held] = [examplesOf(train), examplesOf(dev)];
  const words = held.reduce((sum, { sentence }) => sum + sentence.length, 0);
  console.log(`order ${order}, ${examples.length} sentences; development ${held.length} (${words} words)`);
  return { examples, dev: held };
}

/** Returns a text with the parsing speed of two models, without and with a component. */
export function speedsOf(models, dev, what) {
  const sentences = dev.map(({ sentence }) => sentence);
  const words = sentences.reduce((sum, { length }) => sum + length, 0);
  const times = timesOf(
    models.map((model) => createParser(model)),
    sentences,
  );
  const [without, withIt] = times.map((time) => ((1000 * words) / time).toFixed(0));
  const share = (100 * (times[1] / times[0] - 1)).toFixed(0);
  return `${without} words/s without, ${withIt} with the ${what}: ${share} % more time`;
}
