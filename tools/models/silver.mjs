/**
 * Trees of a better parser, which a small network learns from as well: teachers with a pretrained encoder, which are too
 * slow to publish, parse a text, and the sentences on whose trees all of them agree are kept.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parseConllu, writeConllu } from "@arcwise/conllu";
import { arcwise } from "./command.mjs";
import { merged } from "./recipe.mjs";
import { SILVER_FOLDER, train } from "./training.mjs";

/**
 * Makes the sentences of a recipe from a text that has a sentence, or a few short ones, in each line. The first teacher
 * cuts the text. Teachers that an earlier call trained are used again.
 *
 * @param {{ text: string, encoder: string, threads: string }} options
 * @returns {string} what was done
 */
export function writeSilver(name, recipe, treebanks, { text, encoder, threads }, work) {
  const { file, teacher } = recipe.silver;
  let input = [text, "--lines"];
  const read = teacher.seeds.map((seed, t) => {
    const own = join(work, `teacher-${seed}`);
    const parsed = join(own, "parsed.conllu");
    const settings = merged(teacher.settings, { seed, ...(t > 0 && { tokenizer: false }) });
    mkdirSync(own, { recursive: true });
    const taught = { ...recipe, silver: undefined, settings: merged(recipe.settings, settings) };
    if (!existsSync(join(own, "model"))) train(name, taught, treebanks, { threads, encoder }, own);
    arcwise([
      "parse",
      join(own, "model"),
      ...input,
      "--encoder",
      encoder,
      "--threads",
      threads,
      "-o",
      parsed,
    ]);
    input = [parsed, "--tags", "predicted"];
    return parseConllu(readFileSync(parsed, "utf8"));
  });
  const kept = agreed(read);
  mkdirSync(SILVER_FOLDER, { recursive: true });
  writeFileSync(join(SILVER_FOLDER, file), gzipSync(writeConllu(kept), { level: 9 }));
  return `${join(SILVER_FOLDER, file)}: ${kept.length} of ${read[0].length} sentences`;
}

/**
 * Returns the sentences of the first parser on whose tags, heads and relations all parsers agree, without comments and
 * lemmas, and of MISC nothing but `SpaceAfter=No`. A lemmatiser would learn the errors of another.
 *
 * @param {readonly (readonly import("@arcwise/conllu").ConlluSentence[])[]} read the same sentences by each parser
 */
export function agreed(read) {
  const [first, ...others] = read.map((sentences) => sentences.map(treeOf));
  return read[0]
    .filter((_, s) => others.every((trees) => trees[s] === first[s]))
    .map(({ rows }) => ({ comments: [], rows: rows.map(bare), line: 0 }));
}

/** Returns what teachers are to agree on, as text. */
function treeOf({ rows }) {
  return rows.map(({ form, upos, head, deprel }) => [form, upos, head, deprel].join("\t")).join("\n");
}

function bare(row) {
  return { ...row, lemma: "_", misc: row.misc.includes("SpaceAfter=No") ? "SpaceAfter=No" : "_" };
}
