/**
 * Trains small models and prints the SHA-256 of each, one per line. The lines are the same in every engine:
 *
 *     node tools/same-bytes.mjs > expected.txt
 *     node tools/same-bytes.mjs --expect expected.txt                        # in another version of Node
 *     node tools/same-bytes.mjs --expect expected.txt --browser firefox      # chromium or firefox
 *
 * Needs a build. Ends with 1 when a line differs. ARCWISE_CHROMIUM names the program of Chromium; without it, and for
 * Firefox, the browsers that playwright installs are used.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { chromium, firefox } from "playwright-core";
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
import { enhancedGraph, parseConllu, sentenceWords } from "@arcwise/conllu";
import { savePipeline, trainPipeline } from "@arcwise/pipeline";
import { saveGraphParser, trainGraphParser } from "@arcwise/parser";
globalThis.train = async (text) => {
  const sentences = parseConllu(text);
  const files = {};
  for (const preset of ["fast", "balanced", "accurate"])
    files[preset] = [...savePipeline(await trainPipeline(sentences, { preset }))];
  const examples = sentences.map((of) => ({ sentence: sentenceWords(of), graph: enhancedGraph(of) }));
  files.graphs = [...saveGraphParser(await trainGraphParser(examples, { preset: "balanced" }))];
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

async function trainInBrowser(code) {
  const executablePath = values.browser === "chromium" ? process.env.ARCWISE_CHROMIUM : undefined;
  const type = values.browser === "firefox" ? firefox : chromium;
  const browser = await type.launch({
    executablePath,
    args: values.browser === "chromium" ? ["--no-sandbox"] : [],
  });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ type: "module", content: code });
    await page.waitForFunction("globalThis.train !== undefined");
    return await page.evaluate((text) => globalThis.train(text), TREEBANK);
  } finally {
    await browser.close();
  }
}

async function trainHere(code) {
  const folder = mkdtempSync(join(tmpdir(), "arcwise-same-bytes-"));
  try {
    writeFileSync(join(folder, "program.mjs"), code);
    await import(pathToFileURL(join(folder, "program.mjs")).href);
    return await globalThis.train(TREEBANK);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const code = await bundled();
const files = await (values.browser === undefined ? trainHere(code) : trainInBrowser(code));
const lines = Object.entries(files).map(
  ([name, bytes]) => `${createHash("sha256").update(Uint8Array.from(bytes)).digest("hex")}  ${name}\n`,
);
process.stdout.write(lines.join(""));
if (values.expect !== undefined && readFileSync(values.expect, "utf8") !== lines.join("")) {
  console.error(`expected the lines of ${values.expect}`);
  process.exitCode = 1;
}
