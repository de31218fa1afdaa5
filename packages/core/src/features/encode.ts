import type { Sentence, Word } from "../sentence.ts";
import { codeOf, extend, hashString } from "./hash.ts";
import { STRING_SEED } from "./seeds.ts";
import { type Vocabulary, vocabulary, vocabularyCounter } from "./vocabulary.ts";
import { COARSE, featureValue, lemmaOf, nameOf, normalForm, shapeOf, splitFeatures } from "./word-strings.ts";

/**
 * The attributes of one word that templates can name.
 *
 * | name | attribute |
 * |---|---|
 * | `word` | form in lower case, when it is frequent enough |
 * | `lemma` | lemma, when it is frequent enough (form in lower case if there is no lemma) |
 * | `upos` | universal tag |
 * | `xpos` | language-specific tag (or the universal one), with the encoder's fine features if any |
 * | `feats` | the whole bundle of morphological features |
 * | `case` | the values of Case and VerbForm alone |
 * | `prefix`, `suffix` | the first and last three letters of the form in lower case |
 * | `ending` | the last two letters |
 * | `shape` | classes of the form's characters: capitals, digits, punctuation |
 * | `marker` | lemma of the function word that introduces the phrase of the word, as far as tags show |
 *
 * A template can also name a morphological feature, with its name as in the treebank: `Case`, `Number[psor]`.
 * See `EncoderData.features`.
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
/** An attribute of a word that templates name. */
export type Attribute = (typeof ATTRIBUTES)[number];

/** Padding on each side of the sentence, for templates that look beyond its ends. */
export const PADDING = 2;

/** Classes of words whose number between head and modifier is a feature. */
export const COUNTED = ["verb", "noun", "punctuation", "conjunction"] as const;

/** A sentence as integer codes, from which features are extracted. */
export interface EncodedSentence {
  /** Number of words. */
  readonly n: number;
  /** One column an attribute: code of position i (0 = root) at `i + PADDING`; n + 1 + 2 PADDING entries. */
  readonly columns: readonly Int32Array[];
  /** Codes of the morphological features of word i: `feats[featStart[i] .. featStart[i + 1] - 1]`. */
  readonly featStart: Int32Array;
  readonly feats: Int32Array;
  /** Index of the universal tag, 0 for the root and 1..31 for words; tags beyond that share 31. */
  readonly tag: Uint8Array;
  /** For each of `COUNTED`, the number of words of the class among the words 1..i. */
  readonly counts: readonly Int32Array[];
  /** Values of the features that templates name, as columns by name; absent where they name none. */
  readonly morphology?: Readonly<Record<string, Int32Array>> | undefined;
  /** The words themselves, for features of whole trees that a module computes; absent without one. */
  readonly words?: Sentence | undefined;
  /**
   * For each position, the row of its word in a table of vectors, from 1; 0 for a word without a vector. Absent
   * without a table.
   */
  readonly vectors?: Int32Array | undefined;
}

/** The vocabularies of an encoder. Plain data. */
export interface EncoderData {
  readonly words: readonly string[];
  readonly lemmas: readonly string[];
  readonly tags: readonly string[];
  /** Names of the morphological features that are a part of `xpos`. Absent: none are. */
  readonly fine?: readonly string[] | undefined;
  /** Names of the morphological features that have columns of their own. Absent: none have. */
  readonly features?: readonly string[] | undefined;
}

/** Encodes sentences with the vocabularies of a model. */
export interface SentenceEncoder {
  readonly data: EncoderData;
  /** Number of universal tags: 0 is the root, the last one stands for unknown tags. */
  readonly tagCount: number;
  encode(sentence: Sentence): EncodedSentence;
}

/**
 * Maximum index of a tag: tags between head and modifier are bits of an integer, and further tags share the
 * last.
 */
const MAX_TAG = 31;

/** The features that an encoder codes in addition to the attributes of words. */
export interface EncoderOptions {
  /** Whether `xpos` has the fine features that occur in the sentences. Default: false */
  readonly fine?: boolean | undefined;
  /** Morphological features that templates name, see `namedFeatures`. Default: none */
  readonly features?: readonly string[] | undefined;
}

/**
 * Counts the words of the training sentences and makes an encoder of them. Forms and lemmas seen fewer than
 * `minimum` times are unknown to it. O(words).
 */
export function buildEncoder(
  sentences: Iterable<Sentence>,
  minimum = 2,
  { fine = false, features = [] }: EncoderOptions = {},
): SentenceEncoder {
  const { words, lemmas, tags, names } = countAttributes(sentences, minimum, fine);
  return sentenceEncoder({
    words,
    lemmas,
    tags,
    fine: fine ? names.filter((name) => !COARSE.has(name)).sort() : undefined,
    features: features.length > 0 ? features : undefined,
  });
}

/**
 * Returns the vocabularies of an encoder with the words of more sentences: known words keep their codes. Forms and lemmas
 * that the sentences have fewer than `minimum` times stay unknown. O(words).
 */
