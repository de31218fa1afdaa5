/**
 * Solves factor graphs whose answers are known and prints, family by family, statuses, iterations and processor time
 * beside those that were recorded: the best of several runs of the solver alone, after it has been compiled. With
 * --each, a line for each instance too.
 *
 * After a build: node packages/decode-ad3/bench/instances.mjs [--each] [FOLDER]
 * FOLDER holds the instances; without it, reference/ad3-instances below ARCWISE_DATA or `../shared`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAd3 } from "@arcwise/decode-ad3";
import { readInstance } from "./read-instance.mjs";

const RUNS = 7;
/** Short ones are run until this much time has gone by. */
const MIN_MS = 150;

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const each = process.argv.includes("--each");
const folder =
  process.argv.slice(2).find((argument) => argument !== "--each") ?? join(data, "reference/ad3-instances");

const familyOf = (id) => id.match(/^(dep-[a-z]+|[a-z]+)/)[0];
const spent = () => process.cpuUsage().user / 1000;
const best = (times) => times.reduce((least, time) => Math.min(least, time), Infinity);

/**
 * Times of single runs. Short ones are timed by the clock, in batches; long ones, which others on the machine interrupt,
 * by the time that the processor spent.
 */
function times(graph) {
  let batch = 1;
  const found = [];
  for (const end = spent() + MIN_MS; found.length < RUNS || spent() < end; ) {
    const solvers = Array.from({ length: batch }, () => createAd3(graph));
    const from = performance.now();
    const spentFrom = spent();
    for (const solver of solvers) solver.solve();
    const clock = performance.now() - from;
    const took = clock > 5 ? Math.min(clock, spent() - spentFrom) : clock;
    if (took < 0.5 && batch < 1000) batch *= 2;
    else found.push(took / batch);
  }
  return found;
}

const families = new Map();
for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const instance = JSON.parse(readFileSync(join(folder, name), "utf8"));
  if (instance.reference === undefined) continue;
  const { reference, exact } = instance;
  const graph = readInstance(instance);
  const found = createAd3(graph).solve();
  const ms = best(times(graph));
  const solved = found.status !== "unsolved";
  const family = familyOf(name);
  const row = families.get(family) ?? {
    instances: 0,
    unsolved: 0,
    theirUnsolved: 0,
    iterations: 0,
    theirIterations: 0,
    ms: 0,
    theirMs: 0,
    valueError: 0,
    boundBelow: -Infinity,
  };
  families.set(family, row);
  row.instances++;
  row.unsolved += solved ? 0 : 1;
  row.theirUnsolved += reference.status === "UNSOLVED" ? 1 : 0;
  row.iterations += found.iterations;
  row.theirIterations += reference.iterations + 1;
  row.ms += ms;
  row.theirMs += reference.ms;
  if (exact !== undefined) {
    if (solved) row.valueError = Math.max(row.valueError, Math.abs(found.value - exact.lpValue));
    row.boundBelow = Math.max(row.boundBelow, exact.lpValue - found.bound);
  }
  if (each) {
    console.log(
      name.slice(0, -5).padEnd(22),
      found.status.padEnd(11),
      reference.status.padEnd(19),
      `${found.iterations} / ${reference.iterations + 1}`.padEnd(12),
      `${ms.toFixed(4)} / ${reference.ms} ms`.padEnd(22),
      `x${(ms / reference.ms).toFixed(2)}`,
    );
  }
}

const shown = [...families].map(([family, row]) => [
  family,
  row.instances,
  `${row.unsolved} / ${row.theirUnsolved}`,
  `${row.iterations} / ${row.theirIterations}`,
  `${row.ms.toFixed(3)} / ${row.theirMs.toFixed(3)}`,
  (row.ms / row.theirMs).toFixed(2),
  row.valueError.toExponential(1),
  row.boundBelow.toExponential(1),
]);
const heading = ["family", "n", "unsolved", "iterations", "ms", "ratio", "value off by", "bound below by"];
for (const line of [heading, ...shown]) {
  console.log(line.map((cell, i) => String(cell).padEnd([14, 4, 9, 15, 22, 7, 13, 0][i])).join(" "));
}
