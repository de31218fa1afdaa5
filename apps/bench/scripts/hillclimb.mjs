/**
 * Times hill climbing on random scores (standard normal, single root, a random projective tree and 3 more
 * heads a word; the arcs of the tree score 2 more): median over batches in microseconds a word, with the
 * fastest and the slowest batch, and the share of sentences that score at least as much as the best
 * projective tree. After a build: node apps/bench/scripts/hillclimb.mjs [longest n]
 */
import { filterArcs, PART_KINDS, partLayout, random } from "@arcwise/core";
import { hillclimbDecoder } from "@arcwise/decode-hillclimb";
import { mstDecoder, projectiveDecoder } from "@arcwise/decode-mst";

const LONGEST = Number(process.argv[2] ?? 50);
const BATCHES = 7;
const BATCH_MS = 60;
const PROBLEMS = 40;
const THIRD_ORDER = ["grandparent", "nextSibling", "lastSibling", "grandSibling", "triSibling"];

const SUBJECTS = [
  { name: "maximum arborescence", kinds: [], decoder: mstDecoder() },
  {
    name: "arcs alone, 100 climbs from random starts",
    kinds: [],
    decoder: hillclimbDecoder({ start: "scores" }),
  },
  { name: "third order, exact and projective", kinds: THIRD_ORDER, decoder: projectiveDecoder() },
  ...[1, 10, 100].map((restarts) => ({
    name: `third order, ${restarts} climbs`,
    kinds: THIRD_ORDER,
    decoder: hillclimbDecoder({ restarts }),
  })),
  ...[1, 10].map((restarts) => ({
    name: `all kinds, ${restarts} climbs`,
    kinds: PART_KINDS,
    decoder: hillclimbDecoder({ restarts }),
  })),
];

function randomProblem(r, n) {
  // Neighbouring subtrees are joined until one is left.
  const heads = new Array(n + 1).fill(-1);
  const tops = Array.from({ length: n }, (_, i) => i + 1);
  while (tops.length > 1) {
    const at = r.int(tops.length - 1);
    const [head, modifier] = r.int(2) === 0 ? [at, at + 1] : [at + 1, at];
    heads[tops[modifier]] = tops[head];
    tops.splice(modifier, 1);
  }
  heads[tops[0]] = 0;
  const others = heads.map(() => new Set([r.int(n + 1), r.int(n + 1), r.int(n + 1)]));
  const arcs = filterArcs(n, (h, m) => heads[m] === h || others[m].has(h));
  const arcScores = Float64Array.from(
    arcs.head,
    (h, a) => r.normal() + (heads[arcs.modifier[a]] === h ? 2 : 0),
  );
  const parts = PART_KINDS.map((kind) => {
    const table = partLayout(kind, arcs);
    return { ...table, scores: table.scores.map(() => 0.5 * r.normal()) };
  });
  return { arcs, arcScores, parts };
}

const withKinds = (problem, kinds) => ({
  ...problem,
  parts: problem.parts.filter(({ kind }) => kinds.includes(kind)),
});

let sink = 0;

/** Returns microseconds per word, one entry per batch, ascending. */
function time(decoder, problems, words) {
  const pass = () => {
    for (const problem of problems) sink += decoder.decode(problem).score;
  };
  const from = performance.now();
  let passes = 0;
  while (performance.now() - from < 3 * BATCH_MS) {
    pass();
    passes++;
  }
  const count = Math.max(1, Math.round(passes / 3));
  const times = Array.from({ length: BATCHES }, () => {
    const start = performance.now();
    for (let i = 0; i < count; i++) pass();
    return ((performance.now() - start) * 1000) / (count * words);
  });
  return times.sort((a, b) => a - b);
}

for (const n of [12, 25, 50].filter((length) => length <= LONGEST)) {
  const r = random(n);
  const problems = Array.from({ length: PROBLEMS }, () => randomProblem(r, n));
  console.log(`${n} words`);
  for (const { name, kinds, decoder } of SUBJECTS) {
    const own = problems.map((problem) => withKinds(problem, kinds));
    const times = time(decoder, own, n * PROBLEMS);
    const exact = kinds.length === 0 ? mstDecoder() : kinds === THIRD_ORDER ? projectiveDecoder() : undefined;
    const reaches = (problem) => decoder.decode(problem).score >= exact.decode(problem).score - 1e-9;
    const share = exact && (100 * own.filter(reaches).length) / PROBLEMS;
    const range = `(${times[0].toFixed(2)} .. ${times.at(-1).toFixed(2)})`;
    const reached = share === undefined ? "" : `  reached ${share.toFixed(0)} %`;
    console.log(
      `  ${name.padEnd(42)} ${times[BATCHES >> 1].toFixed(2).padStart(8)} us a word  ${range}${reached}`,
    );
  }
}
if (!Number.isFinite(sink)) throw new Error("expected finite results of the timed calls");
