/**
 * The grid of everyday English: sentences of `constructions.txt` with words of `words.txt`, and the shares of them that a
 * parser gets right. Each construction has sentences of words that frames may have, and of words that are held back.
 */
import { readFileSync } from "node:fs";

/** Sentences of a construction, of each half of the words. */
const SENTENCES = 10;

/**
 * A relation: a word by its form, its tag if that counts, and its head, which is missing for the root.
 *
 * @typedef {{ dependent: string, upos?: string, relation: string, head?: string }} Relation
 * @typedef {{ name: string, kind: string, isHeldBack: boolean, text: string, relations: Relation[] }} GridSentence
 * @typedef {{ form: string, upos?: string | undefined, deprel?: string | undefined, head?: { form: string } | undefined }} Word
 * @typedef {readonly { words: readonly Word[] }[]} Trees the sentences of a text
 * @typedef {{ sentence: GridSentence, found: Trees, missing: Relation[] }} Result
 */

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const linesOf = (text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

/** Returns the words of a text of lists: by name, those that frames may have and those that are held back. */
function parseWords(text) {
  return new Map(
    linesOf(text).map((line) => {
      const [name, ...rest] = line.slice(1).split(" ");
      const [free, heldBack] = rest
        .join(" ")
        .split(" | ")
        .map((half) =>
          half.split(" ").map((word) => word.split("/").map((form) => form.replaceAll("_", " "))),
        );
      return [name, { free, heldBack }];
    }),
  );
}

/** The lists of words by name. */
export const WORDS = parseWords(read("words.txt"));

/** Returns the forms that are held back, in lower case; particles and prepositions, which both halves have, are not. */
export function heldBackForms() {
  const formsOf = (half) =>
    new Set([...WORDS.values()].flatMap((list) => (list[half] ?? []).flat()).flatMap(wordsOf));
  const free = formsOf("free");
  return new Set([...formsOf("heldBack")].filter((form) => !free.has(form)));
}

const wordsOf = (form) => form.toLowerCase().split(" ");

/**
 * Returns the sentences of the grid, in the order of its file.
 *
 * @returns {GridSentence[]}
 * @throws Error that names the line with a fault
 */
export function gridSentences() {
  const patterns = [];
  let kind = "";
  for (const line of linesOf(read("constructions.txt"))) {
    if (line.startsWith("= ")) kind = line.slice(2);
    else patterns.push({ kind, ...parsePattern(line) });
  }
  const byName = groups(patterns, nameOf);
  return [...byName.values()].flatMap((own, c) =>
    [false, true].flatMap((isHeldBack) =>
      Array.from({ length: SENTENCES }, (_, k) => filled(own[k % own.length], isHeldBack, k + c)),
    ),
  );
}

function parsePattern(line) {
  const [, name, rest] = /^([^:]+): (.*)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`expected NAME: TEXT | ROOT | ..., found ${line}`);
  const [text, root, ...relations] = rest.split(" | ");
  return { name, text, checks: [`${root} root`, ...relations], line };
}

/** Returns the sentence of a pattern with the words of a number. */
function filled({ kind, name, text, checks, line }, isHeldBack, number) {
  const slots = [...new Set(Array.from(text.matchAll(SLOT), ([, , list, which]) => `${list}${which ?? ""}`))];
  const fill = (pattern) =>
    pattern.replace(SLOT, (_, capital, list, which, form = "1") => {
      const halves = WORDS.get(list);
      if (halves === undefined) throw new Error(`unknown list {${list}}: ${line}`);
      const half = (isHeldBack && halves.heldBack) || halves.free;
      const word = half[(number + slots.indexOf(`${list}${which ?? ""}`)) % half.length][Number(form) - 1];
      if (word === undefined) throw new Error(`no form ${form} of a word of {${list}}: ${line}`);
      return capital ? word[0].toUpperCase() + word.slice(1) : word;
    });
  const sentence = fill(text).replace(/\b([Aa]) (?=[aeio])/g, "$1n ");
  const relations = checks.map((check) => {
    const [, dependent, upos, relation, head] = CHECK.exec(fill(check)) ?? [];
    if (dependent === undefined) throw new Error(`expected DEPENDENT RELATION HEAD, found ${check}: ${line}`);
    return { dependent, ...(upos && { upos }), relation, ...(head && { head }) };
  });
  return { kind, name, isHeldBack, text: sentence, relations };
}

