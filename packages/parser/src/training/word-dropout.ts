import type { Random } from "@arcwise/core";
import { ATTRIBUTES, codeOf, type EncodedSentence, PADDING } from "@arcwise/core/features";

/** The attributes that identify a word; for rare words they are unknown in parsing. */
const LEXICAL = [ATTRIBUTES.indexOf("word"), ATTRIBUTES.indexOf("lemma")] as const;

/** The code of an unknown word in each of them. */
const UNKNOWN = LEXICAL.map((column) => codeOf(column, 0));

/**
 * Makes words unknown at random in training, rare ones more often than frequent ones (Iyyer et al. 2015;
 * Kiperwasser and Goldberg 2016), so that the other features of a word get weights as well. In a treebank of
 * 20,000 words most forms occur once, and their own weights would explain every sentence. Form and lemma
 * become unknown together; tags, morphology and affixes do not.
 */
export class WordDropout {
  readonly #rate: number;
  readonly #counts: readonly ReadonlyMap<number, number>[];

  /**
   * Counts the words of all sentences. O(words).
   *
   * @param rate a word that was seen c times is made unknown with the probability rate / (rate + c)
   */
  constructor(sentences: Iterable<EncodedSentence>, rate: number) {
    const counts = LEXICAL.map(() => new Map<number, number>());
    for (const { n, columns } of sentences) {
      for (const [k, column] of LEXICAL.entries()) {
        const codes = columns[column];
        for (let i = 1; i <= n; i++) {
          const code = codes[i + PADDING];
          counts[k].set(code, (counts[k].get(code) ?? 0) + 1);
        }
      }
    }
    this.#rate = rate;
    this.#counts = counts;
  }

  /** Returns a copy of a sentence in which some words are unknown; the stream determines which. O(n). */
  apply(sentence: EncodedSentence, stream: Random): EncodedSentence {
    const rate = this.#rate;
    const columns = [...sentence.columns];
    for (const column of LEXICAL) columns[column] = columns[column].slice();
    for (let i = 1; i <= sentence.n; i++) {
      const draw = stream.next();
      for (const [k, column] of LEXICAL.entries()) {
        const codes = columns[column];
        const count = this.#counts[k].get(codes[i + PADDING]) ?? 0;
        if (draw * (rate + count) < rate) codes[i + PADDING] = UNKNOWN[k];
      }
    }
    return { ...sentence, columns };
  }
}
