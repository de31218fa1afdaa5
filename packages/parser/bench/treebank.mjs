/** What benchmarks of whole models share: treebanks, and times of parsers taken in turn. */
import { readFileSync } from "node:fs";

const RUNS = 7;

/** Sentences of a CoNLL-U file with their trees. */
export function examplesOf(path) {
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

/** Milliseconds to parse all sentences with each parser: medians of runs in turn. */
export function timesOf(parsers, sentences) {
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
