import type { Sentence, Word } from "../sentence.ts";
import { codeOf, hashString } from "./hash.ts";
import { type Vocabulary, vocabulary, vocabularyCounter } from "./vocabulary.ts";

/**
 * The attributes of one word that templates can name.
 *
 * | name | attribute |
 * |---|---|
 * | `word` | form in lower case, when it is frequent enough |
 * | `lemma` | lemma, when it is frequent enough (form in lower case where there is no lemma) |
 * | `upos` | universal tag |
 * | `xpos` | language-specific tag (the universal one where there is none), with the fine features of the encoder if it has some |
 * | `feats` | the whole bundle of morphological features |
 * | `case` | the values of Case and VerbForm alone |
 * | `prefix`, `suffix` | the first and last three letters of the form in lower case |
 * | `ending` | the last two letters |
 * | `shape` | capitals, digits, hyphens and other signs in the form |
 * | `marker` | lemma of the function word that introduces the phrase of the word, as far as tags tell |
 */
export const ATTRIBUTES = [
  "word",
  "lemma",
  "upos",
  "xpos",
  "feats",
  "case",
  "prefix",
  "suffix",
  "ending",
  "shape",
  "marker",
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

/** Words on each side of the sentence that templates may look at beyond its ends. */
export const PADDING = 2;

/** Kinds of words whose number between head and modifier is a feature. */
export const COUNTED = ["verb", "noun", "punctuation", "conjunction"] as const;

/** A sentence as codes: what feature extraction reads. */
export interface EncodedSentence {
  /** Number of words. */
  readonly n: number;
  /** One column an attribute: code of position i (0 = root) at `i + PADDING`; n + 1 + 2 PADDING entries. */
  readonly columns: readonly Int32Array[];
  /** Codes of the morphological features of word i: `feats[featStart[i] .. featStart[i + 1] - 1]`. */
  readonly featStart: Int32Array;
  readonly feats: Int32Array;
  /** Number of the universal tag, 0 for the root and 1..31 for words; tags beyond that share 31. */
  readonly tag: Uint8Array;
  /** For each of `COUNTED`, at i how many of the words 1..i are of the kind. */
  readonly counts: readonly Int32Array[];
  /** For each position, which vector its word has in a table of them: from 1, 0 where it has none. Absent without one. */
  readonly vectors?: Int32Array;
}

/** What an encoder has to remember of the training data. Plain data. */
export interface EncoderData {
  readonly words: readonly string[];
  readonly lemmas: readonly string[];
  readonly tags: readonly string[];
  /** Names of the morphological features that are a part of `xpos`. Absent: none are. */
  readonly fine?: readonly string[];
}

export interface SentenceEncoder {
  readonly data: EncoderData;
  /** Universal tags by number: 0 is the root, the last number stands for unknown tags. */
  readonly tagCount: number;
  encode(sentence: Sentence): EncodedSentence;
}

/** Tags that can be told apart between head and modifier (they are kept as bits). */
const MAXIMAL_TAG = 31;

/**
 * Features that say what a word agrees with or how it is built, not where it can stand. All others are fine ones: case, form
 * and mood of verbs, type of pronoun, whether a noun is possessed. Many treebanks have no language-specific tags, or tags that are
 * no finer than the universal ones; a tag with the fine features takes their place.
 */
const COARSE: ReadonlySet<string> = new Set([
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

/**
 * Counts the words of the training sentences and makes an encoder of them. Forms and lemmas seen fewer than
 * `minimum` times are unknown to it. O(words).
 *
 * @param options `fine`: whether `xpos` has the fine features that the sentences know. Default: false
 */
export function buildEncoder(
  sentences: Iterable<Sentence>,
  minimum = 2,
  { fine = false }: { readonly fine?: boolean } = {},
): SentenceEncoder {
  const names = new Set<string>();
  const words = vocabularyCounter();
  const lemmas = vocabularyCounter();
  const tags = vocabularyCounter();
  for (const sentence of sentences) {
    for (const word of sentence) {
      words.add(word.form.toLowerCase());
      lemmas.add(lemmaOf(word));
      tags.add(word.upos ?? "");
      if (fine) for (const feature of splitFeatures(word.feats)) names.add(nameOf(feature));
    }
  }
  return sentenceEncoder({
    words: words.vocabulary(minimum).strings,
    lemmas: lemmas.vocabulary(minimum).strings,
    tags: tags.vocabulary().strings,
    ...(fine && { fine: [...names].filter((name) => !COARSE.has(name)).sort() }),
  });
}

/** Analyses of words whose codes an encoder remembers: text repeats itself. */
const REMEMBERED = 2 ** 16;

/** The encoder of the data that `buildEncoder` collected. */
export function sentenceEncoder(data: EncoderData): SentenceEncoder {
  const words = vocabulary(data.words);
  const lemmas = vocabulary(data.lemmas);
  const tags = vocabulary(data.tags);
  const fine = new Set(data.fine);
  const remembered = new Map<string, WordCodes>();

  function codesOf(word: Word): WordCodes {
    const { form, lemma = "", upos = "", xpos = "", feats = "" } = word;
    const key = `${form}\t${lemma}\t${upos}\t${xpos}\t${feats}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const codes = encodeWord(word, words, lemmas, tags, fine);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(key, codes);
    return codes;
  }

  return {
    data,
    tagCount: MAXIMAL_TAG + 1,
    encode: (sentence) => encodeSentence(sentence, codesOf),
  };
}

const ROOT = 0x2000_0001;
const BEFORE = 0x2000_0002;
const AFTER = 0x2000_0003;
const MARKER = ATTRIBUTES.indexOf("marker");
const LEMMA = ATTRIBUTES.indexOf("lemma");

/** What depends on a word alone. */
interface WordCodes {
  /** One code an attribute, but for the marker. */
  readonly attributes: Int32Array;
  readonly feats: Int32Array;
  readonly tag: number;
  /** Bits: which of `COUNTED` the word is, and whether it introduces a phrase or belongs to a nominal one. */
  readonly kinds: number;
}

function encodeSentence(sentence: Sentence, codesOf: (word: Word) => WordCodes): EncodedSentence {
  const n = sentence.length;
  const columns = emptyColumns(n);
  const words = sentence.map(codesOf);
  const tag = new Uint8Array(n + 1);
  const featStart = new Int32Array(n + 2);
  for (let i = 1; i <= n; i++) {
    const word = words[i - 1]!;
    for (let attribute = 0; attribute < MARKER; attribute++) {
      columns[attribute]![i + PADDING] = word.attributes[attribute]!;
    }
    tag[i] = word.tag;
    featStart[i + 1] = featStart[i]! + word.feats.length;
  }
  const feats = new Int32Array(featStart[n + 1]!);
  for (let i = 1; i <= n; i++) feats.set(words[i - 1]!.feats, featStart[i]!);
  encodeMarkers(words, columns[MARKER]!, columns[LEMMA]!);
  return { n, columns, featStart, feats, tag, counts: countKinds(words) };
}

/** Columns in which the root and the places beyond the ends of the sentence are filled in. */
function emptyColumns(n: number): Int32Array[] {
  const length = n + 1 + 2 * PADDING;
  // One allocation for all: small arrays cost more to make than to fill.
  const all = new Int32Array(ATTRIBUTES.length * length);
  return EDGE_CODES.map(([before, root, after], attribute) => {
    const column = all.subarray(attribute * length, (attribute + 1) * length);
    column.fill(before, 0, PADDING);
    column[PADDING] = root;
    column.fill(after, PADDING + 1 + n);
    return column;
  });
}

/** Codes of each attribute before the sentence, of the root, and behind the sentence. */
const EDGE_CODES = ATTRIBUTES.map(
  (_, attribute) => [codeOf(attribute, BEFORE), codeOf(attribute, ROOT), codeOf(attribute, AFTER)] as const,
);

function encodeWord(
  word: Word,
  words: Vocabulary,
  lemmas: Vocabulary,
  tags: Vocabulary,
  fine: ReadonlySet<string>,
): WordCodes {
  const lower = word.form.toLowerCase();
  const upos = word.upos ?? "";
  const feats = splitFeatures(word.feats);
  const cases = feats.filter((feature) => /^(Case|VerbForm)=/.test(feature));
  return {
    attributes: Int32Array.of(
      codeOf(0, words.id(lower)),
      codeOf(1, lemmas.id(lemmaOf(word))),
      hashString(upos, 2),
      hashString([word.xpos || upos, ...feats.filter((feature) => fine.has(nameOf(feature)))].join("|"), 3),
      hashString(feats.join("|"), 4),
      hashString(cases.join("|"), 5),
      hashString(lower.slice(0, 3), 6),
      hashString(lower.slice(-3), 7),
      hashString(lower.slice(-2), 8),
      hashString(shapeOf(word.form), 9),
    ),
    feats: Int32Array.from(feats, (feature) => hashString(feature, 7)),
    tag: Math.min(tags.id(upos) || MAXIMAL_TAG, MAXIMAL_TAG),
    kinds: kindsOf(upos),
  };
}

function lemmaOf(word: Word): string {
  return word.lemma || word.form.toLowerCase();
}

function splitFeatures(feats: string | undefined): string[] {
  return feats === undefined || feats === "" || feats === "_" ? [] : feats.split("|");
}

function nameOf(feature: string): string {
  const end = feature.indexOf("=");
  return end < 0 ? feature : feature.slice(0, end);
}

/** Letters become X or x, digits d, everything else stays; runs of one class are cut at two. */
export function shapeOf(form: string): string {
  let shape = "";
  let previous = "";
  let run = 0;
  for (const sign of form) {
    const mark = /\p{Lu}/u.test(sign) ? "X" : /\p{L}/u.test(sign) ? "x" : /\p{N}/u.test(sign) ? "d" : sign;
    run = mark === previous ? run + 1 : 1;
    previous = mark;
    if (run <= 2) shape += mark;
  }
  return shape;
}

const KINDS: readonly ReadonlySet<string>[] = [
  new Set(["VERB", "AUX"]),
  new Set(["NOUN", "PROPN", "PRON"]),
  new Set(["PUNCT"]),
  new Set(["CCONJ", "SCONJ"]),
  new Set(["ADP", "SCONJ", "CCONJ", "PART"]),
  new Set(["DET", "ADJ", "NUM", "ADV", "PROPN", "NOUN", "PRON", "AUX", "X", "SYM"]),
];
/** Bits of the last two sets: words that introduce a phrase, and words that may stand inside a nominal one. */
const INTRODUCES = 1 << COUNTED.length;
const NOMINAL = INTRODUCES << 1;
const NOMINAL_WINDOW = 5;

function kindsOf(upos: string): number {
  return KINDS.reduce((bits, kind, index) => bits | (kind.has(upos) ? 1 << index : 0), 0);
}

/**
 * In UD the function words that say most about an attachment ("of", "that") hang below the word that is
 * attached. The marker of a word is the nearest adposition, subordinator, conjunction or particle before it
 * with nothing but nominal material between: a guess, but one that a first-order model can see.
 */
function encodeMarkers(words: readonly WordCodes[], markers: Int32Array, lemmas: Int32Array): void {
  const none = codeOf(MARKER, 0);
  for (let i = 1; i <= words.length; i++) {
    let found = none;
    for (let j = i - 1; j >= 1 && j >= i - NOMINAL_WINDOW; j--) {
      const { kinds } = words[j - 1]!;
      if ((kinds & INTRODUCES) !== 0) {
        found = lemmas[j + PADDING]! ^ 0x5bd1e995;
        break;
      }
      if ((kinds & NOMINAL) === 0) break;
    }
    markers[i + PADDING] = found;
  }
}

function countKinds(words: readonly WordCodes[]): Int32Array[] {
  const length = words.length + 1;
  const all = new Int32Array(COUNTED.length * length);
  return COUNTED.map((_, kind) => {
    const counts = all.subarray(kind * length, (kind + 1) * length);
    for (let i = 1; i < length; i++) counts[i] = counts[i - 1]! + ((words[i - 1]!.kinds >> kind) & 1);
    return counts;
  });
}
