/**
 * Trains small models and prints the SHA-256 of each, one per line. The lines are the same in every engine:
 *
 *     node tools/same-bytes.mjs > expected.txt
 *     node tools/same-bytes.mjs --expect expected.txt                        # in another version of Node
 *     node tools/same-bytes.mjs --expect expected.txt --browser firefox      # chromium or firefox
 *
 * Needs a build. Ends with 1 when a line differs. ARCWISE_CHROMIUM and ARCWISE_FIREFOX name the programs of the
 * browsers, by default `chromium` and `firefox`. The page that trains sends the models to a server of this program.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";

const { values } = parseArgs({ options: { expect: { type: "string" }, browser: { type: "string" } } });
const root = new URL("..", import.meta.url);

/** Six short sentences: an epoch takes little time, and all steps have something to learn. */
const TREEBANK = [
  "The dog barks",
  "A cat saw the dog",
  "Dogs bark",
  "The old cat sleeps",
  "The cat barks",
  "A dog sleeps",
]
  .map((text, s) => {
    const words = text.split(" ");
    const root = words.findIndex((word) => /^(?:bark|saw|sleep)/.test(word)) + 1;
    const rows = words.map((form, i) => {
      const tag =
        i + 1 === root ? "VERB" : /^(?:the|a)$/i.test(form) ? "DET" : form === "old" ? "ADJ" : "NOUN";
      const head =
        i + 1 === root ? 0 : tag === "NOUN" ? root : i + (form === "The" && words[i + 1] === "old" ? 3 : 2);
      const label = { VERB: "root", DET: "det", ADJ: "amod", NOUN: i + 1 < root ? "nsubj" : "obj" }[tag];
      return [i + 1, form, form.toLowerCase(), tag, "_", "_", head, label, `${head}:${label}`, "_"].join(
        "\t",
      );
    });
    return `# sent_id = ${s}\n# text = ${text}\n${rows.join("\n")}\n\n`;
  })
  .join("");

/** The program that trains, in Node and in pages: the files of the models as lists of bytes, by name. */
const PROGRAM = `
import { enhancedGraph, parseConllu, sentenceTree, sentenceWords } from "@arcwise/conllu";
import { savePipeline, trainPipeline } from "@arcwise/pipeline";
import { saveGraphParser, trainGraphParser } from "@arcwise/graph-parser";
globalThis.train = async (text) => {
  const sentences = parseConllu(text);
  const files = {};
  for (const preset of ["linear", "fast", "balanced", "accurate"])
    files[preset] = [...savePipeline(await trainPipeline(sentences, { preset }))];
  const examples = sentences.map((of) => ({ sentence: sentenceWords(of), graph: enhancedGraph(of) }));
  const ruled = examples.map((example, s) => ({ ...example, syntax: sentenceTree(sentences[s]) }));
  const graphs = {
    graphs: [examples, { preset: "balanced" }],
    "graphs with features": [examples, { preset: "linear", epochs: 4, parts: "full" }],
    "enhanced graphs": [ruled, { preset: "linear", epochs: 4, graphs: "enhanced", rules: true }],
  };
  for (const [name, [given, settings]] of Object.entries(graphs))
    files[name] = [...saveGraphParser(await trainGraphParser(given, settings))];
  return files;
};
`;

async function bundled() {
  const name = "same-bytes-program";
  const resolve = {
    name,
    resolveId: (id) => (id === name ? id : id.startsWith("@arcwise/") ? distOf(id) : null),
    load: (id) => (id === name ? PROGRAM : null),
  };
  const bundle = await rolldown({ input: name, plugins: [resolve], platform: "browser" });
  const { output } = await bundle.generate({ format: "esm" });
  return output[0].code;
}

function distOf(id) {
  const [, folder, entry = ""] = id.split("/");
  return fileURLToPath(new URL(`packages/${folder}/dist/${entry === "" ? "" : `${entry}/`}index.js`, root));
}

/** The page that trains: sends the models, or what went wrong. */
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
const send = (answer) => fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
try {
  await import("/program.mjs");
  await send({ files: await train(${JSON.stringify(TREEBANK)}) });
} catch (error) {
  await send({ error: String(error) });
}
</script>`;

/** The program of each browser, and its arguments for a profile in a folder. */
const BROWSERS = {
  chromium: {
    program: process.env.ARCWISE_CHROMIUM ?? "chromium",
    args: (profile) => ["--headless", "--no-sandbox", `--user-data-dir=${profile}`],
  },
  firefox: {
    program: process.env.ARCWISE_FIREFOX ?? "firefox",
    args: (profile) => ["--headless", "--no-remote", "--profile", profile],
  },
};

/** Milliseconds that a browser has. */
const LIMIT = 300_000;

/** Serves the page and the program; returns the server, and the answer of the page. */
function serve(code) {
  const pages = { "/": ["text/html", PAGE], "/program.mjs": ["text/javascript", code] };
  let server;
  const answer = new Promise((resolve, reject) => {
    server = createServer((request, response) => {
      if (request.method === "POST")
        json(request)
          .then(resolve, reject)
          .finally(() => response.end());
      else {
        const [type, text] = pages[request.url] ?? ["text/plain", ""];
        response.setHeader("content-type", type).end(text);
      }
    });
  });
  return { server, answer };
}

async function trainInBrowser(code, { program, args }, folder) {
  const { server, answer } = serve(code);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${server.address().port}/`;
  // A group of its own: browsers start further processes.
  const browser = spawn(program, [...args(folder), url], { stdio: "ignore", detached: true });
  const ended = once(browser, "exit");
  const lost = ended.then(([status]) => ({ error: `${program} ended with ${status}` }));
  const late = sleep(LIMIT, { error: `${program} has not answered in ${LIMIT} ms` }, { ref: false });
  try {
    const { files, error } = await Promise.race([answer, lost, late]);
    if (error !== undefined) throw new Error(error);
    return files;
  } finally {
    if (browser.exitCode === null && browser.pid !== undefined) {
      process.kill(-browser.pid, "SIGKILL");
      await ended;
    }
    server.close();
    server.closeAllConnections();
  }
}

async function inFolder(task) {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-same-bytes-"));
  try {
    return await task(folder);
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function trainHere(code, folder) {
  writeFileSync(join(folder, "program.mjs"), code);
  await import(pathToFileURL(join(folder, "program.mjs")).href);
  return globalThis.train(TREEBANK);
}

const code = await bundled();
const { browser } = values;
if (browser !== undefined && !Object.hasOwn(BROWSERS, browser))
  throw new Error(`--browser: expected chromium or firefox, found ${browser}`);
const files = await inFolder((folder) =>
  browser === undefined ? trainHere(code, folder) : trainInBrowser(code, BROWSERS[browser], folder),
);
const lines = Object.entries(files).map(
  ([name, bytes]) => `${createHash("sha256").update(Uint8Array.from(bytes)).digest("hex")}  ${name}\n`,
);
process.stdout.write(lines.join(""));
if (values.expect !== undefined && readFileSync(values.expect, "utf8") !== lines.join("")) {
  console.error(`expected the lines of ${values.expect}`);
  process.exitCode = 1;
}