export function extendEncoderData(
  data: EncoderData,
  sentences: Iterable<Sentence>,
  minimum: number,
): EncoderData {
  const { words, lemmas, tags } = countAttributes(sentences, minimum, false);
  const joined = (known: readonly string[], more: readonly string[]) => [...new Set([...known, ...more])];
  return {
    ...data,
    words: joined(data.words, words),
    lemmas: joined(data.lemmas, lemmas),
    tags: joined(data.tags, tags),
  };
}

/** Counts the forms, lemmas and tags of sentences; returns the frequent ones, and the names of features if asked. */
function countAttributes(sentences: Iterable<Sentence>, minimum: number, fine: boolean) {
  const names = new Set<string>();
  const words = vocabularyCounter();
  const lemmas = vocabularyCounter();
  const tags = vocabularyCounter();
  for (const sentence of sentences) {
    for (const word of sentence) {
      words.add(normalForm(word.form).toLowerCase());
      lemmas.add(lemmaOf(word));
      tags.add(word.upos ?? "");
      if (fine) for (const feature of splitFeatures(word.feats)) names.add(nameOf(feature));
    }
  }
  return {
    words: words.vocabulary(minimum).strings,
    lemmas: lemmas.vocabulary(minimum).strings,
    tags: tags.vocabulary().strings,
    names: [...names],
  };
}

/** Maximum number of words, and of bundles of features, whose codes an encoder caches. */
const MAX_REMEMBERED = 2 ** 16;

