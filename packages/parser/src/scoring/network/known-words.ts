import type { EncodedSentence, WordTemplate } from "@arcwise/core/features";
import { CHARACTERS } from "./character-features.ts";

/** Returns the maximum number of words that are known at a time: most of the words of a text are among a few thousand. */
export function knownWordsOf(units: number): number {
  return Math.max(MIN_KNOWN, Math.floor(MAX_SUMS / units));
}
const MIN_KNOWN = 2 ** 10;
/** Maximum number of words times the units of a state. */
const MAX_SUMS = 2 ** 19;

/** The templates whose features the form of a word decides. */
const OF_FORMS: ReadonlySet<WordTemplate> = new Set([
  "word",
  "prefix",
  "suffix",
  "ending",
  "shape",
  CHARACTERS,
] satisfies WordTemplate[]);

/** Returns whether forms decide all features of a network, and sentences are encoded with them. */
export function readsForms(templates: readonly WordTemplate[]): boolean {
  return templates.includes(CHARACTERS) && templates.every((template) => OF_FORMS.has(template));
}

/** The artificial root. No word is empty. */
const ROOT = "";

/**
 * Returns a function that numbers the words of texts by their forms, to compute once what depends on a word alone: it
 * returns the number of each position of each sentence and the first new one, and calls `add` for each word that has a new
 * number, in their order. O(positions). Call it with at most as many positions as words can be known.
 *
 * @param most maximum number of words that are known at a time
 */
export function knownWords(most: number) {
  const known = new Map<string, number>();
  return (
    sentences: readonly EncodedSentence[],
    add: (sentence: number, position: number) => void,
  ): { readonly numbers: readonly Int32Array[]; readonly first: number } => {
    const positions = sentences.reduce((sum, { n }) => sum + n + 1, 0);
    if (known.size + positions > most) known.clear();
    const first = known.size;
    const numbers = sentences.map(({ n, words }, s) => {
      const own = new Int32Array(n + 1);
      for (let i = 0; i <= n; i++) {
        const form = i === 0 ? ROOT : words![i - 1].form;
        own[i] = known.get(form) ?? known.size;
        if (own[i] < known.size) continue;
        known.set(form, own[i]);
        add(s, i);
      }
      return own;
    });
    return { numbers, first };
  };
}
