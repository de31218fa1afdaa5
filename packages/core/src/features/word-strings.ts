import { normalizeText } from "../normalize.ts";
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

/** Normal form C may change characters at or above the first combining mark; the others stand for an apostrophe. */
const MAY_CHANGE = /[`\u00ad\u00b4\u02bc]|[\u0300-\uffff]/;
/** Apostrophes, and what is written in their place. */
const APOSTROPHES = /[`\u00b4\u02bc\u2018\u2019\u201b\u2032\uff07]/g;
const HYPHENS = /[\u2010\u2011\ufe63\uff0d]/g;
/** Soft hyphens, zero width spaces and marks of direction. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;
/** Hyphens, dashes and full-width punctuation by themselves. */
const LONE: ReadonlyMap<string, string> = new Map([
  ["\u2010", "-"],
  ["\u2011", "-"],
  ["\u2012", "\u2013"],
  ["\u2015", "\u2014"],
  ...Array.from({ length: 94 }, (_, i): [string, string] => [
    String.fromCharCode(0xff01 + i),
    String.fromCharCode(0x21 + i),
  ]),
]);
const WORD = /[\p{L}\p{N}]/u;

/**
 * Returns a form or lemma as features read it: in normal form C, so that canonically equivalent texts have the same
 * features; in forms with a letter or digit, apostrophes and hyphens of any shape as ASCII, and without invisible
 * characters.
 */
export function normalForm(text: string): string {
  if (!MAY_CHANGE.test(text)) return text;
  const composed = normalizeText(text);
  if (!WORD.test(composed)) return composed.length === 1 ? (LONE.get(composed) ?? composed) : composed;
  return composed.replace(APOSTROPHES, "'").replace(HYPHENS, "-").replace(INVISIBLE, "");
}

/** Returns the lemma of a word, or the form in lower case if it has no lemma, in normal form C. */
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

/** Returns `Name=Value` of a feature of a word, or the name alone if the word does not have the feature. */
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

/** Returns the class of a character, or the character itself if it has no class. */
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