/** Makes an encoder from the data that `buildEncoder` collected. */
export function sentenceEncoder(data: EncoderData): SentenceEncoder {
  const vocabularies: Vocabularies = {
    words: vocabulary(data.words),
    lemmas: vocabulary(data.lemmas),
    tags: vocabulary(data.tags),
    fine: new Set(data.fine),
    features: data.features ?? [],
  };
  const remembered = new Map<string, WordCodes>();
  const bundles = new Map<string, BundleCodes>();

  function codesOf(word: Word): WordCodes {
    const { form, lemma = "", upos = "", xpos = "", feats = "" } = word;
    const key = `${form}\t${lemma}\t${upos}\t${xpos}\t${feats}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const codes = encodeWord(word, bundleOf(feats), vocabularies);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, codes);
    return codes;
  }

  function bundleOf(feats: string): BundleCodes {
    const known = bundles.get(feats);
    if (known !== undefined) return known;
    const codes = encodeBundle(feats, vocabularies);
    if (bundles.size >= MAX_REMEMBERED) bundles.clear();
    bundles.set(feats, codes);
    return codes;
  }

  return {
    data,
    tagCount: MAX_TAG + 1,
    encode: (sentence) => encodeSentence(sentence, codesOf, vocabularies.features),
  };
}

/** Tables from the strings of a word to codes. */
interface Vocabularies {
  readonly words: Vocabulary;
  readonly lemmas: Vocabulary;
  readonly tags: Vocabulary;
  readonly fine: ReadonlySet<string>;
  /** Names of the morphological features with columns of their own. */
  readonly features: readonly string[];
}

const ROOT = 0x2000_0001;
const BEFORE = 0x2000_0002;
const AFTER = 0x2000_0003;
/** The index of each attribute: its column, and the seed of its codes. */
export const COLUMN = Object.fromEntries(ATTRIBUTES.map((name, column) => [name, column])) as Readonly<
  Record<Attribute, number>
>;

/** The codes that depend on a word alone. */
interface WordCodes {
  /** One code an attribute, except the marker. */
  readonly attributes: Int32Array;
  readonly feats: Int32Array;
  /** Codes of the values of the features with columns of their own. */
  readonly values: Int32Array;
  readonly tag: number;
  /**
   * Bits: the classes of `COUNTED`, whether the word introduces a phrase, and whether it is part of a nominal
   * one.
   */
  readonly kinds: number;
}

function encodeSentence(
  sentence: Sentence,
  codesOf: (word: Word) => WordCodes,
  features: readonly string[],
): EncodedSentence {
  const n = sentence.length;
  const columns = emptyColumns(n);
  const words = sentence.map(codesOf);
  const tag = new Uint8Array(n + 1);
  const featStart = new Int32Array(n + 2);
  for (let i = 1; i <= n; i++) {
    const word = words[i - 1];
    for (let attribute = 0; attribute < COLUMN.marker; attribute++) {
      columns[attribute][i + PADDING] = word.attributes[attribute];
    }
    tag[i] = word.tag;
    featStart[i + 1] = featStart[i] + word.feats.length;
  }
  const feats = new Int32Array(featStart[n + 1]);
  for (let i = 1; i <= n; i++) feats.set(words[i - 1].feats, featStart[i]);
  encodeMarkers(words, columns[COLUMN.marker], columns[COLUMN.lemma]);
  const encoded = { n, columns, featStart, feats, tag, counts: countKinds(words) };
  // A spread at the end of a literal would make a slow object, and templates read it for each word.
  return features.length > 0 ? { ...encoded, morphology: featureColumns(words, features) } : encoded;
}

/** One column for each named feature, padded like the attributes. */
function featureColumns(
  words: readonly WordCodes[],
  features: readonly string[],
): Record<string, Int32Array> {
  const columns: Record<string, Int32Array> = {};
  for (const [k, name] of features.entries()) {
    const column = new Int32Array(words.length + 1 + 2 * PADDING);
    const edge = (id: number) =>
      extend(hashString(name, STRING_SEED.featureValue), codeOf(ATTRIBUTES.length, id));
    column.fill(edge(BEFORE), 0, PADDING);
    column[PADDING] = edge(ROOT);
    column.fill(edge(AFTER), PADDING + 1 + words.length);
    for (const [i, { values }] of words.entries()) column[i + 1 + PADDING] = values[k];
    columns[name] = column;
  }
  return columns;
}

/** Makes columns with the codes of the root and of the positions beyond the ends of the sentence. */
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

/** Codes of each attribute at the root, before and after the sentence. */
const EDGE_CODES = ATTRIBUTES.map(
  (_, attribute) => [codeOf(attribute, BEFORE), codeOf(attribute, ROOT), codeOf(attribute, AFTER)] as const,
);

/** The codes that depend on the morphological features of a word alone. */
interface BundleCodes {
  /** The code of the whole bundle, and the code of its values of Case and VerbForm. */
  readonly whole: number;
  readonly cases: number;
  /** The fine features, each after a vertical line. */
  readonly fine: string;
  readonly feats: Int32Array;
  readonly values: Int32Array;
}

function encodeBundle(bundle: string, { fine, features }: Vocabularies): BundleCodes {
  const feats = splitFeatures(bundle);
  const cases = feats.filter((feature) => /^(Case|VerbForm)=/.test(feature));
  return {
    whole: hashString(feats.join("|"), COLUMN.feats),
    cases: hashString(cases.join("|"), COLUMN.case),
    fine: feats
      .filter((feature) => fine.has(nameOf(feature)))
      .map((feature) => `|${feature}`)
      .join(""),
    feats: Int32Array.from(feats, (feature) => hashString(feature, STRING_SEED.feature)),
    values: Int32Array.from(features, (name) =>
      hashString(featureValue(name, feats), STRING_SEED.featureValue),
    ),
  };
}

function encodeWord(word: Word, bundle: BundleCodes, { words, lemmas, tags }: Vocabularies): WordCodes {
  const form = normalForm(word.form);
  const lower = form.toLowerCase();
  const { length } = lower;
  const upos = word.upos ?? "";
  return {
    attributes: Int32Array.of(
      codeOf(COLUMN.word, words.id(lower)),
      codeOf(COLUMN.lemma, lemmas.id(word.lemma ? normalForm(word.lemma) : lower)),
      hashString(upos, COLUMN.upos),
      hashString((word.xpos || upos) + bundle.fine, COLUMN.xpos),
      bundle.whole,
      bundle.cases,
      hashString(lower, COLUMN.prefix, 0, Math.min(3, length)),
      hashString(lower, COLUMN.suffix, Math.max(0, length - 3)),
      hashString(lower, COLUMN.ending, Math.max(0, length - 2)),
      hashString(shapeOf(form), COLUMN.shape),
    ),
    feats: bundle.feats,
    values: bundle.values,
    tag: Math.min(tags.id(upos) || MAX_TAG, MAX_TAG),
    kinds: kindsOf(upos),
  };
}

const KINDS: readonly ReadonlySet<string>[] = [
  new Set(["VERB", "AUX"]),
  new Set(["NOUN", "PROPN", "PRON"]),
  new Set(["PUNCT"]),
  new Set(["CCONJ", "SCONJ"]),
  new Set(["ADP", "SCONJ", "CCONJ", "PART"]),
  new Set(["DET", "ADJ", "NUM", "ADV", "PROPN", "NOUN", "PRON", "AUX", "X", "SYM"]),
];
/** Bits of the last two sets: words that introduce a phrase, and words that occur inside a nominal one. */
const INTRODUCES = 1 << COUNTED.length;
const NOMINAL = INTRODUCES << 1;
const NOMINAL_WINDOW = 5;

function kindsOf(upos: string): number {
  return KINDS.reduce((bits, kind, index) => bits | (kind.has(upos) ? 1 << index : 0), 0);
}

/**
 * Finds the marker of each word: the nearest adposition, subordinator, conjunction or particle before it with
 * only nominal material between. In Universal Dependencies the function words that say most about an
 * attachment ("of", "that") are modifiers of the attached word; the marker is a guess at them that a
 * first-order model can use.
 */
function encodeMarkers(words: readonly WordCodes[], markers: Int32Array, lemmas: Int32Array): void {
  const none = codeOf(COLUMN.marker, 0);
  for (let i = 1; i <= words.length; i++) {
    let found = none;
    for (let j = i - 1; j >= 1 && j >= i - NOMINAL_WINDOW; j--) {
      const { kinds } = words[j - 1];
      if ((kinds & INTRODUCES) !== 0) {
        found = lemmas[j + PADDING] ^ 0x5bd1e995;
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
    for (let i = 1; i < length; i++) counts[i] = counts[i - 1] + ((words[i - 1].kinds >> kind) & 1);
    return counts;
  });
}
