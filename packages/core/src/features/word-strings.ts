import type { Word } from "../sentence.ts";

/**
 * Features of agreement and word formation, which do not affect where a word can stand. All others are fine
 * ones: case, form and mood of verbs, type of pronoun, whether a noun is possessed. Many treebanks have no
 * language-specific tags, or tags that are no finer than the universal ones; a tag with the fine features is
 * used instead.
 */
export const COARSE: ReadonlySet<string> = new Set([
  "Abbr",
  "Animacy",
  "Aspect",
  "Definite",
  "ExtPos",
  "Foreign",
  "Gender",
  "Number",
  "Number[psed]",
  "Person",
  "Person[psor]",
  "Polarity",
  "Polite",
  "Strength",
  "Style",
  "Tense",
  "Typo",
  "Voice",
]);

/** A character that normal form C may change: all of them are at or above the first combining mark. */
const MAY_CHANGE = /[\u0300-\uffff]/;

/**
 * Returns a form or lemma in normal form C, as features read it: canonically equivalent texts have the same features.
 */
export function normalForm(text: string): string {
  return MAY_CHANGE.test(text) ? text.normalize() : text;
}

/** Returns the lemma of a word, or the form in lower case where it has none, in normal form C. */
export function lemmaOf(word: Word): string {
  return normalForm(word.lemma || word.form.toLowerCase());
}

/** Returns the morphological features of a word, `Name=Value` each. */
export function splitFeatures(feats: string | undefined): string[] {
  return feats === undefined || feats === "" || feats === "_" ? [] : feats.split("|");
}

/** Returns the name of a feature `Name=Value`. */
export function nameOf(feature: string): string {
  const end = feature.indexOf("=");
  return end < 0 ? feature : feature.slice(0, end);
}

/** Returns `Name=Value` of a feature of a word, or the name alone where the word has none. */
export function featureValue(name: string, feats: readonly string[]): string {
  return feats.find((feature) => nameOf(feature) === name) ?? name;
}

/** Returns a form with letters as X or x and digits as d; runs of one class are cut at two. */
export function shapeOf(form: string): string {
  let shape = "";
  let previous = "";
  let run = 0;
  for (const character of form) {
    const mark = classOf(character);
    run = mark === previous ? run + 1 : 1;
    previous = mark;
    if (run <= 2) shape += mark;
  }
  return shape;
}

/** Returns the class of a character, or the character itself where it has none. */
function classOf(character: string): string {
  return CLASSES[character.codePointAt(0)!] ?? slowClassOf(character);
}

function slowClassOf(character: string): string {
  if (/\p{Lu}/u.test(character)) return "X";
  if (/\p{L}/u.test(character)) return "x";
  return /\p{N}/u.test(character) ? "d" : character;
}

/** The classes of the first characters, in the order of their codes. */
const CLASSES = Array.from({ length: 128 }, (_, code) => slowClassOf(String.fromCharCode(code)));
