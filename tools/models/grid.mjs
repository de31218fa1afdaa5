/**
 * Prints the grid of everyday English for a model: the share of right sentences by construction.
 *
 *     node tools/models/grid.mjs MODEL [ERRORS]
 *
 * `ERRORS` is a file for up to ten wrong sentences of each kind, with their trees.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseConllu, sentenceWords } from "@arcwise/conllu";
import { gridByKind, gridErrors, gridResults, gridTable } from "../../packages/english/test/grammar/grid.mjs";
import { arcwise } from "./command.mjs";

export { heldBackForms } from "../../packages/english/test/grammar/grid.mjs";

/** Prints the grid of a model. Returns its rows by kind of construction. */
export function evaluateGrid(model, work, errors) {
  const results = gridResults((texts) => parsed(model, texts, work));
  console.log(gridTable(results));
  if (errors !== undefined) writeFileSync(errors, gridErrors(results));
  return gridByKind(results);
}

/** Parses texts, each a paragraph of its own. Returns the sentences of each. */
function parsed(model, texts, work) {
  const [raw, found] = ["grid.txt", "grid.conllu"].map((name) => join(work, name));
  writeFileSync(raw, texts.map((text) => `${text}\n\n`).join(""));
  arcwise(["parse", model, raw, "-o", found, "--threads", "1"]);
  const paragraphs = [];
  for (const sentence of parseConllu(readFileSync(found, "utf8"))) {
    if (sentence.comments.some((comment) => /^# ?newpar/.test(comment))) paragraphs.push([]);
    paragraphs.at(-1).push({ words: wordsOf(sentence) });
  }
  if (paragraphs.length !== texts.length)
    throw new Error(`expected ${texts.length} paragraphs, found ${paragraphs.length}`);
  return paragraphs;
}

function wordsOf(sentence) {
  const words = sentenceWords(sentence);
  const heads = sentence.rows.filter(({ kind }) => kind === "word");
  return words.map(({ form, upos }, w) => ({
    form,
    upos,
    deprel: heads[w].deprel,
    head: words[heads[w].head - 1],
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [model, errors] = process.argv.slice(2);
  const work = mkdtempSync(join(tmpdir(), "arcwise-grid-"));
  try {
    evaluateGrid(model, work, errors);
  } finally {
    rmSync(work, { recursive: true });
  }
}
