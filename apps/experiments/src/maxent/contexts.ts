import type { CorpusName, LabelledSentence } from "./corpora.ts";

/** Returns the label some words before the current one; `EDGE` before the first word. */
export type Before = (distance: number) => string;

/** The features of a word that do not depend on labels, and those that depend on the labels before. */
export interface Contexts {
  words(sentence: LabelledSentence, position: number): string[];
  /** Returns features of labels before the word. */
  history(sentence: LabelledSentence, position: number, before: Before): string[];
}

/** Placeholder for words and labels outside of the sentence. */
export const EDGE = "\u0000";

function at(list: readonly string[], position: number): string {
  return list[position] ?? EDGE;
}

/** Words that occur less often are represented by their spelling. */
const RARE = 5;

/**
 * Returns the contexts of Ratnaparkhi (1996, table 1) for tagging: the word, or for rare words the affixes of
 * up to four letters and whether it has a digit, a capital or a hyphen; the two words on each side; the
 * previous tag, and the previous two tags.
 */
export function taggingContexts(training: readonly LabelledSentence[]): Contexts {
  const counts = new Map<string, number>();
  for (const { words } of training) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return {
    words({ words }, i) {
      const word = words[i]!;
      const window = ["-2", "-1", "+1", "+2"].map((offset) => `${offset} ${at(words, i + Number(offset))}`);
      return [...window, ...((counts.get(word) ?? 0) >= RARE ? [`0 ${word}`] : spelling(word))];
    },
    history: (_sentence, _i, before) => [`t ${before(1)}`, `tt ${before(2)} ${before(1)}`],
  };
}

function spelling(word: string): string[] {
  const features: string[] = [];
  for (let length = 1; length <= Math.min(4, word.length); length++) {
    features.push(`p ${word.slice(0, length)}`, `s ${word.slice(-length)}`);
  }
  if (/\d/.test(word)) features.push("digit");
  if (/\p{Lu}/u.test(word)) features.push("capital");
  if (word.includes("-")) features.push("hyphen");
  return features;
}

/**
 * Returns contexts for chunking, after Sha and Pereira (2003): words and tags of a window of five, pairs of
 * neighbours and triples of tags within it; the previous chunk label, the previous two, and the previous one
 * with the word and with the tag.
 *
 * @param hasOuterPairs adds the pair of the two words before and the pair of the two after, as Collins (2002)
 */
export function chunkingContexts(hasOuterPairs = false): Contexts {
  const pairs = hasOuterPairs ? [-2, -1, 0, 1] : [-1, 0];
  return {
    words({ words, tags }, i) {
      const features: string[] = [];
      for (let d = -2; d <= 2; d++) {
        features.push(`w${d} ${at(words, i + d)}`, `p${d} ${at(tags, i + d)}`);
      }
      for (const d of pairs) features.push(`ww${d} ${at(words, i + d)} ${at(words, i + d + 1)}`);
      for (let d = -2; d <= 1; d++) features.push(`pp${d} ${at(tags, i + d)} ${at(tags, i + d + 1)}`);
      for (let d = -2; d <= 0; d++) {
        features.push(`ppp${d} ${at(tags, i + d)} ${at(tags, i + d + 1)} ${at(tags, i + d + 2)}`);
      }
      return features;
    },
    history: ({ words, tags }, i, before) => [
      `c ${before(1)}`,
      `cc ${before(2)} ${before(1)}`,
      `cw ${before(1)} ${words[i]}`,
      `cp ${before(1)} ${tags[i]}`,
    ],
  };
}

/** Returns the contexts of a corpus. */
export function markovContexts(corpus: CorpusName, train: readonly LabelledSentence[]): Contexts {
  return corpus === "conll2000" ? chunkingContexts() : taggingContexts(train);
}
