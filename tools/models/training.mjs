/** What a recipe learns from, and how: files of treebanks, frames, trees of a better parser and vectors for `arcwise train`. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseConllu, writeConllu } from "@arcwise/conllu";
import { installCommand } from "./card.mjs";
import { arcwise, root } from "./command.mjs";
import { framedSentences } from "./frames.mjs";
import { heldBackForms } from "./grid.mjs";
import { checkLicense, describeTreebank, newest, prepareTreebank } from "./treebank.mjs";
import { wordnetLexicon } from "./wordnet.mjs";

/** The folder of sentences that teachers annotated: see silver.mjs. */
export const SILVER_FOLDER = join(root, "tools", "models", "silver");

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** The folder of lexicons: words with lemmas, tags and features in CoNLL-U, without trees. */
const LEXICON_FOLDER = join(root, "tools", "models", "lexicons");

/** Writes the splits of the treebanks of a recipe to the working folder. Returns what figures.json says of each. */
export function prepare({ treebanks }, folders, work) {
  return treebanks.map((treebank, i) => {
    checkLicense(folders[i], treebank);
    const version = newest([treebank.version, describeTreebank(folders[i]).version].filter(Boolean));
    const { name } = treebank;
    return { name, version, ...prepareTreebank(folders[i], treebank, join(work, name)) };
  });
}

/**
 * Trains a model by a recipe, on prepared treebanks. Returns its file, `model` of the working folder.
 *
 * @param {{ threads: string, resume?: boolean, encoder?: string }} options
 */
export function train(name, recipe, treebanks, { threads, resume = false, encoder }, work) {
  const { silver, lexicon } = recipe;
  const vectors = recipe.vectors === undefined ? [] : ["--vectors", writeVectors(name, recipe.vectors, work)];
  const [trainFiles, devFiles] = ["train", "dev"].map((split) => treebanks.map(({ files }) => files[split]));
  if (recipe.frames !== undefined) trainFiles.push(writeFramed(recipe, trainFiles, work));
  const model = join(work, "model");
  const files = ["--train", ...trainFiles, "--dev", ...devFiles, "--model", model];
  const silverFiles = silver === undefined ? [] : ["--silver", join(SILVER_FOLDER, silver.file)];
  const others = [...(resume ? ["--resume"] : []), ...(encoder === undefined ? [] : ["--encoder", encoder])];
  const lexicons = lexicon === undefined ? [] : ["--lexicon", writeLexicon(name, lexicon, work)];
  const weights = silver && { weights: [...trainFiles.map(() => 1), silver.weight] };
  const settings = ["--settings", JSON.stringify({ ...recipe.settings, ...weights })];
  const given = [
    ...files,
    ...silverFiles,
    "--threads",
    threads,
    ...lexicons,
    ...others,
    ...vectors,
    ...settings,
  ];
  arcwise(["train", ...given], { isShown: true });
  return model;
}

/** Writes the sentences of the frames of a recipe. Returns the file. */
function writeFramed({ frames, settings }, treebanks, work) {
  const words = treebanks.flatMap((file) => parseConllu(readFileSync(file, "utf8")));
  const file = join(work, "frames.conllu");
  const text = readFileSync(join(root, "tools", "models", "frames", frames), "utf8");
  writeFileSync(file, writeConllu(framedSentences(text, words, settings.seed, heldBackForms())));
  return file;
}

/** Returns the file of a lexicon: a file of the recipe, or the forms of WordNet in a package. */
function writeLexicon(name, lexicon, work) {
  if (lexicon.file !== undefined) return join(LEXICON_FOLDER, lexicon.file);
  const file = join(work, "lexicon.conllu");
  writeFileSync(file, wordnetLexicon(join(packageFile(name, lexicon.package, work), "..", "dict")).join(""));
  return file;
}

/** Writes word vectors of a package in the text format of word2vec. Returns the file. */
function writeVectors(name, vectors, work) {
  const found = packageFile(name, vectors.package, work);
  const { words, vectors: all, dimensions } = readJson(join(found, "..", readJson(found).main));
  const lines = words.slice(0, vectors.words).map((word) => {
    const numbers = all[word].slice(0, dimensions).map((value) => value.toFixed(4));
    return `${word} ${numbers.join(" ")}\n`;
  });
  const file = join(work, "vectors.txt");
  writeFileSync(file, lines.join(""));
  return file;
}

/** Returns the package.json of an installed package. @throws Error when it is not installed */
function packageFile(name, packageName, work) {
  const { resolve: find } = createRequire(import.meta.url);
  try {
    return find(`${packageName}/package.json`, { paths: [process.cwd(), work] });
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    const command = installCommand(name, [packageName]);
    throw new Error(`the package ${packageName} is not installed; run "${command}"`);
  }
}
