/**
 * Times projective decoders with parts on random scores (standard normal, single root): median over batches
 * in microseconds a sentence, with the fastest and the slowest batch. Candidates are sparse (a random
 * projective tree and 4 more heads a word) or complete. After a build: node apps/bench/scripts/projective.mjs
 * [longest n]
 */
import { completeArcs, filterArcs, partLayout, random } from "@arcwise/core";
import {
  createPartSums,
  kBestProjectiveTrees,
  projectiveGrandSiblingDecoder,
  projectiveSiblingDecoder,
  projectiveTriSiblingDecoder,
} from "@arcwise/decode-mst";

const LONGEST = Number(process.argv[2] ?? 80);
const BATCHES = 11;
const BATCH_MS = 20;

const SIBLINGS = ["nextSibling", "lastSibling"];
const GRAND = [...SIBLINGS, "grandparent", "grandSibling"];
const ALL = [...GRAND, "triSibling"];
const SUBJECTS = [
  { name: "siblings", kinds: SIBLINGS, prepare: () => decoding(projectiveSiblingDecoder()) },
  { name: "grand-siblings", kinds: GRAND, prepare: () => decoding(projectiveGrandSiblingDecoder()) },
  {
    name: "tri-siblings",
    kinds: [...SIBLINGS, "triSibling"],
    prepare: () => decoding(projectiveTriSiblingDecoder()),
  },
  { name: "grand- and tri-siblings", kinds: ALL, prepare: () => decoding(projectiveTriSiblingDecoder()) },
  { name: "the ten best, all parts", kinds: ALL, prepare: () => tenBest },
  { name: "marginals, all parts", kinds: ALL, prepare: marginals },
];

function decoding(decoder) {
  return (problem) => decoder.decode(problem).score;
}

function marginals() {
  const sums = createPartSums();
  return (problem) => sums.marginals(problem).logPartition;
}

function tenBest(problem) {
  let sum = 0;
  let left = 10;
  for (const { score } of kBestProjectiveTrees(problem)) {
    sum += score;
    if (--left === 0) break;
  }
  return sum;
}

function sparseArcs(r, n) {
  const tops = Array.from({ length: n }, (_, i) => i + 1);
  const keep = Array.from({ length: n + 1 }, () => new Set());
  while (tops.length > 1) {
    const at = r.int(tops.length - 1);
    const [head, modifier] = r.int(2) === 0 ? [at, at + 1] : [at + 1, at];
    keep[tops[modifier]].add(tops[head]);
    tops.splice(modifier, 1);
  }
  keep[tops[0]].add(0);
  for (let m = 1; m <= n; m++) {
    while (keep[m].size < 5) {
      const h = r.int(n + 1);
      if (h !== m) keep[m].add(h);
    }
  }
  return filterArcs(n, (h, m) => keep[m].has(h));
}

function randomProblem(r, arcs, kinds) {
  const parts = kinds.map((kind) => {
    const table = partLayout(kind, arcs);
    return { ...table, scores: table.scores.map(() => r.normal()) };
  });
  return { arcs, arcScores: Float64Array.from(arcs.head, () => r.normal()), parts };
}

let sink = 0;

/** Returns microseconds per call, one entry per batch, ascending. */
function time(call, problems) {
  let calls = 0;
  const end = performance.now() + 6 * BATCH_MS;
  while (performance.now() < end || calls < problems.length)
    sink += call(problems[calls++ % problems.length]);
  const batch = Math.max(1, Math.round(calls / 6 / problems.length)) * problems.length;
  const times = Array.from({ length: BATCHES }, () => {
    const from = performance.now();
    for (let i = 0; i < batch; i++) sink += call(problems[i % problems.length]);
    return ((performance.now() - from) / batch) * 1000;
  });
  return times.sort((a, b) => a - b);
}

for (const isSparse of [true, false]) {
  for (const { name, kinds, prepare } of SUBJECTS) {
    console.log(`${name}, ${isSparse ? "5 candidates a word" : "all arcs"}`);
    // One instance for all lengths, as in a parser; the slow ones stop at 40 words on all arcs.
    const call = prepare();
    for (const n of [10, 20, 40, 80].filter((length) => length <= (isSparse ? LONGEST : LONGEST / 2))) {
      const r = random(n);
      const problems = Array.from({ length: isSparse ? 16 : 1 }, () =>
        randomProblem(r, isSparse ? sparseArcs(r, n) : completeArcs(n), kinds),
      );
      const times = time(call, problems);
      const range = `(${times[0].toFixed(1)} .. ${times.at(-1).toFixed(1)})`;
      console.log(`  n ${n}  ${times[BATCHES >> 1].toFixed(1).padStart(9)} us  ${range}`);
    }
  }
}
if (!Number.isFinite(sink)) throw new Error("expected finite results of the timed calls");
