/**
 * Parses a treebank by parsers that have not seen the parsed sentences (jackknifing): sentence i belongs to
 * fold i mod FOLDS, and is parsed by a parser trained on all other folds. Models of the stages after a parser
 * learn from such trees, since they have as many errors as those of new text.
 *
 * After a build: node apps/bench/scripts/jackknife.mjs TREEBANK.conllu FOLDS FOLDER [OPTION ...]
 *
 * OPTIONs are those of `arcwise train`. FOLDER gets a model and a parsed file for each fold, and
 * parsed.conllu, all sentences in their order. Folds that are there already are not trained again.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [, , TREEBANK, FOLDS, FOLDER, ...OPTIONS] = process.argv;
const ARCWISE = fileURLToPath(new URL("../../cli/bin/arcwise.js", import.meta.url));
const folds = Number(FOLDS);
if (FOLDER === undefined || !Number.isInteger(folds) || folds < 2) {
  throw new Error("expected TREEBANK.conllu FOLDS FOLDER [OPTION ...] and at least 2 folds, see the comment");
}

/** Returns the sentences of a CoNLL-U file as text, each with its empty line. */
function blocksOf(path) {
  return readFileSync(path, "utf8")
    .split(/\n\n+/)
    .filter((block) => block.trim() !== "")
    .map((block) => `${block}\n\n`);
}

function arcwise(...args) {
  const { status } = spawnSync(process.execPath, [ARCWISE, ...args], { stdio: "inherit" });
  if (status !== 0) throw new Error(`arcwise ${args[0]} ended with ${status}`);
}

/** Writes a file whole or not at all. */
function write(path, text) {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

mkdirSync(FOLDER, { recursive: true });
const sentences = blocksOf(TREEBANK);
const parsed = [];
for (let fold = 0; fold < folds; fold++) {
  const file = (ending) => join(FOLDER, `fold-${fold}${ending}`);
  if (!existsSync(file(".parsed.conllu"))) {
    write(file(".train.conllu"), sentences.filter((_, i) => i % folds !== fold).join(""));
    write(file(".held.conllu"), sentences.filter((_, i) => i % folds === fold).join(""));
    const files = ["--train", file(".train.conllu"), "--model", file(".model")];
    arcwise("train", "--for", "tagged", ...files, ...OPTIONS);
    arcwise("parse", "--model", file(".model"), file(".held.conllu"), "-o", file(".parsed.conllu"));
  }
  parsed.push(blocksOf(file(".parsed.conllu")));
}
write(
  join(FOLDER, "parsed.conllu"),
  sentences.map((_, i) => parsed[i % folds][Math.floor(i / folds)]).join(""),
);
arcwise("evaluate", TREEBANK, join(FOLDER, "parsed.conllu"));
