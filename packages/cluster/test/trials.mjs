/*
 * Trains parsers by workers of a queue, and disturbs them at random times: kills workers, the coordinator and the
 * server (`kill -9`), and pauses workers and the server. The model must have the bytes of one process. Runs what was
 * built.
 *
 *     node packages/cluster/test/trials.mjs [--runs 10] [--kills 0] [--seed 1] [--server redis|postgres]
 *       [--workers 2] [--store late|full] [--hosts]
 *
 * --kills N    goes on until workers, coordinator and server were killed N times each
 * --store late files are seen late, as on a network; full: the store has no space at first
 * --hosts      the server with the coordinator, and each worker, on a host of its own (a network namespace), of which
 *              one at a time is cut off and comes back
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { random } from "@arcwise/core";
import { folderStore } from "@arcwise/jobs/node";
import { saveParser, trainParser } from "@arcwise/parser";
import { makeHosts } from "./hosts.mjs";
import { serverIn } from "./server-processes.mjs";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
    kills: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    server: { type: "string", default: "redis" },
    workers: { type: "string", default: "2" },
    store: { type: "string", default: "plain" },
    hosts: { type: "boolean", default: false },
    coordinator: { type: "string" },
  },
});

const OPTIONS = {
  preset: "linear",
  epochs: 3,
  seed: 3,
  prune: false,
  shards: { count: 4, mixes: 6 },
  network: { units: 8, embeddingUnits: 8, members: 2, epochs: 3 },
};

/** Made-up sentences, without labels: subject, verb, object, adverbs. */
function treebank(count) {
  const draws = random(5);
  return Array.from({ length: count }, () => {
    const adverbs = Array.from({ length: draws.int(12) }, () => ({
      form: `adv${draws.int(9)}`,
      upos: "ADV",
    }));
    const sentence = [
      { form: `noun${draws.int(20)}`, upos: "NOUN" },
      { form: `verb${draws.int(9)}`, upos: "VERB" },
      { form: `noun${draws.int(20)}`, upos: "NOUN" },
      ...adverbs,
    ];
    const heads = Int32Array.from([-1, 2, 0, 2, ...adverbs.map(() => 2)]);
    return { sentence, tree: { heads, labels: new Array(heads.length).fill("") } };
  });
}

const EXAMPLES = treebank(1500);

/** Milliseconds until the job of a lost worker is given to another. */
const LOCK = 2000;
/** How often a coordinator may end without a model in one run, with a store that is never full. */
const MAX_ENDS = 20;

/** Trains by the workers of a queue, and writes the model. */
async function coordinate({ queue, store, model }) {
  const { onQueue } = await import("../dist/queue/index.js");
  const place = await onQueue({ queue, store: await folderStore(store), poll: 200 });
  const trained = await trainParser(EXAMPLES, { ...OPTIONS, place });
  writeFileSync(`${model}.part`, saveParser(trained));
  renameSync(`${model}.part`, model);
  await place.close();
}

const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", resolve));

/** Runs a script on a host. */
function run({ command }, script, argument) {
  const late = values.store === "late" ? ["--import", new URL("./late-store.mjs", import.meta.url).href] : [];
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [first, ...words] = [...command, process.execPath, ...late, path, ...argument];
  return spawn(first, words, { stdio: ["ignore", "ignore", "pipe"] });
}

const HERE = { command: [] };

/** The processes of one training. */
class Training {
  #starts;
  #running = {};
  #errors = [];
  /** How often the coordinator ended without a model. */
  ends = 0;

  constructor(starts) {
    this.#starts = starts;
  }

