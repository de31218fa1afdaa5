/**
 * Solves factor graphs with known solutions and prints, for each family, statuses, iterations and processor
 * time beside the recorded ones. With --each, also prints a line per instance.
 *
 * Recorded times are the best of three runs of the solver alone, without building the graph. Here `ms` is a
 * call of `solve` on an existing solver, and `with layout` includes creating the solver, `ad3(graph)`;
 * neither includes building the graph. Both are medians of 15 repeats (7 for slow graphs), with the range,
 * summed over the instances of a family. A repeat is a batch of calls of 5 milliseconds or more. Calls warm
 * up for 150 milliseconds, at least three times, so that compilation is not measured.
 *
 * After a build: node apps/bench/scripts/ad3-instances.mjs [--each] [FOLDER] FOLDER holds the instances;
 * without it, reference/ad3-instances below ARCWISE_DATA or `../shared`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ad3, createAd3 } from "@arcwise/decode-ad3";
import { readInstance } from "../../../packages/decode-ad3/test/solver/read-instance.mjs";

const REPEATS = 15;
const LONG_REPEATS = 7;
const BATCH_MS = 5;
const WARM_UP_MS = 150;
const WARM_UP_CALLS = 3;

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const each = process.argv.includes("--each");
const folder =
  process.argv.slice(2).find((argument) => argument !== "--each") ?? join(data, "reference/ad3-instances");

const familyOf = (id) => id.match(/^(dep-[a-z]+|[a-z]+)/)[0];
/** Returns processor time, which other programs on the machine affect less than wall-clock time. */
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Returns the median, minimal and maximal time of a call. */
function timeOf(call) {
  const start = spent();
  let calls = 0;
  for (; calls < WARM_UP_CALLS || spent() - start < WARM_UP_MS; calls++) call();
  const batch = Math.ceil((BATCH_MS * calls) / (spent() - start));
  const times = Array.from({ length: batch > 1 ? REPEATS : LONG_REPEATS }, () => {
    const from = spent();
    for (let i = 0; i < batch; i++) call();
    return (spent() - from) / batch;
  }).sort((a, b) => a - b);
  return { median: times[times.length >> 1], least: times[0], most: times.at(-1) };
}

const added = (a, b) => ({ median: a.median + b.median, least: a.least + b.least, most: a.most + b.most });
const NONE = { median: 0, least: 0, most: 0 };

const families = new Map();
for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const instance = JSON.parse(readFileSync(join(folder, name), "utf8"));
  if (instance.reference === undefined) continue;
  const { reference, exact } = instance;
  const graph = readInstance(instance);
  const found = ad3(graph);
  const solver = createAd3(graph);
  const ms = timeOf(() => solver.solve());
  const withLayout = timeOf(() => ad3(graph));
  const solved = found.status !== "unsolved";
  const family = familyOf(name);
  const row = families.get(family) ?? {
    instances: 0,
    unsolved: 0,
    theirUnsolved: 0,
    iterations: 0,
    theirIterations: 0,
    ms: NONE,
    withLayout: NONE,
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
  row.ms = added(row.ms, ms);
  row.withLayout = added(row.withLayout, withLayout);
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
      `${ms.median.toFixed(4)} / ${reference.ms} ms`.padEnd(22),
      `x${(ms.median / reference.ms).toFixed(2)}`.padEnd(6),
      `with layout x${(withLayout.median / reference.ms).toFixed(2)}`,
    );
  }
}

const rows = [...families];
const total = (of) => rows.reduce((sum, [, row]) => sum + of(row), 0);
const shown = rows.map(([family, row]) => [
  family,
  row.instances,
  `${row.unsolved} / ${row.theirUnsolved}`,
  `${row.iterations} / ${row.theirIterations}`,
  `${row.ms.median.toFixed(3)} (${row.ms.least.toFixed(3)}..${row.ms.most.toFixed(3)}) / ` +
    row.theirMs.toFixed(3),
  (row.ms.median / row.theirMs).toFixed(2),
  (row.withLayout.median / row.theirMs).toFixed(2),
  row.valueError.toExponential(1),
  row.boundBelow.toExponential(1),
]);
shown.push([
  "all",
  total((row) => row.instances),
  `${total((row) => row.unsolved)} / ${total((row) => row.theirUnsolved)}`,
  `${total((row) => row.iterations)} / ${total((row) => row.theirIterations)}`,
  `${total((row) => row.ms.median).toFixed(3)} / ${total((row) => row.theirMs).toFixed(3)}`,
  (total((row) => row.ms.median) / total((row) => row.theirMs)).toFixed(2),
  (total((row) => row.withLayout.median) / total((row) => row.theirMs)).toFixed(2),
]);
const heading = [
  "family",
  "n",
  "unsolved",
  "iterations",
  "ms",
  "ratio",
  "with layout",
  "value off by",
  "bound below by",
];
const widths = [14, 4, 9, 15, 38, 7, 13, 13, 0];
for (const line of [heading, ...shown]) {
  console.log(line.map((cell, i) => String(cell).padEnd(widths[i])).join(" "));
}
