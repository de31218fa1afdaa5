/**
 * Measures the cost of features of whole trees in hill climbing. Trains a third-order model with them on half
 * of a treebank (at most 400 sentences, two epochs), and takes sentences of the other half of about 10, 20
 * and 40 words. Prints for each length, as medians over batches, microseconds to score all candidate heads of
 * one word incrementally and by scoring each tree in full, and of a move; then microseconds of decoding a
 * sentence without and with the scores of whole trees, as medians of interleaved runs, and the number of
 * candidates scored. After a build: node apps/bench/scripts/global-scorer.mjs FILE.conllu [restarts]
 */
import { readFileSync } from "node:fs";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { createParser, trainParser } from "@arcwise/parser";

const [, , FILE, RESTARTS = "10"] = process.argv;
if (FILE === undefined)
  throw new Error("expected a treebank: node apps/bench/scripts/global-scorer.mjs FILE.conllu");
const BATCHES = 9;
const LENGTHS = [
  [9, 11],
  [18, 22],
  [36, 44],
];

function readTreebank(file) {
  const rows = (block) =>
    block
      .split("\n")
      .filter((line) => /^\d+\t/.test(line))
      .map((line) => line.split("\t").map((column) => (column === "_" ? "" : column)));
  return readFileSync(file, "utf8")
    .split("\n\n")
    .map(rows)
    .filter((lines) => lines.length > 0)
    .map((lines) => ({
      sentence: lines.map(([, form, lemma, upos, xpos, feats]) => ({ form, lemma, upos, xpos, feats })),
      tree: {
        heads: Int32Array.from([-1, ...lines.map((line) => Number(line[6]))]),
        labels: ["", ...lines.map((line) => line[7])],
      },
    }));
}

/** Returns the candidate heads of each word that are not its descendants in a tree. */
function visitsOf({ start, head, n }, heads) {
  return Array.from({ length: n }, (_, i) => i + 1).map((m) => ({
    m,
    candidates: Int32Array.from(head.slice(start[m], start[m + 1])).filter((h) => {
      let x = h;
      while (x > 0 && x !== m) x = heads[x];
      return x !== m;
    }),
  }));
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

/**
 * Returns processor time of all threads, which other programs on the machine affect less than wall-clock
 * time.
 */
function microseconds(times, run) {
  const start = process.cpuUsage();
  for (let k = 0; k < times; k++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / times;
}

let sink = 0;
const out = new Float64Array(256);

/**
 * Returns microseconds of visits to all words of a sentence, incremental and by full scores, and of a move of
 * each word.
 */
function visitTimes({ visits, heads, problem: { global } }) {
  const climb = global.incremental();
  climb.reset(heads);
  const steps = microseconds(20, () => {
    for (const { m, candidates } of visits) {
      climb.deltas(m, candidates, candidates.length, out);
      sink += out[0];
    }
  });
  const moves = microseconds(10, () => {
    for (const { m, candidates } of visits) {
      climb.move(m, candidates[0]);
      climb.move(m, heads[m]);
    }
  });
  const tree = heads.slice();
  const full = microseconds(2, () => {
    for (const { m, candidates } of visits) {
      for (const h of candidates) {
        tree[m] = h;
        sink += global.score(tree);
      }
      tree[m] = heads[m];
    }
  });
  return { steps, full, moves: moves / 2 };
}

function report(subjects, restarts) {
  const words = subjects.reduce((sum, { heads }) => sum + heads.length - 1, 0);
  const looked = subjects.reduce(
    (sum, { visits }) => sum + visits.reduce((count, { candidates }) => count + candidates.length, 0),
    0,
  );
  const decoder = hillclimbDecoder({ restarts });
  const times = { steps: [], full: [], moves: [], plain: [], global: [], ratio: [] };
  for (let batch = 0; batch < BATCHES; batch++) {
    const sums = { steps: 0, full: 0, moves: 0, plain: 0, global: 0 };
    for (const subject of subjects) {
      for (const [name, time] of Object.entries(visitTimes(subject))) sums[name] += time / words;
      const { global: _, ...plain } = subject.problem;
      for (const [name, problem] of [
        ["plain", plain],
        ["global", subject.problem],
      ]) {
        sums[name] +=
          microseconds(1, () => {
            sink += decoder.decode(problem).score;
          }) / subjects.length;
      }
    }
    for (const [name, sum] of Object.entries(sums)) times[name].push(sum);
    times.ratio.push(sums.global / sums.plain);
  }
  const shown = (name, digits) => median(times[name]).toFixed(digits);
  console.log(
    `${subjects.length} sentences of ${(words / subjects.length).toFixed(0)} words, ` +
      `${(looked / words).toFixed(1)} candidates a word: a visit ${shown("steps", 2)} µs by steps, ` +
      `${shown("full", 1)} µs by full scores; a move ${shown("moves", 2)} µs`,
  );
  console.log(
    `  ${restarts} climbs: ${shown("plain", 0)} µs a sentence, ${shown("global", 0)} µs with whole trees: ` +
      `${shown("ratio", 2)} times`,
  );
}

const treebank = readTreebank(FILE);
const half = treebank.filter((_, i) => i % 2 === 0).slice(0, 400);
const model = await trainParser(half, {
  preset: "fast",
  decoder: "hillclimb",
  order: 3,
  global: true,
  epochs: 2,
  labels: { labeller: "joint" },
});
const parser = createParser(model);
for (const [shortest, longest] of LENGTHS) {
  const chosen = treebank.filter(
    ({ sentence }, i) => i % 2 === 1 && sentence.length >= shortest && sentence.length <= longest,
  );
  const subjects = chosen.slice(0, 20).map(({ sentence }) => {
    const problem = parser.read([sentence])[0].problem();
    const { heads } = parser.parse(sentence);
    return { problem, heads, visits: visitsOf(problem.arcs, heads) };
  });
  // Warm up.
  for (const subject of subjects) visitTimes(subject);
  if (subjects.length > 0) report(subjects, Number(RESTARTS));
}
if (Number.isNaN(sink)) throw new Error("expected scores, got NaN");
