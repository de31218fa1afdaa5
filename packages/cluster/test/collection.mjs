/*
 * Parses a large collection by two workers of a queue, one of which is killed at regular times. The output must have
 * the bytes of one process, whose time is measured before. Runs what was built.
 *
 *     node packages/cluster/test/collection.mjs [--treebank FILE] [--sentences 1000000] [--every 60]
 *       [--server redis|postgres]
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseConllu, sentenceTree, sentenceWords } from "@arcwise/conllu";
import { here } from "@arcwise/jobs";
import { folderStore, stored } from "@arcwise/jobs/node";
import { saveParser, trainParser } from "@arcwise/parser";
import { cutChunks, parseChunks } from "../dist/index.js";
import { onQueue } from "../dist/queue/index.js";
import { serverIn } from "./server-processes.mjs";

const data = process.env.ARCWISE_DATA ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const { values } = parseArgs({
  options: {
    treebank: { type: "string", default: join(data, "treebanks/UD_English-EWT/en_ewt-ud-train.conllu") },
    sentences: { type: "string", default: "1000000" },
    every: { type: "string", default: "60" },
    server: { type: "string", default: "redis" },
  },
});

const WORKERS = 2;
const TRAINED = 300;
const count = Number(values.sentences);
const blocks = readFileSync(values.treebank, "utf8").trimEnd().split("\n\n");

/** The sentences of the treebank again and again, each with a number of its own: no two chunks are equal. */
function* collection() {
  for (let k = 0; k < count; k++)
    yield `# number = ${k}\n${blocks[k % blocks.length].replace(/^#.*\n/gm, "")}\n\n`;
}

/** Parses the collection; returns sentences per second and the hash of the output, whose numbers must ascend by one. */
async function parsed(model, place) {
  const hash = createHash("sha256");
  const start = performance.now();
  let next = 0;
  for await (const { text, error } of parseChunks(cutChunks(collection()), { place, model })) {
    if (error !== undefined) throw new Error(error);
    hash.update(text);
    for (const [, number] of text.matchAll(/^# number = (\d+)$/gm))
      if (Number(number) !== next++) throw new Error(`expected sentence ${next - 1}, found ${number}`);
  }
  if (next !== count) throw new Error(`expected ${count} sentences, found ${next}`);
  const seconds = (performance.now() - start) / 1000;
  return { speed: count / seconds, seconds, hash: hash.digest("hex") };
}

const examples = parseConllu(`${blocks.slice(0, TRAINED).join("\n\n")}\n\n`).map((sentence) => ({
  sentence: sentenceWords(sentence),
  tree: sentenceTree(sentence),
}));
const model = saveParser(await trainParser(examples, { preset: "linear", epochs: 2 }));
const folder = mkdtempSync(join(tmpdir(), "arcwise-collection-"));
const children = [];
try {
  const own = await folderStore(join(folder, "own"));
  const alone = await parsed(model, stored(here(), own));
  rmSync(join(folder, "own"), { recursive: true });
  console.log(`one process: ${alone.speed.toFixed(0)} sentences/s, ${alone.seconds.toFixed(0)} s`);

  const path = join(folder, "store");
  const store = await folderStore(path);
  const server = await serverIn(join(folder, "server"), values.server);
  children.push(await server.start());
  const script = fileURLToPath(new URL("./worker.mjs", import.meta.url));
  const start = (k) => {
    const options = JSON.stringify({ queue: server.url, store: path });
    children[k] = spawn(process.execPath, [script, options], { stdio: ["ignore", "ignore", "inherit"] });
  };
  for (let k = 1; k <= WORKERS; k++) start(k);
  let kills = 0;
  const killing = setInterval(() => {
    const k = 1 + (kills++ % WORKERS);
    children[k].kill("SIGKILL");
    start(k);
  }, 1000 * Number(values.every));
  const place = await onQueue({ queue: server.url, store });
  const queued = await parsed(model, place);
  clearInterval(killing);
  await place.close();
  const isSame = queued.hash === alone.hash;
  console.log(
    `${WORKERS} workers, ${kills} kills: ${queued.speed.toFixed(0)} sentences/s, ${queued.seconds.toFixed(0)} s; ` +
      `${isSame ? "same bytes" : "OTHER BYTES"}`,
  );
  process.exitCode = isSame ? 0 : 1;
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