const SLOT = /\{(\^?)(\w+)(#\d)?(?::(\d))?\}/g;
const CHECK = /^(\S+?)(?:\/([A-Z]+))? ([a-z:]+)(?: (\S+))?$/;

/**
 * Parses the sentences of the grid as texts of their own. A sentence is right if it stays one sentence and has all its
 * relations and tags.
 *
 * @param {(texts: string[]) => Trees[]} parse
 * @returns {Result[]}
 */
export function gridResults(parse) {
  const sentences = gridSentences();
  const trees = parse(sentences.map(({ text }) => text));
  return sentences.map((sentence, s) => {
    const missing = sentence.relations.filter((relation) => !hasRelation(trees[s], relation));
    return { sentence, found: trees[s], missing };
  });
}

/** Whether the trees of a text, which is to be one sentence, have a relation; the first word of a form counts. */
function hasRelation(found, { dependent, upos, relation, head }) {
  if (found.length !== 1) return false;
  const word = found[0].words.find(({ form }) => form === dependent);
  if (word === undefined || word.deprel !== relation || word.head?.form !== head) return false;
  return upos === undefined || word.upos === upos;
}

/** Returns the shares of right sentences in per cent: whole, of words that frames may have, of words held back. */
function sharesOf(results) {
  const halves = [false, true].map((isHeldBack) =>
    results.filter(({ sentence }) => sentence.isHeldBack === isHeldBack),
  );
  return [results, ...halves].map((own) => {
    const right = own.filter(({ missing }) => missing.length === 0).length;
    return Number(((100 * right) / own.length).toFixed(1));
  });
}

/** Returns rows of a table by kind of construction: kind, number of sentences, and shares. */
export function gridByKind(results) {
  const kinds = groups(results, ({ sentence }) => sentence.kind);
  return [["all", results], ...kinds].map(([kind, own]) => [kind, own.length, ...sharesOf(own)]);
}

/** Returns the table of shares by construction as text. */
export function gridTable(results) {
  const own = groups(results, ({ sentence }) => nameOf(sentence));
  const rows = [["all", results], ...own].map(([name, some]) =>
    [...sharesOf(some).map((share) => share.toFixed(1).padStart(5)), name].join("  "),
  );
  return `${["right sentences in per cent: all, words of frames, words held back", ...rows].join("\n")}\n`;
}

/** Wrong sentences that `gridErrors` shows of a kind of construction. */
const SHOWN = 10;

/** Returns up to ten wrong sentences of each kind of construction, with what is missing and their trees. */
export function gridErrors(results) {
  const wrong = results.filter(({ missing }) => missing.length > 0);
  const blocks = [...groups(wrong, ({ sentence }) => sentence.kind)].map(([kind, own]) => {
    const byName = [...groups(own, ({ sentence }) => sentence.name).values()];
    // One sentence per construction in turn: a kind has constructions with many errors and with few.
    const shown = Array.from({ length: SHOWN }, (_, k) => byName.flatMap((some) => some.slice(k, k + 1)));
    return `= ${kind}\n${shown.flat().slice(0, SHOWN).map(errorText).join("")}`;
  });
  return blocks.join("\n");
}

function errorText({ sentence, found, missing }) {
  const expected = missing.map(({ dependent, upos, relation, head = "-" }) =>
    [upos === undefined ? dependent : `${dependent}/${upos}`, relation, head].join(" "),
  );
  const trees = found.map(({ words }) =>
    words.map(({ form, upos, deprel, head }) => `${form}/${upos} ${deprel} ${head?.form ?? "-"}`).join(" | "),
  );
  return [sentence.text, `expected ${expected.join(" | ")}`, ...trees].join("\n  ").concat("\n");
}

const nameOf = ({ kind, name }) => `${kind}: ${name}`;

function groups(values, keyOf) {
  const result = new Map();
  for (const value of values) result.set(keyOf(value), [...(result.get(keyOf(value)) ?? []), value]);
  return result;
}
