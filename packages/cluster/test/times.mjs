/*
 * Measures an epoch of a training by shards: in one process, by a thread with a store, and by workers of a queue.
 * Prints a table. All ways take turns, and the median of the repetitions counts. Runs what was built.
 *
 *     node packages/cluster/test/times.mjs [--treebank FILE] [--sentences 3000] [--shards 10] [--repeat 3]
 *       [--workers 1,2,4] [--server redis|postgres] [--preset linear]
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseConllu, sentenceTree, sentenceWords } from "@arcwise/conllu";
import { folderStore, onThreads, stored } from "@arcwise/jobs/node";
import { trainParser } from "@arcwise/parser";
import { serverIn } from "./server-processes.mjs";

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const { values: flags } = parseArgs({
  options: {
    treebank: { type: "string", default: join(data, "treebanks/UD_English-EWT/en_ewt-ud-train.conllu") },
    sentences: { type: "string", default: "3000" },
    shards: { type: "string", default: "10" },
    repeat: { type: "string", default: "3" },
    workers: { type: "string", default: "1,2,4" },
    server: { type: "string", default: "redis" },
    preset: { type: "string", default: "linear" },
    coordinator: { type: "string" },
  },
});

/** The first epoch also compiles the program and fills memory: the second one is measured. */
const EPOCHS = 2;

function examples() {
  const sentences = parseConllu(readFileSync(flags.treebank, "utf8"), { file: flags.treebank });
  return sentences
    .slice(0, Number(flags.sentences))
    .map((sentence) => ({ sentence: sentenceWords(sentence), tree: sentenceTree(sentence) }));
}

/** Trains, and prints when epochs end and what they have written to the store. */
async function coordinate({ queue, store }) {
  const done = new Error("done");
  const options = {
    preset: flags.preset,
    epochs: EPOCHS,
    shards: { count: Number(flags.shards) },
    checkpoint: {
      read: async () => undefined,
      async write() {
        const { user, system } = process.cpuUsage();
        const mark = { time: Date.now(), cpu: (user + system) / 1e6, ...contents(store) };
        process.stdout.write(`${JSON.stringify(mark)}\n`);
        if (++epochs === EPOCHS) throw done;
      },
    },
  };
  let epochs = 0;
  const { onQueue } = await import("../dist/queue/index.js");
  const opened = store && (await folderStore(store));
  const place = queue ? await onQueue({ queue, store: opened }) : opened && stored(onThreads(1), opened);
  const training = place ? trainParser(examples(), { ...options, place }) : trainParser(examples(), options);
  await Promise.resolve(training).catch((error) => {
    if (error !== done) throw error;
  });
  await place?.close();
}

/** Returns number and bytes of the blobs of a folder store. */
function contents(store) {
  if (store === undefined) return { blobs: 0, bytes: 0 };
  const sizes = readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { blobs: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const processes = [];
const start = (script, words) => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  processes.push(child);
  return child;
};
const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", resolve));

/** Seconds of processor time of a process, on Linux; 0 elsewhere. */
function processorTime(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Runs a training in processes of its own; returns what the measured epoch took. */
async function measured({ isStored, workers }) {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-times-"));
  const store = isStored ? join(folder, "store") : undefined;
  const server = workers > 0 ? await serverIn(join(folder, "server"), flags.server) : undefined;
  const others = server ? [await server.start()] : [];
  try {
    for (let k = 0; k < workers; k++) {
      const worker = start("./worker.mjs", [JSON.stringify({ queue: server.url, store })]);
      worker.stdout.resume();
      others.push(worker);
    }
    const settings = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const coordinator = start("./times.mjs", [
      ...settings,
      "--coordinator",
      JSON.stringify({ queue: server?.url, store }),
    ]);
    const marks = [];
    const othersAt = () => others.reduce((sum, { pid }) => sum + processorTime(pid), 0);
    coordinator.stdout.on("data", (chunk) => {
      for (const line of chunk.toString().split("\n").filter(Boolean))
        marks.push({ ...JSON.parse(line), others: othersAt() });
    });
    await ended(coordinator);
    const [first, second] = marks.slice(-2);
    const since = (name) => second[name] - first[name];
    const cpu = since("cpu") + since("others");
    return { seconds: since("time") / 1000, cpu, blobs: since("blobs"), bytes: since("bytes") };
  } finally {
    for (const child of others) child.kill("SIGKILL");
    await Promise.all(others.map(ended));
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];

if (flags.coordinator !== undefined) await coordinate(JSON.parse(flags.coordinator));
else {
  const counts = flags.workers.split(",").filter(Boolean).map(Number);
  const ways = [
    { name: "one process without a store", isStored: false, workers: 0 },
    { name: "one thread, with a store", isStored: true, workers: 0 },
    ...counts.map((workers) => ({
      name: `${workers} ${workers === 1 ? "worker" : "workers"} of a queue`,
      isStored: true,
      workers,
    })),
  ];
  const found = ways.map(() => []);
  for (let k = 0; k < Number(flags.repeat); k++)
    for (const [w, way] of ways.entries()) {
      found[w].push(await measured(way));
      console.error(`${way.name}: ${JSON.stringify(found[w].at(-1))}`);
    }
  console.log("| steps run by | seconds | processor seconds | blobs | MB |\n|---|---|---|---|---|");
  for (const [w, { name }] of ways.entries()) {
    const of = (field) => median(found[w].map((run) => run[field]));
    const cells = [
      of("seconds").toFixed(1),
      of("cpu").toFixed(1),
      of("blobs"),
      (of("bytes") / 1e6).toFixed(0),
    ];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}
