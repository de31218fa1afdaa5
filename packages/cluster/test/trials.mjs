/*
 * Trains parsers by workers of a queue, and kills workers, the coordinator and the server at random times. The
 * model must have the bytes of one process. Runs what was built.
 *
 *     node packages/cluster/test/trials.mjs [--runs 10] [--seed 1] [--server redis|postgres]
 */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { random } from "@arcwise/core";
import { saveParser, trainParser } from "@arcwise/parser";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    server: { type: "string", default: "redis" },
    coordinator: { type: "string" },
  },
});

const OPTIONS = { preset: "fast", epochs: 3, seed: 3, prune: false, shards: { count: 4, mixes: 6 } };

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

/** Trains by the workers of a queue, and writes the model. */
async function coordinate({ queue, store, model }) {
  const { folderStore, trainParserInSteps } = await import("../dist/index.js");
  const { queueRunner } = await import("../dist/queue/index.js");
  for (;;) {
    try {
      const opened = await folderStore(store);
      const runner = await queueRunner({ queue, store: opened, poll: 200 });
      writeFileSync(
        model,
        saveParser(await trainParserInSteps(EXAMPLES, { ...OPTIONS, store: opened, runner })),
      );
      await runner.close();
      return;
    } catch (error) {
      // The server is away when the coordinator starts.
      if (error.code !== "lost-connection") throw error;
      await sleep(300);
    }
  }
}

const run = (script, argument) =>
  spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...argument], {
    stdio: ["ignore", "ignore", "inherit"],
  });

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Returns the address of a server, and a function that starts it. */
async function serverIn(folder) {
  const port = await freePort();
  mkdirSync(folder);
  if (values.server === "redis") {
    const options = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes"];
    const start = () => spawn("redis-server", options.map(String), { stdio: "ignore" });
    return { url: `redis://127.0.0.1:${port}`, start };
  }
  const bin = join("/usr/lib/postgresql", readdirSync("/usr/lib/postgresql").at(-1), "bin");
  const id = (flag) => Number(spawnSync("id", [flag, "postgres"]).stdout.toString());
  const owner = process.getuid() === 0 ? { uid: id("-u"), gid: id("-g") } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  spawnSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "arcwise"], { cwd: folder, ...owner });
  const options = ["-D", data, "-p", `${port}`, "-h", "127.0.0.1", "-k", folder];
  const start = () => spawn(join(bin, "postgres"), options, { stdio: "ignore", cwd: folder, ...owner });
  return { url: `postgres://arcwise@127.0.0.1:${port}/postgres`, start };
}

const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", resolve));

/** Trains once with kills; returns the model. */
async function trial(folder, draws, kills) {
  const { url, start } = await serverIn(join(folder, "server"));
  const store = join(folder, "store");
  const model = join(folder, "model");
  const starts = {
    worker0: () => run("./worker.mjs", [JSON.stringify({ queue: url, store, lockDuration: 2000 })]),
    worker1: () => run("./worker.mjs", [JSON.stringify({ queue: url, store, lockDuration: 2000 })]),
    coordinator: () => run("./trials.mjs", ["--coordinator", JSON.stringify({ queue: url, store, model })]),
    server: start,
  };
  const running = { server: start() };
  await sleep(2000);
  for (const name of ["worker0", "worker1", "coordinator"]) running[name] = starts[name]();
  const victims = ["worker0", "worker1", "coordinator", "coordinator", "server", "server"];
  for (;;) {
    const isDone = await Promise.race([
      ended(running.coordinator).then(() => true),
      sleep(1000 + draws.int(2000)).then(() => false),
    ]);
    if (isDone) break;
    const victim = victims[draws.int(victims.length)];
    running[victim].kill("SIGKILL");
    await ended(running[victim]);
    kills[victim.replace(/\d/, "")]++;
    await sleep(draws.int(500));
    running[victim] = starts[victim]();
    // A worker that starts while the server is away ends.
    for (const name of ["worker0", "worker1"])
      if (running[name].exitCode !== null) running[name] = starts[name]();
    await sleep(1500);
    for (const name of ["worker0", "worker1"])
      if (running[name].exitCode !== null) running[name] = starts[name]();
  }
  for (const child of Object.values(running)) child.kill("SIGKILL");
  await Promise.all(Object.values(running).map(ended));
  return readFileSync(model);
}

if (values.coordinator !== undefined) await coordinate(JSON.parse(values.coordinator));
else {
  const expected = Buffer.from(saveParser(await trainParser(EXAMPLES, OPTIONS)));
  const draws = random(Number(values.seed));
  const kills = { worker: 0, coordinator: 0, server: 0 };
  let wrong = 0;
  for (let k = 1; k <= Number(values.runs); k++) {
    const folder = mkdtempSync(join(tmpdir(), "arcwise-trials-"));
    chmodSync(folder, 0o755);
    const start = performance.now();
    const model = await trial(folder, draws, kills);
    const isSame = model.equals(expected);
    if (!isSame) wrong++;
    rmSync(folder, { recursive: true, force: true });
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    const counts = Object.entries(kills).map(([name, count]) => `${count} ${name}`);
    console.log(
      `run ${k}: ${isSame ? "same bytes" : "OTHER BYTES"} after ${seconds} s; kills: ${counts.join(", ")}`,
    );
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}
