/**
 * Times the first-order kernels and decoders on random dense scores (standard normal, single root): median
 * over batches in microseconds, with the fastest and the slowest batch, and the growth exponent since the
 * length before. After a build: node apps/bench/scripts/first-order.mjs [longest n]
 */
import { completeArcs, random } from "@arcwise/core";
import { createArborescenceSolver, eisnerDecoder, kBestTrees, mstDecoder } from "@arcwise/decode-mst";

const LENGTHS = [10, 25, 50, 100, 200, 400, 800].filter((n) => n <= Number(process.argv[2] ?? 800));
const BATCHES = 15;
const BATCH_MS = 20;

/**
 * The kernels and decoders: `prepare` returns a function that decodes the i-th of some problems and returns a
 * number.
 */
const SUBJECTS = [
  { name: "maxArborescence, dense", longest: 800, prepare: denseKernel },
  { name: "maxArborescence, sparse", longest: 800, prepare: sparseKernel },
  { name: "mstDecoder", longest: 800, prepare: (problems) => decoding(mstDecoder(), problems) },
  { name: "eisnerDecoder", longest: 200, prepare: (problems) => decoding(eisnerDecoder(), problems) },
  { name: "kBestTrees, 10 trees", longest: 100, prepare: tenBest },
];

function denseKernel(problems) {
  const solver = createArborescenceSolver();
  const { n } = problems[0].arcs;
  const heads = new Int32Array(n + 1);
  const matrices = problems.map(({ arcs, arcScores }) => {
    const matrix = new Float64Array((n + 1) ** 2).fill(-Infinity);
    for (let a = 0; a < arcScores.length; a++)
      matrix[arcs.modifier[a] * (n + 1) + arcs.head[a]] = arcScores[a];
    return matrix;
  });
  return (i) => {
    solver.dense(n, matrices[i], heads, true);
    return heads[1];
  };
}

function sparseKernel(problems) {
  const solver = createArborescenceSolver();
  const heads = new Int32Array(problems[0].arcs.n + 1);
  return (i) => {
    solver.sparse(problems[i].arcs, problems[i].arcScores, heads, true);
    return heads[1];
  };
}

function decoding(decoder, problems) {
  return (i) => decoder.decode(problems[i]).heads[1];
}

function tenBest(problems) {
  return (i) => {
    let sum = 0;
    let left = 10;
    for (const { score } of kBestTrees(problems[i])) {
      sum += score;
      if (--left === 0) break;
    }
    return sum;
  };
}

function randomProblems(n) {
  const r = random(n);
  const arcs = completeArcs(n);
  return Array.from({ length: n > 200 ? 4 : 16 }, () => ({
    arcs,
    arcScores: Float64Array.from(arcs.head, () => r.normal()),
    parts: [],
  }));
}

let sink = 0;

/** Returns microseconds per call, one entry per batch, ascending. */
function time(call, problems) {
  let calls = 0;
  const end = performance.now() + 4 * BATCH_MS;
  while (performance.now() < end || calls < problems) sink += call(calls++ % problems);
  const batch = Math.max(1, Math.round(calls / 4 / problems)) * problems;
  const times = Array.from({ length: BATCHES }, () => {
    const from = performance.now();
    for (let i = 0; i < batch; i++) sink += call(i % problems);
    return ((performance.now() - from) / batch) * 1000;
  });
  return times.sort((a, b) => a - b);
}

for (const { name, longest, prepare } of SUBJECTS) {
  console.log(name);
  let before;
  for (const n of LENGTHS.filter((length) => length <= longest)) {
    const problems = randomProblems(n);
    const times = time(prepare(problems), problems.length);
    const median = times[BATCHES >> 1];
    const range = `(${times[0].toFixed(1)} .. ${times.at(-1).toFixed(1)})`;
    const growth =
      before && `exponent ${(Math.log(median / before.median) / Math.log(n / before.n)).toFixed(2)}`;
    console.log(
      `  n ${String(n).padStart(3)} ${median.toFixed(1).padStart(9)} us  ${range}  ${growth ?? ""}`,
    );
    before = { n, median };
  }
}
if (!Number.isFinite(sink)) throw new Error("expected finite results of the timed calls");
