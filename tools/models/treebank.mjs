/** Treebanks in folders, as Universal Dependencies publishes them: `*-ud-train.conllu`, README, LICENSE.txt. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const SPLITS = ["train", "dev", "test"];

/** Of a treebank without a development split, this share of the training split is one: the last sentences. */
const HELD_OUT = 0.1;

/**
 * Writes the splits of a treebank as a recipe takes them to `NAME-train.conllu`, `NAME-dev.conllu` and `NAME-test.conllu`
 * of a folder NAME: all files of a split together, and only the selected sentences. Returns the files, the number of sentences
 * in each, and whether `dev` is held out from the training split.
 *
 * @param {string} folder
 * @param {{ readonly select?: string }} recipe
 * @param {string} out
 * @returns {{ files: Record<string, string>, sentences: Record<string, number>, isHeldOut: boolean }}
 * @throws Error when the folder has no training or no test split, or a selection leaves nothing of one
 */
export function prepareTreebank(folder, { select }, out) {
  const found = Object.fromEntries(SPLITS.map((split) => [split, sentencesOf(folder, split, select)]));
  for (const split of ["train", "test"]) {
    if (found[split].length > 0) continue;
    const of = select === undefined ? "sentences" : `sentences whose sent_id matches ${select}`;
    throw new Error(
      `${folder}: expected files *-ud-${split}.conllu with ${of}, found ${listOf(filesOf(folder))}`,
    );
  }
  const isHeldOut = found.dev.length === 0;
  if (isHeldOut) {
    const count = Math.ceil(HELD_OUT * found.train.length);
    found.dev = found.train.splice(found.train.length - count, count);
  }
  mkdirSync(out, { recursive: true });
  const files = SPLITS.map((split) => [
    split,
    writeSentences(join(out, `${basename(out)}-${split}.conllu`), found[split]),
  ]);
  const sentences = SPLITS.map((split) => [split, found[split].length]);
  return { files: Object.fromEntries(files), sentences: Object.fromEntries(sentences), isHeldOut };
}

/** Returns the sentences of a CoNLL-U file by genre, the whole first: the group of a pattern in their sent_id. */
export function byGenre(file, genres) {
  const all = readSentences(file);
  if (genres === undefined) return new Map([["all", all]]);
  const parts = new Map();
  for (const sentence of all) {
    const genre = new RegExp(genres, "u").exec(sentenceId(sentence))?.[1] ?? "other";
    parts.set(genre, [...(parts.get(genre) ?? []), sentence]);
  }
  return new Map([["all", all], ...[...parts].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Writes sentences as CoNLL-U. Returns the file. */
export function writeSentences(file, sentences) {
  writeFileSync(file, sentences.map((sentence) => `${sentence}\n\n`).join(""));
  return file;
}

/**
 * Returns what the folder and the README of a treebank say: its name, the newest release of the change log, the
 * licence, and whom to name.
 *
 * @throws Error when there is no such folder
 */
export function describeTreebank(folder) {
  if (!existsSync(folder)) throw new Error(`${folder}: expected the folder of a treebank, found nothing`);
  const readme = ["README.md", "README.txt"].map((name) => join(folder, name)).find(existsSync);
  const text = readme === undefined ? "" : readFileSync(readme, "utf8");
  const line = (name) => new RegExp(`^${name}:[ \\t]*(\\S.*)$`, "m").exec(text)?.[1].trim();
  return {
    name: basename(resolve(folder)),
    version: newest([...text.matchAll(/\bv(\d+\.\d+)\b/g)].map(([, version]) => version)),
    license: line("License"),
    credit: line("Contributors"),
  };
}

/** Returns the newest of releases such as 2.9 and 2.16; undefined for an empty list. */
export function newest(versions) {
  const order = (version) =>
    version
      .split(".")
      .map((part) => part.padStart(4, "0"))
      .join(".");
  return versions.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).at(-1);
}

/**
 * Compares a folder with the treebank of a recipe, for its licence may be another one in another release. A selection
 * of documents has the licence that the recipe states.
 *
 * @param {string} folder
 * @param {{ readonly name: string, readonly license: string, readonly select?: string }} recipe
 * @throws Error when the README states another licence
 */
export function checkLicense(folder, { name, license, select }) {
  const found = describeTreebank(folder).license;
  if (select !== undefined || found === undefined || found === license) return;
  throw new Error(`${folder}: expected the licence of ${name}, ${license}, found ${found} in its README`);
}

/** The comment of a sentence that names it. */
function sentenceId(sentence) {
  return /^# sent_id = (.*)$/m.exec(sentence)?.[1] ?? "";
}

function sentencesOf(folder, split, select) {
  const own = filesOf(folder).filter((name) => new RegExp(`-ud-${split}(?:-[\\w-]+)?\\.conllu$`).test(name));
  const sentences = own.flatMap((name) => readSentences(join(folder, name)));
  if (select === undefined) return sentences;
  const pattern = new RegExp(select, "u");
  return sentences.filter((sentence) => pattern.test(sentenceId(sentence)));
}

function readSentences(file) {
  return readFileSync(file, "utf8")
    .split(/(?:\r?\n){2,}/)
    .map((sentence) => sentence.replace(/^\n+|\n+$/g, ""))
    .filter((sentence) => sentence.trim() !== "");
}

function filesOf(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".conllu"))
    .sort();
}

function listOf(names) {
  return names.length === 0 ? "no file *.conllu" : names.join(", ");
}