  get names() {
    return Object.keys(this.#starts);
  }

  async start(name) {
    const child = await this.#starts[name]();
    this.#running[name] = child;
    child.stderr?.on("data", (chunk) => {
      this.#errors.push(`${name}: ${chunk}`);
      if (this.#errors.length > 50) this.#errors.shift();
    });
  }

  async kill(name) {
    this.#running[name].kill("SIGKILL");
    await ended(this.#running[name]);
  }

  async pause(name, milliseconds) {
    this.#running[name].kill("SIGSTOP");
    await sleep(milliseconds);
    this.#running[name].kill("SIGCONT");
  }

  /** Starts what has ended: workers and coordinators that find no server end. */
  async restartEnded() {
    for (const [name, { exitCode, signalCode }] of Object.entries(this.#running)) {
      if (exitCode === null && signalCode === null) continue;
      if (name === "coordinator") this.ends++;
      await this.start(name);
    }
  }

  get errors() {
    return this.#errors.join("");
  }

  async stop() {
    for (const child of Object.values(this.#running)) child.kill("SIGKILL");
    await Promise.all(Object.values(this.#running).map(ended));
  }
}

/** Makes a file system without space for the whole store; returns how to give it space and to remove it. */
function smallStore(folder) {
  mkdirSync(folder);
  const mount = (...words) => {
    const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", ...words, "tmpfs", folder]);
    if (status !== 0) throw new Error(`mount: ${stderr}`);
  };
  mount("size=800k");
  return {
    enlarge: () => mount("remount,size=1g"),
    remove: () => void spawnSync("umount", [folder]),
  };
}

/** Trains once with disturbances; returns the model. */
async function trial(folder, draws, counts) {
  const workers = Number(values.workers);
  const network = values.hosts ? makeHosts(workers + 1) : undefined;
  const [first = HERE, ...others] = network?.hosts ?? [];
  const place = network && { host: first, network: network.network };
  const { url: queue, start } = await serverIn(join(folder, "server"), values.server, place);
  const store = join(folder, "store");
  const full = values.store === "full" ? smallStore(store) : undefined;
  const model = join(folder, "model");
  const starts = { server: start };
  const worker = JSON.stringify({ queue, store, lockDuration: LOCK });
  for (let k = 0; k < workers; k++)
    starts[`worker${k}`] = () => run(others[k] ?? HERE, "./worker.mjs", [worker]);
  const order = JSON.stringify({ queue, store, model });
  const flags = ["--store", values.store === "late" ? "late" : "plain"];
  starts.coordinator = () => run(first, "./trials.mjs", [...flags, "--coordinator", order]);
  const training = new Training(starts);
  const count = (what) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  try {
    for (const name of training.names) await training.start(name);
    for (let isEnlarged = full === undefined; !existsSync(model); ) {
      await sleep(1000 + draws.int(2000));
      if (existsSync(model)) break;
      await training.restartEnded();
      if (training.ends > 0 && !isEnlarged) {
        full.enlarge();
        isEnlarged = true;
        count("times a full store ended the coordinator");
      }
      if (training.ends > MAX_ENDS)
        throw new Error(`the coordinator ends again and again: ${training.errors}`);
      if (isEnlarged) await disturb();
    }
    return readFileSync(model);
  } finally {
    await training.stop();
    full?.remove();
    network?.remove();
    counts["ends of coordinators without a model"] =
      (counts["ends of coordinators without a model"] ?? 0) + training.ends;
  }

  async function disturb() {
    const isPause = draws.int(4) === 0;
    const worker = `worker${draws.int(workers)}`;
    if (network !== undefined && draws.int(2) === 0) {
      const host = others[draws.int(workers)];
      host.cut();
      await sleep(LOCK * (1 + draws.int(4)));
      host.join();
      return count("hosts cut off");
    }
    const victim = [worker, "coordinator", "server"][draws.int(3)];
    const kind = victim.replace(/\d/, "");
    if (isPause) {
      await training.pause(victim, LOCK + draws.int(2000));
      return count(`${kind} pauses`);
    }
    await training.kill(victim);
    await sleep(draws.int(500));
    await training.start(victim);
    count(`${kind} kills`);
  }
}

if (values.coordinator !== undefined) await coordinate(JSON.parse(values.coordinator));
else {
  const expected = Buffer.from(saveParser(await trainParser(EXAMPLES, OPTIONS)));
  const draws = random(Number(values.seed));
  const counts = {};
  const isEnough = () =>
    ["worker", "coordinator", "server"].every(
      (kind) => (counts[`${kind} kills`] ?? 0) >= Number(values.kills),
    );
  let wrong = 0;
  for (let k = 1; k <= Number(values.runs) || !isEnough(); k++) {
    const folder = mkdtempSync(join(tmpdir(), "arcwise-trials-"));
    const start = performance.now();
    const model = await trial(folder, draws, counts);
    const isSame = model.equals(expected);
    if (!isSame) wrong++;
    rmSync(folder, { recursive: true, force: true });
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    const sums = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    console.log(
      `run ${k}: ${isSame ? "same bytes" : "OTHER BYTES"} after ${seconds} s; ${sums.sort().join(", ")}`,
    );
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}
